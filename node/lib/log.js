'use strict';
// Forwards the library's log to a logger of the caller.

const { invalid, refuseUnknown } = require('./fail.js');
const native = require('./native.js');

const LEVELS = ['error', 'warn', 'info', 'debug'];

exports.logTo = function logTo(logger, { level = 'info', ...unknown } = {}) {
  refuseUnknown(unknown, 'level');
  if (!LEVELS.includes(level)) throw invalid(`level must be one of ${LEVELS.join(', ')}`);
  if (logger === undefined || logger === null) return native.logTo(undefined, level);
  const missing = LEVELS.find((name) => typeof logger[name] !== 'function');
  const takes = typeof logger === 'function';
  if (!takes && missing !== undefined) throw invalid(`the logger has no function \`${missing}\`: give a function, or an object like console`);
  return native.logTo((severity, target, message) => {
    try {
      const logged = takes ? logger({ level: severity, target, message }) : logger[severity](`${target}: ${message}`);
      logged?.then?.(undefined, () => {});
    } catch {
      // An exception of the logger, or its rejected promise, must not affect the call.
    }
  }, level);
};
