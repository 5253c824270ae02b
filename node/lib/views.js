'use strict';

const { Table } = require('./table.js');

/** The table for a native table, with the requested labels. */
function tableOf(native, labels) {
  const table = new Table(native);
  return labels === undefined || labels === null || labels === false ? table : table.withLabels(labels);
}

exports.tableOf = tableOf;
