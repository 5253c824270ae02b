'use strict';
// Tokens in the keyring of the system.

const { refuseUnknown } = require('./fail.js');

class KeyringStore {
  #entry;

  constructor({ service = 'sondage', ...unknown } = {}) {
    refuseUnknown(unknown, 'service');
    let AsyncEntry;
    try {
      ({ AsyncEntry } = require('@napi-rs/keyring'));
    } catch (cause) {
      throw new Error('KeyringStore needs @napi-rs/keyring, which is not installed: npm install @napi-rs/keyring', { cause });
    }
    this.#entry = (key) => new AsyncEntry(service, key);
  }

  load(key) {
    return this.#entry(key).getPassword();
  }

  save(key, tokens) {
    return this.#entry(key).setPassword(tokens);
  }

  async forget(key) {
    if (await this.load(key)) await this.#entry(key).deletePassword();
  }
}

exports.KeyringStore = KeyringStore;
