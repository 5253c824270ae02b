'use strict';
// The handling of operation names and requests that both clients share.

const { Expression } = require('./expression.js');
const { attempt, invalid, object } = require('./fail.js');
const native = require('./native.js');

const OPERATIONS = new Map(native.operationNames().map((name, number) => [name, number]));

/** A client's class with a method for each operation. */
function withOperations(Class) {
  for (const [name, number] of OPERATIONS) {
    const method = Class.operation(number);
    Object.defineProperty(method, 'name', { value: name });
    Object.defineProperty(Class.prototype, name, { value: method, writable: true, configurable: true });
  }
  delete Class.operation;
  return Class;
}

/** The index of an operation in the table. */
function number(operation) {
  const number = OPERATIONS.get(operation);
  if (number === undefined) throw invalid(`${JSON.stringify(operation)} is no operation`);
  return number;
}

/** A request with its filters written as conditions. */
function ready(request) {
  if (typeof request !== 'object' || request === null) return request;
  const filters = Object.entries(request).filter(([, value]) => value instanceof Expression);
  if (filters.length === 0) return request;
  return { ...object(request, 'the request'), ...Object.fromEntries(filters.map(([name, filter]) => [name, filter.compile()])) };
}

/** The settings of a client as a list that prints as a table. */
function explanation(client) {
  const { settings, text } = attempt(() => client.method('explain'));
  return Object.defineProperty(settings, 'toString', { value: () => text });
}

/** The account of a client, for `inspect`. */
function whose(client) {
  const known = new Map(explanation(client).map(({ setting, value }) => [setting, value]));
  return { tenant: known.get('tenant') ?? undefined, baseUrl: known.get('baseUrl') ?? undefined };
}

Object.assign(exports, { explanation, number, ready, whose, withOperations });
