'use strict';

const { Table } = require('./table.js');

/** The table that the compiled part made, with the labels that were asked for. */
function tableOf(native, labels) {
  const table = new Table(native);
  return labels === undefined || labels === null || labels === false ? table : table.withLabels(labels);
}

exports.tableOf = tableOf;
