// Guards whose events are in a store of the caller's: one in memory, and PostgreSQL with four workers.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import pg from 'pg';
import { ConfigurationError, webhooks } from 'sondage';
import { postgresStore } from '../../examples/webhooks/postgres_store.mjs';
import { postgres } from './postgres.mjs';
import { failure, node, ROOT, sandbox, sleep } from './support.mjs';

const folder = await mkdtemp(join(tmpdir(), 'sondage-inbox-node-'));
const server = await postgres(folder);
let isRunning = server !== undefined;
after(async () => {
  if (isRunning) await server.stop();
  await rm(folder, { recursive: true, force: true });
});
const skip = server === undefined && 'PostgreSQL is not installed';
const hook = webhooks.basic('a', 'b');
const authorization = hook.securityToken;
const eventOf = (id) => hook.verify('/', { authorization }, Buffer.from(JSON.stringify({ eventType: 'X', entity: { id } })));

/** A store that answers what the test wants, or fails with it. */
function answering(answer) {
  const store = { answer };
  const told = () => {
    if (store.answer instanceof Error) throw store.answer;
    return store.answer;
  };
  return Object.assign(store, { claim: told, done: async () => void told(), release() {}, isDone: told, keys: () => [], prune: (before) => (before instanceof Date ? 3 : 0) });
}

test('an unclear answer is no permission', async () => {
  for (const answer of [undefined, true, 'NEW']) {
    const error = await failure(new webhooks.StoreGuard(answering(answer)).once(eventOf(1), assert.fail));
    assert.ok(error instanceof ConfigurationError && error.cause instanceof TypeError);
  }
  const down = new Error('no route to it');
  const refused = await failure(new webhooks.StoreGuard(answering(down)).once(eventOf(1), assert.fail));
  assert.equal(refused.cause, down);
  assert.match(refused.message, /^the store of events cannot be used \(Error\)\. /, 'what is the matter, and not what a driver says');
  const store = answering('new');
  const guard = new webhooks.StoreGuard(store);
  assert.equal((await failure(guard.once(eventOf(1), () => { store.answer = down; }))).cause, down);
  assert.equal(await guard.prune(1), 3);
  assert.equal((await failure(guard.prune(-1))).code, 'InvalidArgument');
  store.answer = 'busy';
  assert.equal(await guard.once(eventOf(1), assert.fail), 503);
  assert.match((await failure(guard.knows(eventOf(1)))).cause.message, /`isDone` returned string/);
  assert.throws(() => new webhooks.StoreGuard({}), /no function `claim`/);
  assert.throws(() => new webhooks.StoreGuard(store, { lease: 10 }), /at least one second/);
});

test('a claim that cannot be given back is told', async () => {
  const gone = Object.assign(new Error('secret of a driver'), { code: 'ECONNRESET' });
  const store = Object.assign(answering('new'), { release() { throw gone; } });
  const warned = once(process, 'warning');
  const handling = new Error('of the handler');
  assert.equal(await failure(new webhooks.StoreGuard(store).once(eventOf(1), () => { throw handling; })), handling);
  const [{ name, message }] = await warned;
  assert.match(`${name}: ${message}`, /^EventStoreWarning: an event stays claimed until its lease ends: .*\(ECONNRESET\)/);
  assert.doesNotMatch(message, /secret/);
});

for (const framework of ['express', 'fastify']) {
  test(`${framework}: a delivery is refused while the store is down`, async () => {
    const store = answering(new Error('down'));
    const options = { guard: new webhooks.StoreGuard(store) };
    let fails = false;
    const handle = () => {
      if (fails) throw new Error('not now');
    };
    const app = framework === 'express' ? express() : fastify();
    let listening;
    if (framework === 'express') {
      app.set('env', 'test');
      app.post('/hooks', webhooks.express(hook, handle, options));
      listening = createServer(app).listen(0, '127.0.0.1');
      await once(listening, 'listening');
    } else {
      app.register(webhooks.fastify(hook, handle, options), { prefix: '/hooks' });
      await app.listen({ port: 0, host: '127.0.0.1' });
      listening = app.server;
    }
    const send = async () =>
      (await fetch(`http://127.0.0.1:${listening.address().port}/hooks`, { method: 'POST', body: '{"eventType":"X"}', headers: { authorization } })).status;
    assert.equal(await send(), 503);
    store.answer = 'new';
    fails = true;
    assert.equal(await send(), 500);
    fails = false;
    assert.equal(await send(), 204);
    listening.closeAllConnections();
    await (framework === 'express' ? new Promise((closed) => listening.close(closed)) : app.close());
  });
}

const WORKER = `
import pg from 'pg';
import { webhooks } from 'sondage';
import { postgresStore } from '${ROOT}examples/webhooks/postgres_store.mjs';
const [victim, address] = [Number(process.env.VICTIM), JSON.parse(process.env.ADDRESS)];
const pool = new pg.Pool(address);
const hook = webhooks.basic('a', 'b');
const guard = new webhooks.StoreGuard(await postgresStore(pool), { lease: 2000 });
for (let id = 0; id < 100; id++) {
  const body = Buffer.from(JSON.stringify({ eventType: 'X', entity: { id } }));
  await guard.once(hook.verify('/', { authorization: hook.securityToken }, body), async () => {
    if (id === victim) process.kill(process.pid, 'SIGKILL'); // before it was handled
    await pool.query('INSERT INTO handled VALUES ($1)', [id]);
  });
}
await pool.end();
`;

test('four workers on PostgreSQL handle each event once', { skip }, async () => {
  const pool = new pg.Pool(server.address);
  await pool.query('CREATE TABLE handled (number integer)');
  const work = (victim) =>
    node(['--input-type=module', '--eval', WORKER], { VICTIM: String(victim), ADDRESS: JSON.stringify(server.address) });
  const ends = await Promise.all([20, 50, -1, -1].map(work));
  for (const { signal, status, stderr } of ends) assert.ok(signal === 'SIGKILL' || status === 0, stderr);
  await sleep(2100); // the leases of the killed ones end
  const last = await work(-1);
  assert.equal(last.status, 0, last.stderr);
  const { rows } = await pool.query('SELECT number FROM handled ORDER BY number');
  assert.deepEqual(rows.map(({ number }) => number), Array.from({ length: 100 }, (_, number) => number));
  const store = await postgresStore(pool);
  const guard = new webhooks.StoreGuard(store);
  assert.deepEqual([(await guard.keys()).length, await guard.prune(30)], [100, 0]);
  assert.ok((await guard.knows(eventOf(7))) && !(await guard.knows(eventOf(1000))));
  assert.deepEqual([await store.claim(['a'], 'first', 60_000), await store.claim(['a', 'b'], 'second', 60_000)], ['new', 'busy']);
  assert.equal(await store.claim(['b'], 'third', 60_000), 'new', 'the second has claimed nothing');
  await store.release(['a'], 'third');
  assert.equal(await store.claim(['a'], 'fourth', 60_000), 'busy', 'it belongs to the first');

  const box = await sandbox();
  const client = box.client();
  const since = await box.now();
  const ids = [...(await client.interviews(box.feedbackSurveyId, { fields: ['Id'], codePlan: false }).table())].slice(0, 3).map((row) => row.Id);
  for (const id of ids) assert.ok(await box.emit('complete', { id }));
  const all = await client.missedEvents(box.feedbackSurveyId, { since });
  await guard.remember([all.events[0].key]);
  const left = await client.missedEvents(box.feedbackSurveyId, { since, unknownTo: guard });
  assert.deepEqual(left.events.map(({ key }) => key), all.events.slice(1).map(({ key }) => key));
  assert.equal(left.seen, all.seen);
  assert.throws(() => box.blockingClient().missedEvents(box.feedbackSurveyId, { since, unknownTo: guard }), /not a Guard/);

  await server.stop();
  isRunning = false;
  const error = await failure(guard.once(eventOf(1000), assert.fail));
  assert.ok(error instanceof ConfigurationError && /503/.test(error.hint));
  await pool.end();
});
