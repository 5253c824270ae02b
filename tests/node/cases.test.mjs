// The conformance cases of `tests/cases`, run by both clients. They are data, shared by all languages.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { BlockingClient, Client } from 'sondage';
import { Recorder } from './recorder.mjs';
import { ROOT } from './support.mjs';

const service = await Recorder.start();
const settings = { baseUrl: service.address, authUrl: service.address, tenant: 'acme', token: 'a-token' };
const client = new Client(settings);
const blocking = new BlockingClient(settings);
after(() => service.stop());

/** Parses JSON without losing digits. */
function parse(text) {
  const exact = text.replace(/"(?:\\.|[^"\\])*"|-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : `{"$int":"${token}"}`,
  );
  return JSON.parse(exact, (_, value) => {
    if (typeof value?.$int !== 'string') return value;
    return Number.isSafeInteger(Number(value.$int)) ? Number(value.$int) : BigInt(value.$int);
  });
}

/** The value of a case as JSON text. */
function write(value) {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(write)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`)}}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Converts times to the form that JavaScript has. */
function timed(value) {
  if (typeof value === 'string' && TIME.test(value)) return new Date(value);
  if (Array.isArray(value)) return value.map(timed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, timed(inner)]));
}

/** Removes fields without a value (absent, null and an empty list mean the same), and puts unknown fields in
 * their places. */
function bare(value) {
  if (typeof value === 'string' && TIME.test(value)) return new Date(value);
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const { $extra, ...own } = value;
  const entries = Object.entries({ ...own, ...$extra }).map(([key, inner]) => [key, bare(inner)]);
  const says = (inner) => inner !== null && !(typeof inner === 'object' && !(inner instanceof Date) && Object.keys(inner).length === 0);
  return Object.fromEntries(entries.filter(([, inner]) => says(inner)));
}

function holds(run, sent) {
  if (run.sent) {
    assert.equal(sent.path, run.sent.path);
    assert.deepEqual(parse(sent.body), run.sent.body);
  }
  if (run.sent === null) {
    assert.equal(sent, undefined, 'the call is refused on this machine');
  } else {
    assert.equal(sent.headers['content-type'], 'application/json');
    assert.equal(sent.headers.authorization, 'Bearer a-token');
  }
  if (run.error) {
    assert.ok(run.raised, 'it did not fail');
    const { code: kind, errorCode, errorMessage, delivery, attempts, httpStatus: status } = run.raised;
    assert.deepEqual(bare({ kind, errorCode, errorMessage, delivery, attempts, status }), bare(run.error));
  } else {
    if (run.raised) throw run.raised;
    assert.deepEqual(bare(run.found), bare(run.result));
  }
}

let count = 0;
for (const area of readdirSync(`${ROOT}tests/cases`)) {
  for (const name of readdirSync(`${ROOT}tests/cases/${area}`)) {
    if (name === 'vectors.json') continue; // the file holds received requests, not calls
    const { operation, cases } = parse(readFileSync(`${ROOT}tests/cases/${area}/${name}`, 'utf8'));
    const method = operation[0].toLowerCase() + operation.slice(1);
    test(`${operation}: ${cases.length} cases, in both clients`, async (context) => {
      for (const each of cases) {
        count += 2;
        await context.test(each.name, async () => {
          service.answer(write(each.answer));
          const run = { ...each };
          await client[method](timed(each.call)).then((found) => (run.found = found), (raised) => (run.raised = raised));
          holds(run, service.request());
        });
        await context.test(`${each.name} (blocking)`, () => {
          service.answer(write(each.answer));
          const run = { ...each };
          try {
            run.found = blocking[method](timed(each.call));
          } catch (raised) {
            run.raised = raised;
          }
          holds(run, service.request());
        });
      }
    });
  }
}

test('all of them ran', (context) => {
  context.diagnostic(`node: ${count} cases`);
  assert.ok(count >= 2 * 5 * 14);
});

test('unknown values are sent back unchanged', async () => {
  const later = '[1267650600228229401496703205376,-85070591730234615865843651857942052864,{"deep":0.5}]';
  service.answer(`{"isSuccess":true,"later":${later}}`);
  const { $extra } = await client.readWorkspaceList();
  service.answer('{"isSuccess":true}');
  await client.readWorkspaceList({}, { extra: $extra });
  assert.ok(service.request().body.includes(`"later":${later}`));
});
