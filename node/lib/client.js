'use strict';
// The two clients. Their methods for operations are generated from the core's table, at the end of this file.

const { Expression } = require('./condition.js');
const { attempt, begun, invalid, object, perform } = require('./fail.js');
const { hold } = require('./held.js');
const { BlockingList, List } = require('./lists.js');
const { BlockingMethods, Methods } = require('./methods.js');
const native = require('./native.js');

const OPERATIONS = new Map(native.operationNames().map((name, number) => [name, number]));

/** How long `close` waits for writes, in milliseconds. */
const CLOSE_TIMEOUT = 30_000;

class Client extends Methods {
  #native;
  #closing = new AbortController();
  #provider = { error: undefined };
  #cause = () => this.#provider.error;

  constructor(options = {}) {
    super();
    // A login has made one, or another client.
    this.#native = options instanceof native.Handle ? options : this.#connected(object(options, 'options'));
    hold(this, this.#native, this.#cause);
  }

  #connected({ tokenProvider, ...settings }) {
    const ask = asking(tokenProvider, this.#closing.signal, this.#provider);
    return attempt(() => native.connect(settings, ask));
  }

  get config() {
    return { explain: () => explanation(this.#native) };
  }

  pages(operation, request = {}, { signal } = {}) {
    const place = number(operation);
    return new List(() => this.#native.pages(place, ready(request)), { signal, cause: this.#cause });
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

class BlockingClient extends BlockingMethods {
  #native;

  constructor(options = {}) {
    super();
    this.#native = options instanceof native.Handle ? options : this.#connected(object(options, 'options'));
    hold(this, this.#native);
  }

  #connected({ tokenProvider, ...settings }) {
    if (tokenProvider !== undefined) {
      throw invalid('a BlockingClient takes no tokenProvider: while it blocks, no JavaScript can run');
    }
    return attempt(() => native.connect(settings));
  }

  get config() {
    return { explain: () => explanation(this.#native) };
  }

  pages(operation, request = {}) {
    const place = number(operation);
    return new BlockingList(() => this.#native.pages(place, ready(request)));
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

/** The index of an operation in the table. */
function number(operation) {
  const number = OPERATIONS.get(operation);
  if (number === undefined) throw invalid(`${JSON.stringify(operation)} is no operation`);
  return number;
}

/** A request in which filters are replaced by conditions. */
function ready(request) {
  if (typeof request !== 'object' || request === null) return request;
  const filters = Object.entries(request).filter(([, value]) => value instanceof Expression);
  if (filters.length === 0) return request;
  return { ...request, ...Object.fromEntries(filters.map(([name, filter]) => [name, filter.compile()])) };
}

/** The work of reading the entity of an event from the API. */
function confirm(native, { raw, eventType }, columns = []) {
  return native.method('confirmEvent', { raw, name: eventType, columns });
}

/** The function that the native addon calls for tokens. It stores the exception of the caller's own function. */
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
