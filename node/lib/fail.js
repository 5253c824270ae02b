'use strict';
// Converts exceptions of the native addon to errors of the right class.

const errors = require('./errors.js');
const { taken } = require('./failures.js');
const native = require('./native.js');
const { own } = require('./realm.js');

/** The folder of this file, unless a bundler has moved it. */
const HERE = typeof __filename === 'string' && __filename.endsWith('fail.js') ? __filename.slice(0, -'fail.js'.length) : undefined;

const BY_CODE = new Map(Object.values(errors).map((Class) => [Class.code, Class]));

/** The error for an exception. `cause`: returns the exception of the caller's token provider. */
function thrown(error, cause) {
  const failure = error?.failure;
  const Class = BY_CODE.get(failure?.code);
  if (Class === undefined) return foreign(error);
  const callers = failure.code === 'Authentication' ? cause : error.callers && taken(error.callers);
  return outside(new Class(failure.message, { ...failure, httpStatus: failure.status, cause: callers }));
}

/** The error with a stack that begins where the library was called. */
function outside(error) {
  const inside = (line) => line.startsWith('    at ') && line.includes(HERE);
  const lines = HERE === undefined ? [] : error.stack.split('\n');
  if (lines.some(inside)) error.stack = lines.filter((line) => !inside(line)).join('\n');
  return error;
}

/** An error thrown before the call reached the core. */
function foreign(error) {
  if (error?.code === 'GenericFailure') {
    return new errors.InternalError(`${error.message}. Please report this with the steps that led to it.`, { cause: error });
  }
  if (/^InvalidArg$|Expected$/.test(error?.code)) return invalid(error.message, error);
  // An exception of the caller's own getter or proxy.
  return error;
}

/** Calls the native addon. */
function attempt(work, cause) {
  try {
    return own(work());
  } catch (error) {
    throw thrown(error, cause?.());
  }
}

/** A wrong argument. */
function invalid(what, cause) {
  const hint = 'Correct the call and make it again.';
  return outside(new errors.InvalidArgument(`${what}. Nothing was changed. ${hint}`, { hint, cause }));
}

/** Checks that an argument is an object that can be copied without losing properties. */
function object(value, name) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${name} must be an object`);
  attempt(() => native.checkOwn(value, name));
  return value;
}

/** Refuses options that a method does not have. `unknown`: what is left of its options; `known`: their names. */
function refuseUnknown(unknown, ...known) {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw invalid(`options.${name} is not known here; known are ${known.join(', ')}`);
}

/** Waits for work of the native addon. */
async function begun(begin, cause) {
  try {
    return own(await begin());
  } catch (error) {
    throw thrown(error, cause?.());
  }
}

/** Starts a call that cannot be cancelled, and waits for it. */
const begin = (native, number, request, cause) => begun(() => native.start(number, request), cause);

/** The work that each signal cancels. There is one listener per signal, because Node.js warns about more than ten. */
const ENDINGS = new WeakMap();

/** Calls `end` when the signal is aborted. Returns a function that undoes this. */
function onAbort(signal, end) {
  const all = ENDINGS.get(signal) ?? { ends: new Set(), tell: () => all.ends.forEach((each) => each()) };
  if (all.ends.size === 0) signal.addEventListener('abort', all.tell);
  ENDINGS.set(signal, all);
  all.ends.add(end);
  return () => {
    all.ends.delete(end);
    if (all.ends.size === 0) signal.removeEventListener('abort', all.tell);
  };
}

/** Waits for work of the native addon; aborting the signal ends the wait immediately. */
async function perform(prepare, signal, cause) {
  if (signal === undefined || signal === null) return begun(() => prepare().start(), cause);
  if (!(signal instanceof AbortSignal)) throw invalid('options.signal must be an AbortSignal');
  signal.throwIfAborted();
  const work = attempt(prepare, cause);
  let release;
  const aborted = new Promise((_, reject) => {
    release = onAbort(signal, () => {
      work.cancel();
      reject(signal.reason);
    });
  });
  try {
    return own(await Promise.race([aborted, work.start()]));
  } catch (error) {
    throw signal.aborted ? signal.reason : thrown(error, cause?.());
  } finally {
    release();
  }
}

/** The error for an error of the core; `null` if there was none. */
function made(failure) {
  return failure === null ? null : thrown({ failure });
}

/** The exception, with the results so far if its caller gave up. */
function interrupted(error, signal, report) {
  if (signal?.aborted && error instanceof Error && Object.isExtensible(error)) error.report ??= report();
  return error;
}

Object.assign(exports, { attempt, begin, interrupted, invalid, made, object, perform, refuseUnknown });
