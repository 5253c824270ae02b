'use strict';
// Ids of one type, for programs that calculate with them, sort by them or write them as JSON.

const { invalid } = require('./fail.js');

const NAMED = /^ids?$|Ids?$/;

const TYPES = { number: Number, bigint: BigInt, string: String };

const isPlain = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** A copy whose ids are of one type. */
exports.idsAs = function idsAs(value, type) {
  if (!Object.hasOwn(TYPES, type)) throw invalid("ids are of the type 'number', 'bigint' or 'string'");
  const id = (found, path) => {
    if (type === 'number' && !Number.isSafeInteger(Number(found))) {
      throw invalid(`${path} is ${found}, which a number cannot hold without losing digits: take 'bigint' or 'string'`);
    }
    return TYPES[type](found);
  };
  const copy = (found, name, path) => {
    if (typeof found === 'bigint' || Number.isInteger(found)) return NAMED.test(name) ? id(found, path) : found;
    if (Array.isArray(found)) return found.map((each, index) => copy(each, name, `${path}[${index}]`));
    if (typeof found !== 'object' || found === null || !isPlain(found)) return found;
    return Object.fromEntries(Object.entries(found).map(([key, each]) => [key, copy(each, key, `${path}.${key}`)]));
  };
  return copy(value, '', 'value');
};
