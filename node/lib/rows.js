'use strict';
// Rows from the caller: objects, the bytes of an Arrow table, a CSV file, or a workbook.

const { placeOf } = require('./place.js');
const { invalid, object } = require('./fail.js');
const { Table } = require('./table.js');

/** A row, which may be a `Map`. */
const plain = (row) => (row instanceof Map ? Object.fromEntries(row) : row);

function rowsOf(rows) {
  if (typeof rows === 'string') {
    const why = 'so that no text from elsewhere opens one';
    throw invalid(`rows is a string: a file is read by { path } only, ${why}. Hand over { path: 'members.csv' }`);
  }
  if (rows instanceof URL) return { path: placeOf(rows) };
  if (rows instanceof Table) return { ipc: rows.toIPC() };
  if (rows instanceof Uint8Array) return { ipc: Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength) };
  if (typeof rows?.path === 'string' || rows?.path instanceof URL) return { ...object(rows, 'rows'), path: placeOf(rows.path) };
  if (typeof rows?.[Symbol.iterator] === 'function') return { objects: Array.from(rows, plain) };
  throw invalid('rows must be an array of objects or another iterable, the bytes of an Arrow stream or file, a Table, or { path } of a CSV file or a workbook');
}

/** The same, including rows of an async iterable. `signal` ends reading them. */
async function takenFrom(rows, signal) {
  if (typeof rows?.[Symbol.asyncIterator] !== 'function') return rowsOf(rows);
  const objects = [];
  signal?.throwIfAborted();
  for await (const row of rows) {
    objects.push(plain(row));
    signal?.throwIfAborted();
  }
  return { objects };
}

Object.assign(exports, { rowsOf, takenFrom });
