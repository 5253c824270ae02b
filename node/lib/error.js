'use strict';
// The base of all errors. The classes in `errors.js`, one for each kind, are generated from the core's list.

const { DETAILS } = require('./failure.js');

class SondageError extends Error {
  constructor(message, { cause, ...known } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, unknown] of Object.entries(DETAILS)) this[name] = known[name] ?? unknown;
  }

  // JSON.stringify omits an error's name and message.
  toJSON() {
    return { name: this.name, message: this.message, ...this };
  }

  static fromJSON(json) {
    const Class = KINDS.get(json?.code) ?? SondageError;
    return Class.again?.(json) ?? new Class(String(json?.message), { ...json, cause: undefined });
  }
}

/** The classes, by their code. */
const KINDS = new Map();

/** A class of errors under its name, which is written out, because minifiers rename classes. */
function named(name, Class) {
  Object.defineProperty(Class.prototype, 'name', { value: name, writable: true, configurable: true });
  if (Class.code) KINDS.set(Class.code, Class);
  return Class;
}

exports.SondageError = named('SondageError', SondageError);
exports.named = named;
