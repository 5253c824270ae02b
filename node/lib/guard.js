'use strict';
// Handles each event once, although it may be delivered twice.

const { GuardMethods } = require('./bases.js');
const { attempt, invalid } = require('./fail.js');
const { held } = require('./held.js');
const native = require('./native.js');

class Claim {
  #native;

  constructor(made) {
    this.#native = made;
    this.state = made.method('state');
  }

  get isNew() {
    return this.state === 'new';
  }

  get status() {
    return this.state === 'busy' ? 503 : 204;
  }

  done() {
    this.#native.method('end', true);
  }

  release() {
    this.#native.method('end', false);
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.release();
  }
}

/** The default number of remembered events. */
const CAPACITY = 100_000;

class Guard extends GuardMethods {
  constructor(capacity = CAPACITY) {
    super(attempt(() => native.make('guard', capacity)));
  }

  claim(event) {
    const keys = event.also === undefined ? [event.key] : [event.key, event.also];
    return new Claim(attempt(() => held(this).native.method('claim', keys)));
  }

  async once(event, handle) {
    const claim = this.claim(event);
    if (claim.isNew) {
      try {
        await handle(event);
        claim.done();
      } finally {
        claim.release();
      }
    }
    return claim.status;
  }

  /** The native guard. */
  static native(guard) {
    if (guard === undefined || guard === null) return guard;
    if (!(guard instanceof Guard)) throw invalid('`unknownTo` is not a Guard');
    return held(guard).native;
  }
}

Object.assign(exports, { Guard });
