'use strict';
// A person's login, by a browser or by an address that is pasted.

const { LoginMethods } = require('./bases.js');
const { attempt } = require('./fail.js');
const native = require('./native.js');

class Login extends LoginMethods {
  constructor(settings = {}) {
    super(attempt(() => native.make('login', settings)));
  }
}

exports.Login = Login;
