'use strict';
// One test, or tests that are joined: data that the core compiles to the conditions of a request.

const { attempt, invalid } = require('./fail.js');
const native = require('./native.js');

/** One test, or tests that are joined. Its own properties are the data that the core reads. */
class Expression {
  constructor(data) {
    Object.assign(this, data);
  }

  and(...others) {
    return new Expression({ and: [this, ...others] });
  }

  or(...others) {
    return new Expression({ or: [this, ...others] });
  }

  not() {
    return new Expression({ not: this });
  }

  compile() {
    return attempt(() => native.make('compile', this));
  }

  toString() {
    return attempt(() => native.make('filterText', this));
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Expression ${this}`;
  }
}

/** A test for each value, all of which have to hold. */
function each(variable, operator, values) {
  return new Expression({ and: values.map((value) => variable.compare(operator, value)) });
}

function list(values) {
  if (typeof values === 'string' || typeof values?.[Symbol.iterator] !== 'function') {
    throw invalid('the values to compare with must be an array');
  }
  return [...values];
}

Object.assign(exports, { Expression, each, list });
