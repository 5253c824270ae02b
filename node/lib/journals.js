'use strict';
// Journals of the caller's.

const { invalid } = require('./fail.js');
const { keep } = require('./failures.js');
const native = require('./native.js');
const { placeOf } = require('./place.js');

const METHODS = { open: 'open', append: 'append', forget_last: 'forgetLast', clear: 'clear', close: 'close' };

const isObject = (journal) => typeof journal === 'object' && journal !== null && !(journal instanceof URL);

/** A path as text, or the name of an object that was offered. */
function journalIf(journal) {
  if (!isObject(journal)) return journal == null ? journal : placeOf(journal);
  const missing = Object.values(METHODS).find((name) => typeof journal[name] !== 'function');
  if (missing !== undefined) throw invalid(`journal has no function \`${missing}\`: it needs ${Object.values(METHODS).join(', ')}`);
  return native.offerJournal(journal.constructor?.name ?? 'journal', async (what, lines) => {
    try {
      const answer = await (what === 'append' ? journal.append(lines) : journal[METHODS[what]]());
      return what === 'open' ? [...answer] : [];
    } catch (error) {
      throw new Error(error?.code === 'EBUSY' ? 'busy' : `${keep(error)}\0${error?.message ?? error}`);
    }
  });
}

/** The same for a blocking client, during whose calls no function can run. */
function onlyPlace(journal) {
  if (isObject(journal)) throw invalid('a blocking client takes the path of a journal: an object needs the other client');
  return journalIf(journal);
}

Object.assign(exports, { journalIf, onlyPlace });
