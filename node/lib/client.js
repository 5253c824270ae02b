'use strict';
// The two clients. The operations get their methods from the core's table, at the end of this file.

const { Expression } = require('./condition.js');
const { watched } = require('./downloads.js');
const { attempt, begun, invalid, perform } = require('./fail.js');
const { Guard } = require('./guard.js');
const {
  BlockingMessagePlan,
  BlockingUpdatePlan,
  ImportReport,
  MessagePlan,
  UpdatePlan,
  archiveOf,
} = require('./jobs.js');
const { BlockingInterviews, BlockingList, BlockingMembers, Interviews, List, Members } = require('./lists.js');
const native = require('./native.js');
const { placeIf, placeOf } = require('./place.js');
const { rowsOf } = require('./rows.js');

const OPERATIONS = new Map(native.operationNames().map((name, number) => [name, number]));

/** How long `close` waits for writes, in milliseconds. */
const CLOSE_TIMEOUT = 30_000;

class Client {
  #native;
  #closing = new AbortController();
  #provider = { error: undefined };
  #cause = () => this.#provider.error;

  constructor(options = {}) {
    if (options instanceof native.Handle) {
      // From a login, which has made it.
      this.#native = options;
      return;
    }
    const { tokenProvider, ...settings } = object(options, 'options');
    const ask = asking(tokenProvider, this.#closing.signal, this.#provider);
    this.#native = attempt(() => native.connect(settings, ask));
  }

  get config() {
    return { explain: () => explanation(this.#native) };
  }

  members(panelId, options = {}) {
    return new Members(this.#native, panelId, object(options, 'options'), this.#cause);
  }

  interviews(surveyId, options = {}) {
    return new Interviews(this.#native, surveyId, object(options, 'options'), this.#cause);
  }

  pages(operation, request = {}, { signal } = {}) {
    const place = number(operation);
    return new List(() => this.#native.pages(place, ready(request)), { signal, cause: this.#cause });
  }

  async createMembersFrom(panelId, rows, { chunkSize, signal } = {}) {
    const create = () => this.#native.method('createMembersFrom', { panelId, chunkSize, rows: rowsOf(rows) });
    return new ImportReport(await perform(create, signal, this.#cause));
  }

  async importMembers(panelId, rows, options) {
    const { signal, ...choices } = object(options, 'options');
    choices.journal = placeIf(choices.journal);
    const run = () => this.#native.method('importMembers', { ...choices, panelId, rows: rowsOf(rows) });
    return new ImportReport(await perform(run, signal, this.#cause));
  }

  async planUpdate(panelId, rows, options) {
    const { signal, ...choices } = object(options, 'options');
    const plan = () => this.#native.method('planUpdate', { ...choices, panelId, rows: rowsOf(rows) });
    return new UpdatePlan(await perform(plan, signal, this.#cause), this.#cause);
  }

  async planInvite(options) {
    const { signal, ...choices } = object(options, 'options');
    const plan = () => this.#native.method('planInvite', { ...choices });
    return new MessagePlan(await perform(plan, signal, this.#cause), this.#cause);
  }

  async planRemind(options) {
    const { signal, ...choices } = object(options, 'options');
    const plan = () => this.#native.method('planRemind', { ...choices });
    return new MessagePlan(await perform(plan, signal, this.#cause), this.#cause);
  }

  async fieldReport(surveyId, options = {}) {
    const { signal, ...choices } = object(options, 'options');
    const count = () => this.#native.method('fieldReport', { ...choices, surveyId });
    return perform(count, signal, this.#cause);
  }

  async archiveAnswers(surveyId, folder, options = {}) {
    const { signal, onProgress, ...choices } = object(options, 'options');
    const given = { ...choices, surveyId, folder: placeOf(folder) };
    const archive = (watch) => this.#native.method('archiveAnswers', given, watch);
    return archiveOf(await watched(archive, { signal, onProgress, cause: this.#cause }));
  }

  async withResponse(operation, request = {}, options = {}) {
    return this.#call(number(operation), request, { ...options, whole: true });
  }

  async raw(path, body, { effect, signal, ...options } = {}) {
    return perform(() => this.#native.withOptions(options).method('raw', { path, body, effect }), signal, this.#cause);
  }

  async confirmEvent(event, { columns, signal } = {}) {
    return perform(() => confirm(this.#native, event, columns), signal, this.#cause);
  }

  async missedEvents(surveyId, { since, columns, unknownTo, signal } = {}) {
    const lost = { surveyId, since, columns };
    return perform(() => this.#native.method('missedEvents', lost, Guard.native(unknownTo)), signal, this.#cause);
  }

  pendingWrites() {
    return attempt(() => this.#native.method('pendingWrites'));
  }

  async logout({ signal } = {}) {
    await perform(() => this.#native.method('logout'), signal, this.#cause);
  }

  async close({ timeout = CLOSE_TIMEOUT } = {}) {
    this.#closing.abort();
    return perform(() => this.#native.method('close', timeout));
  }

  [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    return this.close();
  }

  static operation(number) {
    return async function (request = {}, options = undefined) {
      return this.#call(number, request, options);
    };
  }

  async #call(number, request, options) {
    if (options === undefined) return begun(() => this.#native.start(number, ready(request)), this.#cause);
    const { signal, ...rest } = object(options, 'options');
    return perform(() => this.#native.call(number, ready(request), rest), signal, this.#cause);
  }
}

class BlockingClient {
  #native;

  constructor(options = {}) {
    const { tokenProvider, ...settings } = object(options, 'options');
    if (tokenProvider !== undefined) {
      throw invalid('a BlockingClient takes no tokenProvider: while it blocks, no JavaScript runs that could answer');
    }
    this.#native = attempt(() => native.connect(settings));
  }

  get config() {
    return { explain: () => explanation(this.#native) };
  }

  members(panelId, options = {}) {
    return new BlockingMembers(this.#native, panelId, object(options, 'options'));
  }

  interviews(surveyId, options = {}) {
    return new BlockingInterviews(this.#native, surveyId, object(options, 'options'));
  }

  pages(operation, request = {}) {
    const place = number(operation);
    return new BlockingList(() => this.#native.pages(place, ready(request)));
  }

  createMembersFrom(panelId, rows, { chunkSize } = {}) {
    return new ImportReport(attempt(() => this.#native.method('createMembersFrom', { panelId, chunkSize, rows: rowsOf(rows) }).wait()));
  }

  importMembers(panelId, rows, options) {
    const choices = { ...object(options, 'options'), panelId };
    choices.journal = placeIf(choices.journal);
    return new ImportReport(attempt(() => this.#native.method('importMembers', { ...choices, rows: rowsOf(rows) }).wait()));
  }

  planUpdate(panelId, rows, options) {
    const choices = { ...object(options, 'options'), panelId };
    return new BlockingUpdatePlan(attempt(() => this.#native.method('planUpdate', { ...choices, rows: rowsOf(rows) }).wait()));
  }

  planInvite(options) {
    const choices = object(options, 'options');
    return new BlockingMessagePlan(attempt(() => this.#native.method('planInvite', { ...choices }).wait()));
  }

  planRemind(options) {
    const choices = object(options, 'options');
    return new BlockingMessagePlan(attempt(() => this.#native.method('planRemind', { ...choices }).wait()));
  }

  fieldReport(surveyId, options = {}) {
    const choices = { ...object(options, 'options'), surveyId };
    return attempt(() => this.#native.method('fieldReport', { ...choices }).wait());
  }

  archiveAnswers(surveyId, folder, options = {}) {
    const given = { ...object(options, 'options'), surveyId, folder: placeOf(folder) };
    return archiveOf(attempt(() => this.#native.method('archiveAnswers', given).wait()));
  }

  withResponse(operation, request = {}, options = {}) {
    return this.#call(number(operation), request, { ...options, whole: true });
  }

  raw(path, body, { effect, ...options } = {}) {
    return attempt(() => this.#native.withOptions(options).method('raw', { path, body, effect }).wait());
  }

  confirmEvent(event, { columns } = {}) {
    return attempt(() => confirm(this.#native, event, columns).wait());
  }

  missedEvents(surveyId, { since, columns, unknownTo } = {}) {
    const lost = { surveyId, since, columns };
    return attempt(() => this.#native.method('missedEvents', lost, Guard.native(unknownTo)).wait());
  }

  pendingWrites() {
    return attempt(() => this.#native.method('pendingWrites'));
  }

  logout() {
    attempt(() => this.#native.method('logout').wait());
  }

  close({ timeout = CLOSE_TIMEOUT } = {}) {
    return attempt(() => this.#native.method('close', timeout).wait());
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.close();
  }

  static operation(number) {
    return function (request = {}, options = {}) {
      return this.#call(number, request, object(options, 'options'));
    };
  }

  #call(number, request, options) {
    return attempt(() => this.#native.call(number, ready(request), options).wait());
  }
}

for (const Class of [Client, BlockingClient]) {
  for (const [name, number] of OPERATIONS) {
    const method = Class.operation(number);
    Object.defineProperty(method, 'name', { value: name });
    Object.defineProperty(Class.prototype, name, { value: method, writable: true, configurable: true });
  }
  delete Class.operation;
}

/** The place of an operation in the table. */
function number(operation) {
  const number = OPERATIONS.get(operation);
  if (number === undefined) throw invalid(`${JSON.stringify(operation)} is no operation`);
  return number;
}

/** A request with its filters written as conditions. */
function ready(request) {
  if (typeof request !== 'object' || request === null) return request;
  const filters = Object.entries(request).filter(([, value]) => value instanceof Expression);
  if (filters.length === 0) return request;
  return { ...request, ...Object.fromEntries(filters.map(([name, filter]) => [name, filter.compile()])) };
}

/** The work of reading the entity of an event again. */
function confirm(native, { raw, eventType }, columns = []) {
  return native.method('confirmEvent', { raw, name: eventType, columns });
}

function object(value, name) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${name} must be an object`);
  return value;
}

/** The function that the compiled part asks for tokens. It keeps what the caller's own function threw. */
function asking(provider, signal, kept) {
  if (provider === undefined || provider === null) return undefined;
  if (typeof provider !== 'function') throw invalid('tokenProvider must be a function');
  return async () => {
    try {
      const token = await provider({ signal });
      if (typeof token !== 'string') throw new TypeError(`it gave ${token === null ? null : typeof token}, not a string`);
      kept.error = undefined;
      return token;
    } catch (error) {
      kept.error = error;
      throw new Error(String(error?.message ?? error));
    }
  };
}

function explanation(client) {
  const { settings, text } = attempt(() => client.method('explain'));
  return Object.defineProperty(settings, 'toString', { value: () => text });
}

exports.Client = Client;
exports.BlockingClient = BlockingClient;
