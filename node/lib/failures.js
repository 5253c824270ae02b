'use strict';
// Exceptions of the caller's code, kept until the error that they cause is made.

/** The maximum number that is kept: exceptions in reports are never requested. */
const KEPT = 16;

const kept = new Map();
let last = 0;

/** Keeps an exception, and returns its number. */
exports.keep = (error) => {
  last += 1;
  kept.set(last, error);
  kept.delete(last - KEPT);
  return last;
};

/** Returns the exception with this number, and forgets it. */
exports.taken = (number) => {
  const error = kept.get(number);
  kept.delete(number);
  return error;
};
