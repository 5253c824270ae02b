'use strict';
// Reads the trace of a client as it grows.

/** The longest wait for an entry, in milliseconds: `close` takes as long. */
const TICK = 500;

/** Passes each part of a trace on. `read`: the `trace` of a client. */
class Following {
  #closed = false;
  #ended;

  constructor(read, next, take) {
    this.#ended = this.#follow(read, next, take);
  }

  async close() {
    this.#closed = true;
    await this.#ended;
  }

  async #follow(read, next, take) {
    for (let last = false; !last; ) {
      last = this.#closed;
      const told = await read({ after: next, wait: last ? undefined : TICK });
      next = told.next;
      take(told);
    }
  }
}

exports.Following = Following;
