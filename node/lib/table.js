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
    return this.#native.verb('length');
  }

  get columns() {
    return this.#native.verb('columns');
  }

  get warnings() {
    return this.#native.verb('warnings');
  }

  metadata(column) {
    return attempt(() => this.#native.verb('metadata', column));
  }

  codebook() {
    return attempt(() => this.#native.verb('codebook').verb('toMarkdown'));
  }

  withLabels(labels) {
    return new Table(attempt(() => this.#native.verb('withLabels', word(labels))));
  }

  select(columns) {
    return new Table(attempt(() => this.#native.verb('select', columns)));
  }

  withLists() {
    return new Table(attempt(() => this.#native.verb('withLists')));
  }

  inTimeZone(name) {
    return new Table(attempt(() => this.#native.verb('inTimeZone', name)));
  }

  async toFile(path, { format, shared = false, spreadsheet = false } = {}) {
    const file = placeOf(path);
    const kind = format ?? /\.([^./\\]*)$/.exec(file)?.[1]?.toLowerCase() ?? '';
    return perform(() => this.#native.verb('save', { path: file, format: kind, shared, spreadsheet }));
  }

  toIPC() {
    return attempt(() => this.#native.ipc());
  }

  *rows() {
    for (let first = 0; first < this.numRows; first += ROWS) {
      yield* attempt(() => this.#native.verb('rows', { first, count: ROWS, named: true }));
    }
  }

  [Symbol.iterator]() {
    return this.rows();
  }
}

exports.Table = Table;
exports.word = word;
