'use strict';
// The client. Its operations are those of the core's table.

const { attempt, begin, invalid, object, perform, refuseUnknown } = require('./fail.js');
const { held, hold } = require('./held.js');
const { List } = require('./lists.js');
const { Methods } = require('./methods.js');
const native = require('./native.js');
const { explanation, number, ready, whose, withOperations } = require('./request.js');
const { asking, keeping } = require('./tokens.js');

/** How long `close` waits for writes, in milliseconds. */
const CLOSE_TIMEOUT = 30_000;

/** The settings. What is in an object or a function does not matter: no setting is one. */
const plain = (settings) => Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, Object(value) === value ? {} : value]));

/** The native client. `provider` keeps the exception of the token provider. */
function connected({ tokenProvider, tokenStore, ...settings }, closing, provider) {
  const ask = asking(tokenProvider, closing.signal, provider);
  return attempt(() => native.connect(plain(settings), ask, keeping(tokenStore)));
}

async function call({ native, cause }, number, request, options) {
  if (options === undefined) return begin(native, number, ready(request), cause);
  const { signal, ...rest } = object(options, 'options');
  return perform(() => native.call(number, ready(request), rest), signal, cause);
}

class Client extends Methods {
  /** `parent`: the client whose tokens this one shares. */
  constructor(options = {}, parent = undefined) {
    super();
    const [closing, provider] = [new AbortController(), { error: undefined }];
    // Created by a login, or derived from another client.
    if (typeof options === 'string') throw invalid('options must be an object: write `new Client({ account: ... })`');
    const made = options instanceof native.Handle ? options : connected(object(options, 'options'), closing, provider);
    const shared = parent && held(parent);
    hold(this, made, shared?.cause ?? (() => provider.error), shared?.closing ?? closing);
  }

  get config() {
    return { explain: () => explanation(held(this).native) };
  }

  withOptions(options) {
    const { native, cause } = held(this);
    if (object(options, 'options').signal !== undefined) throw invalid('withOptions takes no signal: give it to each call');
    return new this.constructor(attempt(() => native.withOptions(options), cause), this);
  }

  pages(operation, request = {}, options = {}) {
    const { native, cause } = held(this);
    const { signal, ...rest } = object(options, 'options');
    const place = number(operation);
    return new List(() => native.withOptions(rest).pages(place, ready(request)), { signal, cause });
  }

  async withResponse(operation, request = {}, options = {}) {
    const { native, cause } = held(this);
    return call({ native: attempt(() => native.method('whole'), cause), cause }, number(operation), request, options);
  }

  async raw(path, body, options = {}) {
    const { native, cause } = held(this);
    const { effect, signal, ...rest } = object(options, 'options');
    return perform(() => native.withOptions(rest).method('raw', { path, body, effect }), signal, cause);
  }

  async confirmEvent(event, { columns = [], signal, ...unknown } = {}) {
    refuseUnknown(unknown, 'columns', 'signal');
    const { native, cause } = held(this);
    const { raw, eventType: name } = event;
    return perform(() => native.method('confirmEvent', { raw, name, columns }), signal, cause);
  }

  async close({ timeout = CLOSE_TIMEOUT, ...unknown } = {}) {
    refuseUnknown(unknown, 'timeout');
    const { native, closing } = held(this);
    closing.abort();
    return perform(() => native.method('close', timeout));
  }

  [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    return this.close();
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth, options, inspect) {
    return `${this.constructor.name} ${inspect(whose(held(this).native), options)}`;
  }

  static operation(number) {
    return async function (request = {}, options = undefined) {
      return call(held(this), number, request, options);
    };
  }
}

exports.Client = withOperations(Client);
