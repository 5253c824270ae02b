'use strict';
// The values of the native addon, as values of the realm of this package. Jest, for one, runs each file of tests in a realm of its
// own, with its own `Date`, and the addon makes its values in the realm in which Node.js has started.

const { isDate } = require('node:util').types;
const native = require('./native.js');

const isForeign = !(native.operationNames() instanceof Array);

const TYPES = [Date, Array, Object].map((Class) => Class.prototype);

/** Makes dates, arrays and plain objects in a new value instances of this realm's classes. */
function adopt(value) {
  if (typeof value !== 'object' || value === null) return value;
  const [date, array, object] = TYPES;
  if (isDate(value)) return Object.setPrototypeOf(value, date);
  const before = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || (before !== null && Object.getPrototypeOf(before) === null);
  if (!isPlain || TYPES.includes(before)) return value;
  Object.values(value).forEach(adopt);
  return Object.setPrototypeOf(value, Array.isArray(value) ? array : object);
}

/** The value, which nobody else has seen yet. */
exports.own = isForeign ? adopt : (value) => value;
