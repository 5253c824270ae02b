'use strict';
// A shorter way to create a member.

const { object } = require('./fail.js');

/** A member with these values. A number becomes a field of type `Number`, everything else a field of type `String`. */
exports.newMember = function newMember(values) {
  const field = ([name, value]) => {
    const fieldType = typeof value === 'number' || typeof value === 'bigint' ? 'Number' : 'String';
    return [name, { name, fieldType, value }];
  };
  return { fields: Object.fromEntries(Object.entries(object(values, 'the values')).map(field)) };
};
