'use strict';
// Tables: Arrow for many rows, plain objects for few.

const { TableMethods } = require('./bases.js');
const { attempt, invalid, object, perform, refuseUnknown } = require('./fail.js');
const { held } = require('./held.js');
const { word } = require('./labels.js');
const native = require('./native.js');
const { placeOf } = require('./place.js');
const { crosstabOf, frequenciesOf, qualityOf } = require('./reports.js');

/** How many objects are created at a time. */
const ROWS = 1000;

class Table extends TableMethods {
  get numRows() {
    return held(this).native.method('length');
  }

  codebook(options = {}) {
    const { format = 'markdown', frequencies, weight, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'format', 'frequencies', 'weight');
    if (!['markdown', 'html'].includes(format)) throw invalid('format: a codebook is markdown or html');
    const book = attempt(() => held(this).native.method('codebook', { frequencies, weight }));
    return attempt(() => (format === 'html' ? book.method('toHtml') : book.method('toMarkdown')));
  }

  label(column, part) {
    if (![undefined, 'question', 'row', 'choice'].includes(part)) throw invalid(`part must be question, row or choice, not ${part}`);
    this.values(column); // refuses a column that is not there
    return this.metadata(column)[`sondage.${part ?? 'label'}`] ?? null;
  }

  values(column) {
    return new Map(attempt(() => held(this).native.method('values', column)));
  }

  withLabels(labels) {
    return new Table(attempt(() => held(this).native.method('withLabels', word(labels))));
  }

  withMissing(codes, options = {}) {
    const choices = { ...object(options, 'options'), codes: codes instanceof Set ? [...codes] : codes };
    return new Table(attempt(() => held(this).native.method('withMissing', choices)));
  }

  frequencies(variable, options = {}) {
    const { weight, missing, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'weight', 'missing');
    return frequenciesOf(attempt(() => held(this).native.method('frequencies', { variable, weight, missing })));
  }

  crosstab(variable, options) {
    const { by, weight, show, missing, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'by', 'weight', 'show', 'missing');
    return crosstabOf(attempt(() => held(this).native.method('crosstab', { variable, by, weight, show, missing })));
  }

  quality(options = {}) {
    const { duration, speederPercent, matrixRows, textLength, notAvailablePercent, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'duration', 'speederPercent', 'matrixRows', 'textLength', 'notAvailablePercent');
    const choices = { duration, speederPercent, matrixRows, textLength, notAvailablePercent };
    return qualityOf(attempt(() => held(this).native.method('quality', choices)));
  }

  async toFile(path, options = {}) {
    const choices = { ...object(options, 'options'), path: placeOf(path) };
    return perform(() => held(this).native.method('save', choices));
  }

  compare(later) {
    if (!(later instanceof Table)) throw invalid('a table is compared with a table of this library');
    const bytes = [this, later].map((table) => attempt(() => held(table).native.method('toBytes')));
    return attempt(() => native.make('compare', bytes));
  }

  static stack(waves, { crosswalk, ...unknown } = {}) {
    refuseUnknown(unknown, 'crosswalk');
    const named = Object.entries(object(waves, 'waves'));
    const tables = named.map(([name, table]) => {
      if (!(table instanceof Table)) throw invalid(`waves[${JSON.stringify(name)}] must be a table of this library`);
      return attempt(() => held(table).native.method('toBytes'));
    });
    const names = named.map(([name]) => name);
    return new Table(attempt(() => native.make('stack', { names, tables, crosswalk: crosswalk && JSON.stringify(crosswalk, asTexts) })));
  }

  static fromBytes(bytes) {
    return new Table(attempt(() => native.make('table', bytes)));
  }

  toIPC() {
    return attempt(() => held(this).native.ipc());
  }

  *rows() {
    for (let first = 0; first < this.numRows; first += ROWS) {
      yield* attempt(() => held(this).native.method('rows', { first, count: ROWS, named: true }));
    }
  }

  [Symbol.iterator]() {
    return this.rows();
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth, options, inspect) {
    return `Table ${inspect({ numRows: this.numRows, columns: this.columns }, options)}`;
  }
}

/** Codes as texts. */
function asTexts(_, value) {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}

exports.Table = Table;
