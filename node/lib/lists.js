'use strict';
// Complete lists: read page by page when somebody asks for their rows.

const { attempt, perform } = require('./fail.js');
const { Table } = require('./table.js');

/** A list for `for await`. `open` begins to read it. */
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
      const page = await perform(() => list.next(), this.#signal, this.#cause);
      if (page === null) return;
      yield page;
    }
  }

  async *[Symbol.asyncIterator]() {
    for await (const page of this.pages()) yield* page;
  }

  async toArray() {
    const rows = [];
    for await (const page of this.pages()) rows.push(...page);
    return rows;
  }
}

/** A list for `for`, which blocks at each page. */
class BlockingList {
  #open;

  constructor(open) {
    this.#open = open;
  }

  *pages() {
    const list = attempt(this.#open);
    for (;;) {
      const page = attempt(() => list.next().wait());
      if (page === null) return;
      yield page;
    }
  }

  *[Symbol.iterator]() {
    for (const page of this.pages()) yield* page;
  }

  toArray() {
    return [...this];
  }
}

class Members extends List {
  #table;

  constructor(native, panelId, { signal, ...choices }, cause) {
    super(() => native.members({ ...choices, panelId }), { signal, cause });
    this.#table = async ({ labels, ...table }) => {
      const work = () => native.memberTable({ ...choices, ...table, panelId });
      return tableOf(await perform(work, signal, cause), labels);
    };
  }

  table(options = {}) {
    return this.#table(options);
  }
}

class BlockingMembers extends BlockingList {
  #table;

  constructor(native, panelId, choices) {
    super(() => native.members({ ...choices, panelId }));
    this.#table = ({ labels, ...table }) => {
      return tableOf(attempt(() => native.memberTable({ ...choices, ...table, panelId }).wait()), labels);
    };
  }

  table(options = {}) {
    return this.#table(options);
  }
}

/** Interviews: a table for each page, or all of them as one table. */
class Interviews {
  #list;
  #labels;
  #table;

  constructor(native, surveyId, { signal, labels, ...choices }, cause) {
    this.#list = new List(() => native.interviews({ ...choices, surveyId }), { signal, cause });
    this.#labels = labels;
    this.#table = () => perform(() => native.interviewTable({ ...choices, surveyId }), signal, cause);
  }

  async *[Symbol.asyncIterator]() {
    for await (const page of this.#list.pages()) yield tableOf(page, this.#labels);
  }

  async table() {
    return tableOf(await this.#table(), this.#labels);
  }
}

class BlockingInterviews {
  #list;
  #labels;
  #table;

  constructor(native, surveyId, { labels, ...choices }) {
    this.#list = new BlockingList(() => native.interviews({ ...choices, surveyId }));
    this.#labels = labels;
    this.#table = () => attempt(() => native.interviewTable({ ...choices, surveyId }).wait());
  }

  *[Symbol.iterator]() {
    for (const page of this.#list.pages()) yield tableOf(page, this.#labels);
  }

  table() {
    return tableOf(this.#table(), this.#labels);
  }
}

/** The table that the compiled part made, with the labels that were asked for. */
function tableOf(native, labels) {
  const table = new Table(native);
  return labels === undefined || labels === null || labels === false ? table : table.withLabels(labels);
}

exports.List = List;
exports.BlockingList = BlockingList;
exports.Members = Members;
exports.BlockingMembers = BlockingMembers;
exports.Interviews = Interviews;
exports.BlockingInterviews = BlockingInterviews;
