'use strict';
// Functions that wait for the native addon and block. Each replaces the function without `block` in its name.

const fail = require('./fail.js');
const { rowsOf } = require('./rows.js');
const { newWatch } = require('./watch.js');

const { attempt, invalid } = fail;

const SILENT = 'while it blocks, no JavaScript runs that could';

function block(prepare, signal, cause) {
  if (signal !== undefined) throw invalid(`a call that blocks takes no signal: ${SILENT} abort it`);
  return attempt(() => prepare().wait(), cause);
}

function blockBegin(native, number, request, cause) {
  return attempt(() => native.call(number, request, {}).wait(), cause);
}

function blockWatched(prepare, { signal, cause, onProgress }, watch = newWatch()) {
  if (onProgress !== undefined) throw invalid(`a call that blocks takes no onProgress: ${SILENT} be told`);
  return block(() => prepare(watch), signal, cause);
}

function blockAsking(provider) {
  if (provider !== undefined) throw invalid(`a BlockingClient takes no tokenProvider: ${SILENT} answer`);
}

function blockTakenFrom(rows, signal) {
  if (typeof rows?.[Symbol.asyncIterator] !== 'function') return rowsOf(rows);
  throw invalid(`a call that blocks takes no rows of an async iterable: ${SILENT} give them`);
}

function blockKeeping(store) {
  if (store !== undefined) throw invalid(`a BlockingClient takes no tokenStore: ${SILENT} answer. It takes a tokenFile`);
}

function tableIn(store) {
  if (typeof store?.query === 'function') throw invalid(`a call that blocks takes no client of a database: ${SILENT} answer`);
}

Object.assign(exports, fail, { newWatch, block, blockAsking, blockBegin, blockKeeping, blockTakenFrom, blockWatched, tableIn });
