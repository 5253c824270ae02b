'use strict';
// Tables: Arrow for many rows, plain objects for few.

const { attempt } = require('./fail.js');

/** How many objects are made at once. */
const ROWS = 1000;

const LABELS = new Map([
  [true, 'labels'],
  [false, 'codes'],
]);

class Table {
  #native;

  constructor(native) {
    this.#native = native;
  }

  get numRows() {
    return this.#native.length;
  }

  get columns() {
    return this.#native.columns;
  }

  get warnings() {
    return this.#native.warnings;
  }

  metadata(column) {
    return attempt(() => this.#native.metadata(column));
  }

  codebook() {
    return attempt(() => this.#native.codebook());
  }

  withLabels(labels) {
    return new Table(attempt(() => this.#native.withLabels(LABELS.get(labels) ?? String(labels))));
  }

  select(columns) {
    return new Table(attempt(() => this.#native.select(columns)));
  }

  toIPC() {
    return attempt(() => this.#native.ipc());
  }

  *rows() {
    for (let first = 0; first < this.numRows; first += ROWS) {
      yield* attempt(() => this.#native.rows(first, ROWS));
    }
  }

  [Symbol.iterator]() {
    return this.rows();
  }
}

exports.Table = Table;
