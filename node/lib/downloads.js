'use strict';
// The results of a query: a table, pages, a file, or an incremental load; with progress.

const { attempt, perform } = require('./fail.js');
const native = require('./native.js');
const { placeOf } = require('./place.js');
const { Table, word } = require('./table.js');

/** The interval at which a download is polled, in milliseconds. */
const EVERY = 100;

class Downloads {
  #query;
  #signal;
  #cause;
  #tell;

  constructor(query, { signal, cause, onProgress }) {
    this.#query = query;
    this.#signal = signal;
    this.#cause = cause;
    this.#tell = onProgress;
  }

  async table(labels) {
    return tableOf(await this.#watched((watch) => this.#query().method('table', undefined, watch)), labels);
  }

  async *pages() {
    const watch = newWatch();
    const pages = attempt(() => this.#query().method('batches', undefined, watch), this.#cause);
    for (;;) {
      const page = await this.#watched(() => pages.method('next'), watch);
      if (page === null) return;
      yield page;
    }
  }

  async toFile(path, { labels, format, resume, shared, spreadsheet }) {
    const file = placeOf(path);
    const kind = format ?? ending(file);
    const choices = { path: file, format: kind, labels: word(labels), resume, shared, spreadsheet };
    return this.#watched((watch) => this.#query().method('export', choices, watch));
  }

  async estimate() {
    return perform(() => this.#query().method('estimate'), this.#signal, this.#cause);
  }

  async delta(state, take, { labels, overlap, removed }) {
    const begin = (watch) => this.#query().method('delta', { state: placeOf(state), overlap, removed }, watch);
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

  async #watched(prepare, watch = newWatch()) {
    return watched(prepare, { signal: this.#signal, cause: this.#cause, onProgress: this.#tell }, watch);
  }
}

/** Waits for work, and calls `onProgress` on every change. An exception in `onProgress` ends the work. */
async function watched(prepare, { signal, cause, onProgress }, watch = newWatch()) {
  if (onProgress === undefined) return perform(() => prepare(watch), signal, cause);
  const stop = new AbortController();
  let last;
  const look = () => {
    const now = watch.method('now');
    const text = JSON.stringify(now);
    if (now === null || text === last) return;
    last = text;
    onProgress(now);
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      stop.abort(error);
    }
  }, EVERY);
  try {
    const signals = [stop.signal, signal].filter((each) => each !== undefined && each !== null);
    const result = await perform(() => prepare(watch), AbortSignal.any(signals), cause);
    look();
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Receives the progress of a download. */
function newWatch() {
  return native.make('watch');
}

/** `parquet` of `a/b.parquet`. */
function ending(path) {
  return /\.([^./\\]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** The table of the native addon, with the requested labels. */
function tableOf(native, labels) {
  const table = new Table(native);
  return labels === undefined || labels === null || labels === false ? table : table.withLabels(labels);
}

Object.assign(exports, { Downloads, ending, tableOf, watched });
