// How objects and errors look in logs, consoles and other threads, and what wraps them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import * as sondage from 'sondage';
import { SondageError, webhooks } from 'sondage';
import { ROOT, failure, sandbox } from './support.mjs';

const box = await sandbox();
const client = box.client();
const missing = await failure(client.readPanel({ panelId: 1 }));

test('a client and a table show what they are, and no secret', async () => {
  const { tenant, baseUrl } = box;
  assert.equal(inspect(client), `Client ${inspect({ tenant, baseUrl })}`);
  assert.equal(inspect(box.blockingClient()), `BlockingClient ${inspect({ tenant, baseUrl })}`);
  assert.ok(!inspect(client, { showHidden: true, depth: 9 }).includes(box.clientSecret));
  const table = await client.interviews(box.surveyId, { fields: ['Id', 'age'] }).table();
  assert.match(inspect(table), /^Table \{\s+numRows: 944,\s+columns: \[ 'Id', 'age' \]\s+\}$/);
});

test('an error is written as JSON with its name and message, and made again from it', () => {
  const written = JSON.parse(JSON.stringify(missing));
  assert.deepEqual(
    [written.name, written.message, written.code, written.httpStatus], ['ApiError', missing.message, 'Api', 404],
  );
  const again = SondageError.fromJSON(written);
  assert.ok(again instanceof sondage.ApiError);
  assert.deepEqual(JSON.stringify(again), JSON.stringify(missing));
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(missing.toJSON());
  assert.deepEqual(SondageError.fromJSON(receiveMessageOnPort(port2).message).message, missing.message);
  port1.close();
  const refused = SondageError.fromJSON(JSON.parse(JSON.stringify(new webhooks.Refused('expired', 'It is too old.'))));
  assert.ok(refused instanceof webhooks.Refused && refused.reason === 'expired', inspect(refused));
  assert.equal(SondageError.fromJSON({ code: 'FromTheFuture', message: 'what' }).message, 'what');
});

/** The status with which the default handlers of Express, Koa and Fastify answer an error. */
const answered = (error) => error.status ?? error.statusCode ?? error.output?.statusCode ?? 500;

test('no error decides what a web framework answers its caller', async () => {
  await box.fault({ on: 'ReadPanel', action: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } });
  const provided = box.client({ clientSecret: undefined, tokenProvider: () => Promise.reject(new Error('no token today')) });
  const errors = [
    missing,
    SondageError.fromJSON(JSON.parse(JSON.stringify(missing))),
    await failure(box.client({ retryAttempts: 1 }).readPanel({ panelId: box.panelId })),
    await failure(box.client({ clientSecret: 'wrong' }).readPanel({ panelId: box.panelId })),
    await failure(provided.readPanel({ panelId: box.panelId })),
    await failure(client.readPanel({ panelId: 'x' })),
    new webhooks.Refused('expired', 'It is too old.'),
  ];
  assert.deepEqual(errors.slice(0, 4).map((error) => error.httpStatus), [404, 404, 429, 401]);
  assert.equal(errors[4].cause.message, 'no token today');
  for (let error of errors) {
    for (; error !== undefined; error = error.cause) {
      assert.equal(answered(error), 500, inspect(error));
      for (const name of ['status', 'statusCode', 'output', 'headers', 'expose']) assert.ok(!(name in error), `${name}: ${inspect(error)}`);
    }
  }
});

test('an HTTP status is said once', () => {
  assert.equal(missing.message.match(/HTTP/g)?.length ?? 0, 1, missing.message);
});

test("a stack begins in the caller's file", async () => {
  const here = import.meta.url;
  const wrong = await failure(() => client.pages('readPanels'));
  const listed = await failure(async () => { for await (const _ of client.members(1)) break; });
  const late = await failure(async () => { await client.readPanel({ panelId: 1 }); });
  for (const error of [wrong, listed, late]) {
    const [first, frame] = error.stack.split('\n');
    assert.ok(first.startsWith(`${error.name}: `) && frame.includes(here), error.stack);
  }
});

// Libraries that measure or mock wrap objects in a Proxy.
test('a Proxy around a client can do what the client can', async () => {
  const wrapped = new Proxy(client, {});
  const panel = await client.readPanel({ panelId: box.panelId });
  assert.deepEqual(await wrapped.readPanel({ panelId: box.panelId }), panel);
  assert.equal((await wrapped.members(box.panelId).toArray()).length, 200);
  assert.equal(wrapped.config.explain().length, client.config.explain().length);
  const blocking = new Proxy(box.blockingClient(), {});
  assert.deepEqual(blocking.readPanel({ panelId: box.panelId }), panel);
  blocking.close();
});

test('rows may be Maps', async () => {
  const rows = [new Map([['Email', 'ada@example.org'], ['FirstName', 'Ada']])];
  async function* cursor() {
    yield* rows;
  }
  for (const given of [rows, cursor()]) {
    assert.match(inspect(await client.createMembersFrom(box.panelId, given)), /1 row: 1 created/);
  }
});

test('types of Node.js are wanted by the types, and not installed by force', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(`${ROOT}node/package.json`, 'utf8'));
  assert.ok(peerDependencies['@types/node'] && peerDependenciesMeta['@types/node'].optional);
});

// The last test, because the pause that the service requests applies to all clients of the tenant.
test('an error after too many calls says how long to wait', async () => {
  const once = box.client({ retryAttempts: 1 });
  await box.fault({ on: 'ReadPanel', action: { kind: 'status', status: 429, headers: { 'Retry-After': '7' } } });
  const many = await failure(once.readPanel({ panelId: box.panelId }));
  assert.equal(many.retryAfter, 7000);
  assert.match(many.message, /\(HTTP 429, wait 7 s/);
});
