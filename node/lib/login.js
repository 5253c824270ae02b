'use strict';
// A person's login, by a browser or by an address that is pasted.

const { LoginMethods } = require('./bases.js');
const { attempt, invalid, object } = require('./fail.js');
const native = require('./native.js');

class Login extends LoginMethods {
  constructor(settings = {}) {
    super(attempt(() => native.make('login', settings)));
  }

  static resume(saved, settings = {}) {
    if (typeof saved !== 'string') throw invalid('saved must be the text that `login.saved()` returned');
    return new Login({ ...object(settings, 'options'), saved });
  }
}

exports.Login = Login;
