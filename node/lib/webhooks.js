'use strict';
// Webhooks on the receiving side. The core judges; here is what makes it comfortable.

const { SondageError } = require('./error.js');
const { attempt, invalid } = require('./fail.js');
const { Guard } = require('./guard.js');
const native = require('./native.js');
const { bytesOf, pairsOf } = require('./received.js');

class Refused extends SondageError {
  static STATUS = 401;
  static code = 'Refused';
  code = 'Refused';

  constructor(reason, explanation) {
    super(`The request was refused (${reason}). ${explanation}`);
    this.reason = reason;
    this.explanation = explanation;
  }
}

class Hook {
  #native;

  constructor(made) {
    if (!(made instanceof native.NativeHook)) throw invalid('a webhook is made by obscureUrl, basic, bearer, signedUrl or fromJSON');
    this.#native = made;
  }

  get strategy() {
    return this.#native.strategy;
  }

  get securityToken() {
    return attempt(() => this.#native.token);
  }

  get ends() {
    return attempt(() => this.#native.ends());
  }

  url(base) {
    return attempt(() => this.#native.url(base));
  }

  registration(base, eventType, entity = '*') {
    const request = { eventType, entityIdentifier: String(entity), webHookUrl: this.url(base) };
    const securityToken = this.securityToken;
    return securityToken ? { ...request, securityToken } : request;
  }

  accepting(previous) {
    return new Hook(attempt(() => this.#native.accepting(previous.#native)));
  }

  forEvent(eventType) {
    return new Hook(attempt(() => this.#native.forEvent(eventType)));
  }

  maxBody(bytes) {
    return new Hook(attempt(() => this.#native.maxBody(bytes)));
  }

  verify(url, headers, body, { now } = {}) {
    const [names, values] = pairsOf(headers);
    const arrived = bytesOf(body, names, values);
    const verdict = attempt(() => this.#native.judge(String(url), names, values, arrived, now?.getTime()));
    if (verdict.verdict === 'accepted') return verdict.event;
    throw new Refused(verdict.reason, verdict.explanation);
  }

  toJSON() {
    return JSON.parse(attempt(() => this.#native.settings));
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Hook(${this.strategy})`;
  }
}

function fromJSON(settings) {
  return new Hook(attempt(() => new native.NativeHook(JSON.stringify(settings) ?? 'null')));
}

const of = (strategy, settings) => fromJSON({ strategy: { strategy, ...settings } });

function obscureUrl(secret) {
  return secret === undefined ? new Hook(attempt(() => native.NativeHook.obscure())) : of('obscureUrl', { secret });
}

exports.basic = (user, password) => of('basic', { user, password });
exports.bearer = (key, audience, options) => of('bearer', { ...options, key, audience });
exports.signedUrl = (key, options) => of('signedUrl', { ...options, key });
exports.azureSignedUrl = (key, resource, options) => of('signedUrl', { ...options, profile: 'azure', key, resource });
exports.obscureUrl = obscureUrl;
exports.fromJSON = fromJSON;
exports.Guard = Guard;
exports.Hook = Hook;
exports.Refused = Refused;
