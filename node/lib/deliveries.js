'use strict';
// Deliveries of a sandbox to subscribers, made and pending.

const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** The interval at which a busy sandbox is polled, in milliseconds. */
const STEP = 10;

class Deliveries {
  #control;

  /** `control`: calls the sandbox's control endpoints. */
  constructor(control) {
    this.#control = control;
  }

  async log() {
    const { attempts } = await this.#control('GET', 'deliveries');
    return attempts.map(({ at, next, ...attempt }) => ({ at: new Date(at), ...attempt, next: next && new Date(next) }));
  }

  async pending() {
    return (await this.#control('GET', 'pending')).pending;
  }

  async fault(fault) {
    await this.#control('POST', 'deliveries', fault);
  }

  async clear() {
    await this.#control('DELETE', 'deliveries');
  }

  async settle({ timeout = 30_000 } = {}) {
    const end = performance.now() + timeout;
    while ((await this.#control('GET', 'pending')).busy) {
      if (performance.now() > end) return false;
      await sleep(STEP);
    }
    return true;
  }

  async drain({ timeout = 30_000 } = {}) {
    const end = performance.now() + timeout;
    while (await this.settle({ timeout: end - performance.now() })) {
      const { nextDue } = await this.#control('GET', 'pending');
      if (nextDue === null) return true;
      await this.#control('POST', 'clock', { set: nextDue });
    }
    return false;
  }
}

exports.Deliveries = Deliveries;
