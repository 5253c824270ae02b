'use strict';
// Journals that the caller provides.

const { invalid } = require('./fail.js');
const { keep } = require('./failures.js');
const native = require('./native.js');
const { placeOf } = require('./place.js');

const METHODS = { open: 'open', append: 'append', forget_last: 'forgetLast', clear: 'clear', close: 'close' };

/** Journals that are being closed: the next job waits for that. */
const closing = new WeakMap();

async function done(journal, what, lines) {
  if (what === 'append') return void (await journal.append(lines));
  if (what !== 'open') return void (await journal[METHODS[what]]());
  await closing.get(journal);
  const answer = await journal.open();
  if (typeof answer === 'string') throw new TypeError('`open` returned one text, not the lines');
  return [...answer];
}

const isObject = (journal) => typeof journal === 'object' && journal !== null && !(journal instanceof URL);

/** A path as text, or the name of an object that was offered. */
function journalIf(journal) {
  if (!isObject(journal)) return journal == null ? journal : placeOf(journal);
  const missing = Object.values(METHODS).find((name) => typeof journal[name] !== 'function');
  if (missing !== undefined) throw invalid(`journal has no function \`${missing}\`: it needs ${Object.values(METHODS).join(', ')}`);
  return native.offerJournal(journal.constructor?.name ?? 'journal', async (what, lines) => {
    try {
      // A close is not awaited: the next `open` reports its error.
      if (what === 'close') closing.set(journal, done(journal, what).catch(() => {}));
      else return (await done(journal, what, lines)) ?? [];
      return [];
    } catch (error) {
      throw new Error(error?.code === 'EBUSY' ? 'busy' : `${keep(error)}\0${error?.message ?? error}`);
    }
  });
}

/** The same for a blocking client: no JavaScript function can run during its calls. */
function onlyPlace(journal) {
  if (isObject(journal)) throw invalid('a blocking client takes the path of a journal: an object needs the other client');
  return journalIf(journal);
}

Object.assign(exports, { journalIf, onlyPlace });
