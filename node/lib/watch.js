'use strict';
// Progress of work, for callers who wait for it.

const { attempt, perform } = require('./fail.js');
const native = require('./native.js');

/** The polling interval of a download, in milliseconds. */
const EVERY = 100;

/** How long finished work waits for `onProgress`, in milliseconds. A promise that never settles does not withhold the result. */
const LAST = 10_000;

/** Waits for work, and reports its progress on every change. An exception of `onProgress`, or its rejected promise, ends the work. */
async function watched(prepare, { signal, cause, onProgress }, watch = newWatch()) {
  if (onProgress === undefined) return perform(() => prepare(watch), signal, cause);
  const stop = new AbortController();
  let [last, telling] = [undefined, undefined];
  const look = async () => {
    const now = attempt(() => watch.method('now'));
    const text = JSON.stringify(now);
    if (now === null || text === last) return;
    last = text;
    await onProgress(now);
  };
  const timer = setInterval(() => {
    // One at a time: the promise of the one before may be open.
    telling ??= look()
      .catch((error) => stop.abort(error))
      .finally(() => (telling = undefined));
  }, EVERY);
  const tell = async () => {
    await telling;
    stop.signal.throwIfAborted();
    await look();
  };
  const finish = () => {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, LAST)));
    return Promise.race([tell(), late]).finally(() => clearTimeout(timer));
  };
  try {
    const any = AbortSignal.any([stop.signal, signal].filter((each) => each !== undefined && each !== null));
    const result = await perform(() => prepare(watch), any, cause);
    clearInterval(timer);
    await perform(() => ({ start: finish, cancel() {} }), any, cause);
    return result;
  } finally {
    clearInterval(timer);
  }
}

/** Polls the progress of a download. */
function newWatch() {
  return native.make('watch');
}

Object.assign(exports, { newWatch, watched });
