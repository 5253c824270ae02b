'use strict';
// The native object behind an object of this package. It is private, and no logger prints it.

const HELD = new WeakMap();

/** Stores the native object. `cause`: returns the exception of the caller's token provider. */
exports.hold = (object, native, cause) => HELD.set(object, { native, cause });

/** The native object. */
exports.held = (object) => HELD.get(object);
