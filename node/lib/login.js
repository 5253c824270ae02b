'use strict';
// A person's login, by a browser or by an address that is pasted.

const { Client } = require('./client.js');
const { attempt, perform } = require('./fail.js');
const native = require('./native.js');

class Login {
  #native;

  constructor(settings = {}) {
    this.#native = attempt(() => native.make('login', settings));
  }

  get url() {
    return this.#native.method('url');
  }

  get canListen() {
    return this.#native.method('canListen');
  }

  async listen({ signal } = {}) {
    return new Client(await perform(() => this.#native.method('listen'), signal));
  }

  async paste(address, { signal } = {}) {
    return new Client(await perform(() => this.#native.method('paste', address), signal));
  }
}

exports.Login = Login;
