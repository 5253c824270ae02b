'use strict';
// The client. Its operations are those of the core's table.

const { attempt, begin, object, perform } = require('./fail.js');
const { hold } = require('./held.js');
const { List } = require('./lists.js');
const { Methods } = require('./methods.js');
const native = require('./native.js');
const { explanation, number, ready, withOperations } = require('./request.js');
const { asking, keeping } = require('./tokens.js');

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

  #connected({ tokenProvider, tokenStore, ...settings }) {
    const ask = asking(tokenProvider, this.#closing.signal, this.#provider);
    return attempt(() => native.connect(settings, ask, keeping(tokenStore)));
  }

  get config() {
    return { explain: () => explanation(this.#native) };
  }

  withOptions(options) {
    return new this.constructor(attempt(() => this.#native.withOptions(object(options, 'options')), this.#cause));
  }

  pages(operation, request = {}, { signal, ...options } = {}) {
    const place = number(operation);
    return new List(() => this.#native.withOptions(options).pages(place, ready(request)), { signal, cause: this.#cause });
  }

  async withResponse(operation, request = {}, options = {}) {
    return this.#call(number(operation), request, { ...options, whole: true });
  }

  async raw(path, body, { effect, signal, ...options } = {}) {
    return perform(() => this.#native.withOptions(options).method('raw', { path, body, effect }), signal, this.#cause);
  }

  async confirmEvent(event, { columns = [], signal } = {}) {
    const { raw, eventType: name } = event;
    return perform(() => this.#native.method('confirmEvent', { raw, name, columns }), signal, this.#cause);
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
    if (options === undefined) return begin(this.#native, number, ready(request), this.#cause);
    const { signal, ...rest } = object(options, 'options');
    return perform(() => this.#native.call(number, ready(request), rest), signal, this.#cause);
  }
}

exports.Client = withOperations(Client);
