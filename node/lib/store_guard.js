'use strict';
// Handles each event once, with a store of the caller's. Its functions are asynchronous, so the compiled part does not call them.

const { randomUUID } = require('node:crypto');
const { ConfigurationError } = require('./errors.js');
const { invalid, object, refuseUnknown } = require('./fail.js');
const { Guard } = require('./guard.js');

const METHODS = ['claim', 'done', 'release', 'isDone', 'keys', 'prune'];
const STATES = ['new', 'done', 'busy'];
const DAY = 86_400_000;
const HINT = 'Refuse the delivery (503), so that the service sends it again.';

const keysOf = (event) => (event.also === undefined ? [event.key] : [event.key, event.also]);

class StoreGuard {
  #store;
  #lease;

  constructor(store, options = {}) {
    const { lease = 600_000, ...unknown } = object(options, 'options');
    refuseUnknown(unknown, 'lease');
    const missing = METHODS.find((name) => typeof store?.[name] !== 'function');
    if (missing !== undefined) throw invalid(`store has no function \`${missing}\`: it needs ${METHODS.join(', ')}`);
    if (typeof lease !== 'number' || !(lease >= 1000 && lease < Infinity)) throw invalid('`lease` must be at least one second (1000)');
    this.#store = store;
    this.#lease = lease;
  }

  async once(event, handle) {
    const [keys, owner] = [keysOf(event), randomUUID()];
    const state = await this.#ask('claim', keys, owner, this.#lease);
    // An unclear answer must not count as permission.
    if (!STATES.includes(state)) throw failed(new TypeError(`\`claim\` returned ${typeof state}, not one of ${STATES.join(', ')}`));
    if (state !== 'new') return state === 'busy' ? 503 : 204;
    try {
      await handle(event);
    } catch (error) {
      await this.#ask('release', keys, owner).catch((failure) => {
        process.emitWarning(`an event stays claimed until its lease ends: ${failure.message}`, 'EventStoreWarning');
      });
      throw error;
    }
    await this.#ask('done', keys);
    return 204;
  }

  async knows(event) {
    for (const key of keysOf(event)) {
      const known = await this.#ask('isDone', key);
      if (typeof known !== 'boolean') throw failed(new TypeError(`\`isDone\` returned ${typeof known}, not a boolean`));
      if (known) return true;
    }
    return false;
  }

  async remember(keys) {
    await this.#ask('done', [...keys]);
  }

  async keys() {
    return [...(await this.#ask('keys'))];
  }

  async prune(days) {
    if (typeof days !== 'number' || !(days >= 0 && days < Infinity)) throw invalid('`days` must be a number of days');
    return await this.#ask('prune', new Date(Math.max(0, Date.now() - days * DAY)));
  }

  /** The native guard, which this one has not. */
  static native(guard) {
    return guard instanceof StoreGuard ? undefined : Guard.native(guard);
  }

  async #ask(what, ...given) {
    try {
      return await this.#store[what](...given);
    } catch (error) {
      throw failed(error);
    }
  }
}

function failed(cause) {
  // Its text may have a password.
  const kind = cause?.code ?? cause?.name ?? typeof cause;
  const what = `the store of events cannot be used (${kind}). The event was not handled, or is not marked as handled`;
  return new ConfigurationError(`${what}. ${HINT}`, { hint: HINT, cause });
}

/** The events of a report that the guard does not know. */
async function unknownOnly(report, guard) {
  if (!(guard instanceof StoreGuard)) return report;
  const known = [];
  for (const event of report.events) known.push(await guard.knows(event));
  report.events = report.events.filter((_, number) => !known[number]);
  return report;
}

Object.assign(exports, { StoreGuard, unknownOnly });
