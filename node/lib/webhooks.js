'use strict';
// Webhooks on the receiving side. The core verifies requests; this file provides the JavaScript interface.

const { SondageError, named } = require('./error.js');
const { HookMethods } = require('./bases.js');
const { attempt, invalid, object, refuseUnknown } = require('./fail.js');
const { Guard } = require('./guard.js');
const { held } = require('./held.js');
const native = require('./native.js');
const { bytesOf, pairsOf, readUpTo } = require('./received.js');
const { StoreGuard } = require('./store_guard.js');

class Refused extends SondageError {
  static STATUS = 401;
  static code = 'Refused';
  code = 'Refused';

  constructor(reason, explanation) {
    super(`The request was refused (${reason}). ${explanation}`);
    this.reason = reason;
    this.explanation = explanation;
  }

  static again({ reason, explanation }) {
    return new Refused(reason, explanation);
  }
}

class Hook extends HookMethods {
  constructor(made) {
    if (!(made instanceof native.Handle)) throw invalid('a webhook is made by obscureUrl, basic, bearer, signedUrl or fromJSON');
    super(made);
  }

  /** The argument for the native addon. */
  static native(hook) {
    if (!(hook instanceof Hook)) throw invalid('`hook` is not a webhook: make one with obscureUrl, basic, bearer, signedUrl or fromJSON');
    return held(hook).native;
  }

  registration(base, eventType, entity = '*') {
    return attempt(() => held(this).native.method('registration', { base, eventType, entity: String(entity) }));
  }

  accepting(previous) {
    return new Hook(attempt(() => held(this).native.method('accepting', undefined, held(previous).native)));
  }

  read(from) {
    return readUpTo(this.largestBody, from);
  }

  verify(url, headers, body, { now, ...unknown } = {}) {
    refuseUnknown(unknown, 'now');
    const pairs = pairsOf(headers);
    // Lone surrogates do not occur in a genuine address or header.
    const request = { url: String(url).toWellFormed(), headers: pairs, body: bytesOf(body, pairs), now };
    const verdict = attempt(() => held(this).native.method('judge', request));
    if (verdict.verdict === 'accepted') return verdict.event;
    throw new Refused(verdict.reason, verdict.explanation);
  }

  settingsWithSecrets() {
    return JSON.parse(attempt(() => held(this).native.method('settings')));
  }

  // Called by JSON.stringify, and so by every logger that writes JSON.
  toJSON() {
    return { strategy: this.strategy };
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Hook(${this.strategy})`;
  }
}

function fromJSON(settings) {
  return new Hook(attempt(() => native.make('hook', JSON.stringify(settings) ?? 'null')));
}

const of = (strategy, settings) => fromJSON({ strategy: { strategy, ...settings } });

function obscureUrl(secret) {
  return secret === undefined ? new Hook(attempt(() => native.make('obscureHook'))) : of('obscureUrl', { secret });
}

exports.basic = (user, password) => of('basic', { user, password });
exports.bearer = (key, audience, options = {}) => of('bearer', { ...object(options, 'options'), key, audience });
exports.signedUrl = (key, options = {}) => of('signedUrl', { ...object(options, 'options'), key });
exports.azureSignedUrl = (key, resource, options = {}) => of('signedUrl', { ...object(options, 'options'), profile: 'azure', key, resource });
exports.obscureUrl = obscureUrl;
exports.fromJSON = fromJSON;
exports.Guard = Guard;
exports.Hook = Hook;
exports.StoreGuard = StoreGuard;
exports.Refused = named('Refused', Refused);
// It needs what is exported above.
Object.assign(exports, require('./receivers.js'));
