'use strict';
// Progress of work, for callers who wait for it.

const { perform } = require('./fail.js');
const native = require('./native.js');

/** The polling interval of a download, in milliseconds. */
const EVERY = 100;

/** Waits for work, and reports its progress on every change. An exception of `onProgress` ends the work. */
async function watched(prepare, { signal, cause, onProgress }, watch = newWatch()) {
  if (onProgress === undefined) return perform(() => prepare(watch), signal, cause);
  const stop = new AbortController();
  let last;
  const look = () => {
    const now = watch.method('now');
    const text = JSON.stringify(now);
    if (now === null || text === last) return;
    last = text;
    onProgress(now);
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      stop.abort(error);
    }
  }, EVERY);
  try {
    const signals = [stop.signal, signal].filter((each) => each !== undefined && each !== null);
    const result = await perform(() => prepare(watch), AbortSignal.any(signals), cause);
    look();
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
