'use strict';
// Complete lists: read page by page when their rows are requested.

const { Downloads, tableOf } = require('./downloads.js');
const { attempt, object, perform } = require('./fail.js');

/** A list for `for await`. `open` starts reading it. */
class List {
  #open;
  #signal;
  #cause;

  constructor(open, { signal, cause } = {}) {
    this.#open = open;
    this.#signal = signal;
    this.#cause = cause;
  }

  async *pages() {
    const list = attempt(this.#open, this.#cause);
    for (;;) {
      const page = await perform(() => list.method('next'), this.#signal, this.#cause);
      if (page === null) return;
      yield page;
    }
  }

  async *[Symbol.asyncIterator]() {
    for await (const page of this.pages()) {
      for (const row of page) {
        // After an abort, no further row is returned.
        this.#signal?.throwIfAborted();
        yield row;
      }
    }
  }

  /** A column for each field of the rows. */
  async table() {
    return tableOf(await perform(() => this.#open().method('table', 'wire'), this.#signal, this.#cause));
  }

  async toArray() {
    const rows = [];
    for await (const page of this.pages()) rows.push(...page);
    return rows;
  }
}

/** The options of a list without those of its calls, and the client that makes these calls. */
function split(native, { deadline, attempts, timeout, headers, ...choices }) {
  const ofCalls = Object.entries({ deadline, attempts, timeout, headers }).filter(([, value]) => value !== undefined);
  const client = ofCalls.length === 0 ? () => native : () => native.withOptions(Object.fromEntries(ofCalls));
  return [client, choices];
}

class Members extends List {
  #downloads;

  constructor(native, panelId, { signal, onProgress, ...options }, cause) {
    const [client, choices] = split(native, options);
    super(() => client().method('members', { ...choices, panelId }), { signal, cause });
    const query = (table) => client().method('memberTable', { ...choices, ...table, panelId });
    this.#downloads = (table, labels) => new Downloads(() => query(table), { labels, signal, cause, onProgress });
  }

  async table(options = {}) {
    const { labels, ...table } = object(options, 'options');
    return this.#downloads(table, labels).table();
  }

  async toFile(path, options = {}) {
    const { labels, format, resume, shared, spreadsheet, separator, decimal, bom, missing, weight, ...table } = object(options, 'options');
    return this.#downloads(table, labels).toFile(path, { format, resume, shared, spreadsheet, separator, decimal, bom, missing, weight });
  }

  async count() {
    return this.#downloads().count();
  }
}

/** Interviews: a table for each page, all of them as one table, a file, or only what is new. */
class Interviews extends Downloads {
  constructor(native, surveyId, { signal, labels, onProgress, ...options }, cause) {
    const [client, choices] = split(native, options);
    super(() => client().method('interviews', { ...choices, surveyId }), {
      labels,
      signal,
      cause,
      onProgress,
      name: `survey_${surveyId}`,
    });
  }

  async *rows() {
    for await (const table of this) yield* table.rows();
  }

  async toArray() {
    const rows = [];
    for await (const row of this.rows()) rows.push(row);
    return rows;
  }
}

exports.Interviews = Interviews;
exports.List = List;
exports.Members = Members;
