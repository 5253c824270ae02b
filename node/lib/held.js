'use strict';
// What an object of ours holds of the compiled part. Nobody else sees it, and no logger prints it.

const HELD = new WeakMap();

/** Keeps the compiled part of an object. `cause`: gives what the caller's token provider threw. */
exports.hold = (object, native, cause) => HELD.set(object, { native, cause });

/** The compiled part of an object. */
exports.held = (object) => HELD.get(object);
