'use strict';
// The native object behind an object of this package. Its symbol is not enumerable, so that no logger prints it, and a
// `Proxy` around the object passes it on.

const { invalid } = require('./fail.js');

const HELD = Symbol('sondage');

/** Stores the native object. `cause`: returns the exception of the caller's token provider; `closing`: cancels its work. */
exports.hold = (object, native, cause, closing) => Object.defineProperty(object, HELD, { value: { native, cause, closing } });

/** The native object. A method that was taken off its object has none. */
exports.held = (object) => {
  const found = object?.[HELD];
  if (found === undefined) throw invalid('this method was called without its object: write `client.readPanel(...)`, or pass `(...all) => client.readPanel(...all)` on');
  return found;
};
