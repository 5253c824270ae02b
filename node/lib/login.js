'use strict';
// A person's login, by a browser or by an address that is pasted.

const { LoginMethods } = require('./bases.js');
const { Client } = require('./client.js');
const { attempt, perform } = require('./fail.js');
const { held, hold } = require('./held.js');
const native = require('./native.js');

class Login extends LoginMethods {
  constructor(settings = {}) {
    super();
    hold(this, attempt(() => native.make('login', settings)));
  }

  async listen({ signal } = {}) {
    return new Client(await perform(() => held(this).native.method('listen'), signal));
  }

  async paste(address, { signal } = {}) {
    return new Client(await perform(() => held(this).native.method('paste', address), signal));
  }
}

exports.Login = Login;
