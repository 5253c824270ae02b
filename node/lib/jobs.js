'use strict';
// Work of many calls: members from rows, changes of members, documents in a folder.

const { attempt, made, perform } = require('./fail.js');
const { Table } = require('./table.js');

/** What became of the members of a plan. */
function reportOf(report) {
  return { ...report, stopped: made(report.stopped) };
}

/** The outcome of each row of `importMembers` or `createMembersFrom`, in the order of the rows. */
class ImportReport {
  #native;
  #text;

  constructor(native) {
    this.#native = native;
    const { text, total, stopped, ...facts } = attempt(() => native.method('facts'));
    this.#text = text;
    Object.assign(this, { length: total, ...facts, stopped: made(stopped) });
  }

  get rows() {
    return new Table(attempt(() => this.#native.method('rows')));
  }

  toString() {
    return this.#text;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#text;
  }
}

/** What became of an archive. */
function archiveOf({ failed, ...report }) {
  return { ...report, failed: failed.map(({ interview, error }) => ({ interview, error: made(error) })) };
}

class Plan {
  #native;
  #text;

  constructor(native) {
    this.#native = native;
    const { text, ...facts } = attempt(() => native.method('facts'));
    this.#text = text;
    Object.assign(this, facts);
  }

  get changes() {
    return new Table(attempt(() => this.#native.method('changes')));
  }

  toString() {
    return this.#text;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.#text;
  }
}

class PlannedMessage {
  constructor(native) {
    Object.assign(this, attempt(() => native.method('facts')));
  }

  toString() {
    return this.text;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return this.text;
  }
}

class MessagePlan extends PlannedMessage {
  #native;
  #cause;

  constructor(native, cause) {
    super(native);
    this.#native = native;
    this.#cause = cause;
  }

  async run({ confirm, signal } = {}) {
    return reportOf(await perform(() => this.#native.method('run', confirm), signal, this.#cause));
  }
}

class BlockingMessagePlan extends PlannedMessage {
  #native;

  constructor(native) {
    super(native);
    this.#native = native;
  }

  run({ confirm } = {}) {
    return reportOf(attempt(() => this.#native.method('run', confirm).wait()));
  }
}

class UpdatePlan extends Plan {
  #native;
  #cause;

  constructor(native, cause) {
    super(native);
    this.#native = native;
    this.#cause = cause;
  }

  async apply({ signal } = {}) {
    return reportOf(await perform(() => this.#native.method('apply'), signal, this.#cause));
  }
}

class BlockingUpdatePlan extends Plan {
  #native;

  constructor(native) {
    super(native);
    this.#native = native;
  }

  apply() {
    return reportOf(attempt(() => this.#native.method('apply').wait()));
  }
}

exports.BlockingMessagePlan = BlockingMessagePlan;
exports.MessagePlan = MessagePlan;
exports.ImportReport = ImportReport;
exports.BlockingUpdatePlan = BlockingUpdatePlan;
exports.UpdatePlan = UpdatePlan;
exports.archiveOf = archiveOf;
