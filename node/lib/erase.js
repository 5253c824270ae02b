'use strict';
// Erased people leave the stores that a sync keeps.

const { attempt, invalid, refuseUnknown } = require('./fail.js');
const native = require('./native.js');
const { placeOf } = require('./place.js');
const { tableIn } = require('./sync.js');

exports.eraseFromStore = async function eraseFromStore(receipt, store, { table, shared, ...unknown } = {}) {
  refuseUnknown(unknown, 'table', 'shared');
  const file = placeOf(receipt);
  if (typeof store?.query !== 'function') {
    tableIn(store, table);
    return attempt(() => native.make('eraseFromStore', { receipt: file, path: placeOf(store), shared }));
  }
  if (table === undefined) throw invalid('options.table is required for a database: the table that a sync has made');
  const database = tableIn(store, table);
  const { state, ids } = await database.read();
  const rows = attempt(() => native.make('erasedRows', { receipt: file, store: database.name, state, ids }));
  await database.erase(rows);
  return rows.report;
};
