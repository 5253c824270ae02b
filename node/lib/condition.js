'use strict';
// Filters. They are built as data here; the core checks them and compiles them to the conditions of a
// request.

const { attempt, invalid } = require('./fail.js');
const native = require('./native.js');

/** One test, or several that are joined. Its own properties are the data for the core. */
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
}

/** A variable that a condition can compare. Its methods are the comparisons. */
class Variable {
  #test;

  constructor(test) {
    this.#test = test;
  }

  prefixed() {
    return new Variable({ ...this.#test, form: 'prefixed' });
  }

  bare() {
    return new Variable({ ...this.#test, form: 'bare' });
  }

  ofType(variableType) {
    return new Variable({ ...this.#test, variableType });
  }

  atJsonPath(jsonPath) {
    return new Variable({ ...this.#test, jsonPath });
  }

  compare(operator, value) {
    const operand = Array.isArray(value) ? value.map(comparable) : comparable(value);
    return new Expression({ ...this.#test, operator, value: operand });
  }

  isIn(values) {
    return this.anyIsEqual(values);
  }

  isNotIn(values) {
    return new Expression({ and: list(values).map((value) => this.isNotEqualTo(value)) });
  }

  isAfter(time) {
    return this.isGreaterThan(time);
  }

  isSince(time) {
    return this.isGreaterThanOrEqualTo(time);
  }

  isBefore(time) {
    return this.isLessThan(time);
  }

  isUntil(time) {
    return this.isLessThanOrEqualTo(time);
  }
}

/** The comparisons and the API's operators: with one value, with a list, with nothing. */
const COMPARISONS = {
  one: {
    isLessThan: 'IsLessThan',
    isLessThanOrEqualTo: 'IsLessThanOrEqualTo',
    isGreaterThan: 'IsGreaterThan',
    isGreaterThanOrEqualTo: 'IsGreaterThanOrEqualTo',
    isEqualTo: 'IsEqualTo',
    isNotEqualTo: 'IsNotEqualTo',
    contains: 'Contains',
    doesNotContain: 'DoesNotContain',
    matches: 'MatchRegex',
    doesNotMatch: 'DoesNotMatchRegex',
  },
  many: {
    anyIsEqual: 'AnyIsEqual',
    anyIsNotEqual: 'AnyIsNotEqual',
    anyMatches: 'AnyMatchRegex',
    anyDoesNotMatch: 'AnyDoesNotMatchRegex',
  },
  nothing: {
    isEmpty: 'IsEmpty',
    isNotEmpty: 'IsNotEmpty',
    anyIsEmpty: 'AnyIsEmpty',
    anyIsNotEmpty: 'AnyIsNotEmpty',
  },
};

const COMPARE = {
  one: (operator) =>
    function (value) {
      return this.compare(operator, value);
    },
  many: (operator) =>
    function (values) {
      return this.compare(operator, list(values));
    },
  nothing: (operator) =>
    function () {
      return this.compare(operator, undefined);
    },
};

for (const [takes, methods] of Object.entries(COMPARISONS)) {
  for (const [name, operator] of Object.entries(methods)) {
    Object.defineProperty(Variable.prototype, name, { value: COMPARE[takes](operator), writable: true, configurable: true });
  }
}

function comparable(value) {
  return value instanceof Date ? { time: value } : value;
}

function list(values) {
  if (typeof values === 'string' || typeof values?.[Symbol.iterator] !== 'function') {
    throw invalid('the values to compare with must be an array');
  }
  return [...values];
}

function variable(type, identifier) {
  return new Variable({ type, identifier });
}

const looksAt = (type) => (identifier) => variable(type, identifier);

exports.field = Object.assign((name) => variable('Panel', name), {
  panel: looksAt('Panel'),
  question: looksAt('Question'),
  custom: looksAt('CustomVariable'),
  url: looksAt('UrlVariable'),
  column: looksAt('SQL'),
  variable,
});
exports.Expression = Expression;
exports.Variable = Variable;
