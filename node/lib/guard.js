'use strict';
// Handles each event once, although it may be delivered twice.

const { GuardMethods } = require('./bases.js');
const { attempt, invalid, object, refuseUnknown } = require('./fail.js');
const { held } = require('./held.js');
const native = require('./native.js');
const { placeOf } = require('./place.js');

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

class Guard extends GuardMethods {
  constructor(options = {}) {
    const { capacity, folder, lease, ...unknown } = typeof options === 'number' ? { capacity: options } : object(options, 'options');
    refuseUnknown(unknown, 'capacity', 'folder', 'lease');
    const place = folder === undefined ? undefined : placeOf(folder);
    super(attempt(() => native.make('guard', { capacity, folder: place, lease: lease === undefined ? undefined : lease / 1000 })));
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
