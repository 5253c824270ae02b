'use strict';
// A token provider and a token store of the caller.

const { invalid } = require('./fail.js');

/** The function that the native addon calls for tokens. It keeps the exception of the caller's function. */
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

/** The function that the native addon calls to load, save and forget tokens. */
function keeping(store) {
  if (store === undefined || store === null) return undefined;
  const missing = ['load', 'save', 'forget'].find((name) => typeof store[name] !== 'function');
  if (missing !== undefined) throw invalid(`tokenStore has no function \`${missing}\`: it needs load, save and forget`);
  return async (what, key, tokens) => {
    if (what !== 'load') return void (await (what === 'save' ? store.save(key, tokens) : store.forget(key)));
    const text = (await store.load(key)) ?? undefined;
    if (text !== undefined && typeof text !== 'string') throw new TypeError(`tokenStore.load gave ${typeof text}, not a string`);
    return text;
  };
}

Object.assign(exports, { asking, keeping });
