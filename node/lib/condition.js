'use strict';
// Filters. They are built as data here; the core checks them and compiles them to the conditions of a
// request.

const { isDate } = require('node:util').types;
const { Comparisons, VARIABLES } = require('./comparisons.js');
const { Expression } = require('./expression.js');

/** The left side of a comparison. Its methods are the comparisons. */
class Variable extends Comparisons {
  #test;

  constructor(test) {
    super();
    this.#test = test;
  }

  with(more) {
    return new Variable({ ...this.#test, ...more });
  }

  compare(operator, value) {
    const operand = Array.isArray(value) ? value.map(comparable) : comparable(value);
    return new Expression({ ...this.#test, operator, value: operand });
  }
}

function comparable(value) {
  return isDate(value) ? { time: value } : value;
}

function variable(type, identifier) {
  return new Variable({ type, identifier });
}

const named = ([name, type]) => [name, (identifier) => variable(type, identifier)];

exports.field = Object.assign(
  (name) => exports.field.panel(name),
  Object.fromEntries(Object.entries(VARIABLES).map(named)),
  { variable },
);
exports.Expression = Expression;
exports.Variable = Variable;
