'use strict';
// How labels are named for the core.

const LABELS = new Map([
  [true, 'labels'],
  [false, 'codes'],
]);

/** The native name of labels. */
exports.word = function word(labels) {
  return labels === undefined || labels === null ? 'codes' : (LABELS.get(labels) ?? String(labels));
};
