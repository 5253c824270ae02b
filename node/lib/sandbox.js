'use strict';
// A sandbox in this process.

const { BlockingClient } = require('./blocking_client.js');
const { Client } = require('./client.js');
const { Deliveries } = require('./deliveries.js');
const { attempt, invalid } = require('./fail.js');
const native = require('./native.js');

class Sandbox {
  #native;
  #key;

  static async demo(settings = {}) {
    return new Sandbox(settings);
  }

  constructor(settings = {}) {
    this.#native = attempt(() => native.make('sandbox', settings));
    const { control_key: key, ...facts } = attempt(() => this.#native.method('facts'));
    this.#key = key;
    for (const [name, value] of Object.entries(facts)) this[camel(name)] = value;
    this.deliveries = new Deliveries((...asked) => this.#control(...asked));
    Object.freeze(this);
  }

  client(options = {}) {
    return new Client({ ...this.#settings(), ...options });
  }

  blockingClient(options = {}) {
    return new BlockingClient({ ...this.#settings(), ...options });
  }

  fault(fault) {
    return this.#control('POST', 'faults', fault);
  }

  clearFaults() {
    return this.#control('DELETE', 'faults');
  }

  async ledger() {
    return this.#control('GET', 'ledger');
  }

  clearLedger() {
    return this.#control('DELETE', 'ledger');
  }

  async now() {
    return new Date((await this.#control('GET', 'clock')).now);
  }

  advance(seconds) {
    return this.#control('POST', 'clock', { advance: seconds });
  }

  setTime(time) {
    return time === null ? this.#control('DELETE', 'clock') : this.#control('POST', 'clock', { set: time });
  }

  changeProfile(changes) {
    return this.#control('POST', 'profile', changes);
  }

  async emit(kind, about = {}) {
    return (await this.#control('POST', 'causes', { ...about, kind })).emitted;
  }

  revokeTokens() {
    return this.#control('DELETE', 'tokens');
  }

  stop() {
    this.#native.method('stop');
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.stop();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    this.stop();
  }

  #settings() {
    const { baseUrl, authUrl, tenant, clientSecret } = this;
    return { baseUrl, authUrl, tenant, clientSecret };
  }

  async #control(method, name, body) {
    attempt(() => this.#native.method('facts'));
    const response = await fetch(`${this.baseUrl}/_sandbox/${name}`, {
      method,
      headers: { authorization: `Sandbox ${this.#key}` },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw invalid(`the sandbox does not take this: ${answer.errorMessage.replace(/\.$/, '')}`);
    return answer;
  }
}

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

exports.Sandbox = Sandbox;
