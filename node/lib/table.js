'use strict';
// Tables: Arrow for many rows, plain objects for few.

const { attempt, perform } = require('./fail.js');
const { placeOf } = require('./place.js');

/** How many objects are made at once. */
const ROWS = 1000;

const LABELS = new Map([
  [true, 'labels'],
  [false, 'codes'],
]);

/** The name of labels in the compiled part. */
function word(labels) {
  return labels === undefined || labels === null ? 'codes' : (LABELS.get(labels) ?? String(labels));
}

class Table {
  #native;

  constructor(native) {
    this.#native = native;
  }

  get numRows() {
    return this.#native.method('length');
  }

  get columns() {
    return this.#native.method('columns');
  }

  get warnings() {
    return this.#native.method('warnings');
  }

  metadata(column) {
    return attempt(() => this.#native.method('metadata', column));
  }

  codebook() {
    return attempt(() => this.#native.method('codebook').method('toMarkdown'));
  }

  withLabels(labels) {
    return new Table(attempt(() => this.#native.method('withLabels', word(labels))));
  }

  select(columns) {
    return new Table(attempt(() => this.#native.method('select', columns)));
  }

  withLists() {
    return new Table(attempt(() => this.#native.method('withLists')));
  }

  inTimeZone(name) {
    return new Table(attempt(() => this.#native.method('inTimeZone', name)));
  }

  async toFile(path, { format, shared = false, spreadsheet = false } = {}) {
    const file = placeOf(path);
    const kind = format ?? /\.([^./\\]*)$/.exec(file)?.[1]?.toLowerCase() ?? '';
    return perform(() => this.#native.method('save', { path: file, format: kind, shared, spreadsheet }));
  }

  toIPC() {
    return attempt(() => this.#native.ipc());
  }

  *rows() {
    for (let first = 0; first < this.numRows; first += ROWS) {
      yield* attempt(() => this.#native.method('rows', { first, count: ROWS, named: true }));
    }
  }

  [Symbol.iterator]() {
    return this.rows();
  }
}

exports.Table = Table;
exports.word = word;
