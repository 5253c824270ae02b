'use strict';
// A person's login, by a browser or by an address that is pasted.

const { Client } = require('./client.js');
const { attempt, perform } = require('./fail.js');
const native = require('./native.js');

class Login {
  #native;

  constructor({ redirect, ...settings } = {}) {
    this.#native = attempt(() => new native.NativeLogin(settings, redirect));
  }

  get url() {
    return this.#native.url;
  }

  get canListen() {
    return this.#native.canListen;
  }

  async listen({ signal } = {}) {
    return new Client(await perform(() => this.#native.listen(), signal));
  }

  async paste(address, { signal } = {}) {
    return new Client(await perform(() => this.#native.paste(address), signal));
  }
}

exports.Login = Login;
