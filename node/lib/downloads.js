'use strict';
// The results of a query: a table, pages, a file, or an incremental load; with progress.

const { attempt, object, perform, refuseUnknown } = require('./fail.js');
const { word } = require('./labels.js');
const { placeOf } = require('./place.js');
const { tableIn } = require('./sync.js');
const { crosstabOf, frequenciesOf, qualityOf } = require('./reports.js');
const { Table } = require('./table.js');
const { newWatch, watched } = require('./watch.js');

/** The table for a native table, with the requested labels. */
function tableOf(native, labels) {
  const table = new Table(native);
  return labels === undefined || labels === null || labels === false ? table : table.withLabels(labels);
}

class Downloads {
  #query;
  #labels;
  #signal;
  #cause;
  #tell;
  #name;

  constructor(query, { labels, signal, cause, onProgress, name }) {
    this.#query = query;
    this.#labels = labels;
    this.#signal = signal;
    this.#cause = cause;
    this.#tell = onProgress;
    this.#name = name;
  }

  async *[Symbol.asyncIterator]() {
    const watch = newWatch();
    const pages = attempt(() => this.#query().method('batches', undefined, watch), this.#cause);
    for (;;) {
      const page = await this.#watched(() => pages.method('next'), watch);
      if (page === null) return;
      yield tableOf(page, this.#labels);
    }
  }

  async table() {
    return tableOf(await this.#watched((watch) => this.#query().method('table', undefined, watch)), this.#labels);
  }

  async toFile(path, options = {}) {
    const { labels = this.#labels, ...others } = object(options, 'options');
    const choices = { ...others, path: placeOf(path), labels: word(labels) };
    return this.#watched((watch) => this.#query().method('export', choices, watch));
  }

  async frequencies(variable, options = {}) {
    const { weight, missing, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'weight', 'missing');
    const choices = { variable, weight, missing };
    return frequenciesOf(await this.#watched((watch) => this.#query().method('frequencies', choices, watch)));
  }

  async crosstab(variable, options) {
    const { by, weight, show, missing, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'by', 'weight', 'show', 'missing');
    const choices = { variable, by, weight, show, missing };
    return crosstabOf(await this.#watched((watch) => this.#query().method('crosstab', choices, watch)));
  }

  async quality(options = {}) {
    const { duration, speederPercent, matrixRows, textLength, notAvailablePercent, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'duration', 'speederPercent', 'matrixRows', 'textLength', 'notAvailablePercent');
    const choices = { duration, speederPercent, matrixRows, textLength, notAvailablePercent };
    return qualityOf(await this.#watched((watch) => this.#query().method('quality', choices, watch)));
  }

  async estimate() {
    return perform(() => this.#query().method('estimate'), this.#signal, this.#cause);
  }

  async count() {
    return perform(() => this.#query().method('count'), this.#signal, this.#cause);
  }

  async head(rows = 5) {
    return tableOf(await perform(() => this.#query().method('head', rows), this.#signal, this.#cause), this.#labels);
  }

  async delta(state, take, options = {}) {
    const { labels = this.#labels, ...others } = object(options, 'options');
    const begin = (watch) => this.#query().method('delta', { ...others, state: placeOf(state) }, watch);
    const load = await this.#watched(begin);
    try {
      const table = tableOf(attempt(() => load.method('table')), labels);
      const taken = await take({ table, removed: load.method('removed'), progress: load.method('progress') });
      attempt(() => load.method('commit'));
      return taken;
    } finally {
      load.method('drop');
    }
  }

  async sync(store, options = {}) {
    const { table, ...choices } = object(options, 'options');
    const database = tableIn(store, table, this.#name);
    if (database === undefined) {
      return this.#watched((watch) => this.#query().method('sync', { ...choices, path: placeOf(store) }, watch));
    }
    const { evolve, overlap, ...unknown } = choices;
    refuseUnknown(unknown, 'table', 'evolve', 'overlap');
    const begun = performance.now();
    const { state, ids, columns } = await database.read();
    const how = { store: database.name, format: 'jsonl', state, ids, columns, evolve, overlap };
    const changes = await this.#watched((watch) => this.#query().method('changeSet', how, watch));
    try {
      const facts = attempt(() => changes.method('facts'));
      await database.write(facts);
      return { ...facts.report, took: performance.now() - begun };
    } finally {
      changes.method('drop');
    }
  }

  async #watched(prepare, watch = newWatch()) {
    return watched(prepare, { signal: this.#signal, cause: this.#cause, onProgress: this.#tell }, watch);
  }
}

exports.Downloads = Downloads;
exports.tableOf = tableOf;
