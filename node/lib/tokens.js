'use strict';
// Tokens from a function of the caller's.

const { invalid } = require('./fail.js');

/** The function that the compiled part asks for tokens. It keeps what the caller's own function threw. */
function asking(provider, signal, kept) {
  if (provider === undefined || provider === null) return undefined;
  if (typeof provider !== 'function') throw invalid('tokenProvider must be a function');
  return async () => {
    try {
      const token = await provider({ signal });
      if (typeof token !== 'string') throw new TypeError(`it gave ${token === null ? null : typeof token}, not a string`);
      kept.error = undefined;
      return token;
    } catch (error) {
      kept.error = error;
      throw new Error(String(error?.message ?? error));
    }
  };
}

exports.asking = asking;
