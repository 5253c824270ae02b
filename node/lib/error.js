'use strict';
// The base of all errors. The classes in `errors.js`, one for each kind, are generated from the core's list.

/** The details of an error in addition to its message. */
const FIELDS = {
  operation: null,
  attempts: 0,
  status: null,
  errorCode: null,
  errorMessage: null,
  requestId: null,
  delivery: 'no',
  safeToRetry: false,
  retryAfter: null,
  hint: null,
  reconcile: null,
  writeId: null,
};

class SondageError extends Error {
  constructor(message, { cause, ...known } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    for (const [name, unknown] of Object.entries(FIELDS)) this[name] = known[name] ?? unknown;
  }
}

/** A class of errors under its name, which is written out, because minifiers rename classes. */
function named(name, Class) {
  Object.defineProperty(Class.prototype, 'name', { value: name, writable: true, configurable: true });
  return Class;
}

exports.SondageError = named('SondageError', SondageError);
exports.named = named;
