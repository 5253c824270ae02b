// The package in a realm of its own, as Jest loads it for each file of tests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';
import * as outside from 'sondage';
import { sandbox } from './support.mjs';

const box = await sandbox();

/** Loads a CommonJS module and what it requires in a context. Node.js loads its own modules and native addons, as in Jest. */
function loadIn(context, file, loaded = new Map()) {
  if (loaded.has(file)) return loaded.get(file).exports;
  const module = { exports: {} };
  loaded.set(file, module);
  const require = createRequire(file);
  const inside = (name) => {
    const path = require.resolve(name);
    if (path.endsWith('.json')) return JSON.parse(readFileSync(path, 'utf8'));
    return path.endsWith('.js') ? loadIn(context, path, loaded) : require(name);
  };
  const run = vm.compileFunction(readFileSync(file, 'utf8'), ['exports', 'require', 'module', '__filename', '__dirname'], {
    filename: file,
    parsingContext: context,
  });
  run(module.exports, inside, module, file, dirname(file));
  return module.exports;
}

/** A context with the globals that Jest takes from outside. */
const { AbortController, AbortSignal, Buffer, URL, Uint8Array, clearInterval, console, process, setInterval } = globalThis;
const context = vm.createContext({ AbortController, AbortSignal, Buffer, URL, Uint8Array, clearInterval, console, process, setInterval });
const inside = loadIn(context, createRequire(import.meta.url).resolve('sondage'));
const classes = vm.runInContext('({ Array, Date, Error, Object })', context);

/** Every value in a value, with its path. */
function* parts(value, path = 'it') {
  yield [value, path];
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  for (const [name, part] of Object.entries(value)) yield* parts(part, `${path}.${name}`);
}

/** Checks that every value in `value` is an instance of these classes. Returns the number of dates. */
function checked(value, { Array, Date, Object }) {
  let dates = 0;
  for (const [part, path] of parts(value)) {
    const Class = { '[object Date]': Date, '[object Array]': Array, '[object Object]': Object }[globalThis.Object.prototype.toString.call(part)];
    if (Class !== undefined) assert.ok(part instanceof Class, path);
    if (Class === Date) {
      assert.ok(Number.isFinite(part.getTime()), path);
      dates += 1;
    }
  }
  return dates;
}

test('values are instances of the classes of the realm in which the package is loaded', async () => {
  assert.notEqual(classes.Date, Date);
  const { baseUrl, authUrl, tenant, clientSecret, panelId, surveyId } = box;
  for (const [library, realm] of [[inside, classes], [outside, globalThis]]) {
    const client = new library.Client({ baseUrl, authUrl, tenant, clientSecret, traceEntries: 100 });
    const blocking = new library.BlockingClient({ baseUrl, authUrl, tenant, clientSecret });
    const members = await client.members(panelId).toArray();
    assert.ok(checked(members, realm) > 0, 'members have dates');
    assert.ok(checked(blocking.members(panelId).toArray(), realm) > 0);
    const table = await client.interviews(surveyId).table();
    assert.ok(checked(table.rows().next().value, realm) > 0, 'interviews have dates');
    assert.ok(checked((await client.trace()).entries, realm) > 0, 'the trace has dates');
    checked(await client.withResponse('readPanel', { panelId }), realm);
    const error = await client.readPanel({ panelId: 1 }).catch((error) => error);
    assert.ok(error instanceof library.ApiError && error instanceof realm.Error);
    assert.equal(error.httpStatus, 404);
    await client.close();
  }
});
