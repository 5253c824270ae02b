// The receivers of `examples/webhooks`: each accepts every strategy, and loses no event.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Sandbox, webhooks } from 'sondage';
import * as gateways from './gateways.mjs';
import { DEADLINE, ROOT, sandbox, until } from './support.mjs';

const KEY = 'worthless-key-for-tests-of-webhooks-0123456789';
let loaded = 0;
console.warn = () => {}; // the receivers say why they refuse

/** Loads a program of `examples/webhooks` as its server would, on a free port. */
async function serve(name, hook) {
  process.env.SONDAGE_WEBHOOK = JSON.stringify(hook.settingsWithSecrets());
  const program = await import(`${ROOT}examples/webhooks/${name}.mjs?${loaded++}`);
  const { guard, handler } = program;
  const app = program.app ?? (program.receive ? gateways.lambda(program.receive) : gateways.next(program.POST));
  let server;
  if (typeof app === 'function') {
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  } else {
    await app.listen({ port: 0, host: '127.0.0.1' });
    server = app.server;
  }
  const stop = async () => {
    server.closeAllConnections();
    await (typeof app === 'function' ? new Promise((closed) => server.close(closed)) : app.close());
  };
  return { base: `http://127.0.0.1:${server.address().port}/hooks`, guard, handler, stop };
}

test('the smallest receiver', async () => {
  const box = await sandbox();
  const hook = webhooks.basic('survalyzer', 'a long password for this test');
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const PORT = String(free.address().port);
  await new Promise((closed) => free.close(closed));
  const env = { ...process.env, PORT, WEBHOOK_PASSWORD: 'a long password for this test' };
  const child = spawn(process.execPath, ['examples/webhooks/first_express.mjs'], { cwd: ROOT, env });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  const base = `http://127.0.0.1:${PORT}/hooks`;
  await until(() => fetch(base).then(() => true, () => false));
  await box.client().createWebHook(hook.registration(base, 'HardBounce'));
  await box.client().createWebHook(webhooks.basic('survalyzer', 'another').registration(base, 'OptOutAdded'));
  assert.ok((await box.emit('bounce', { memberId: 500_001 })) && (await box.emit('optOut', { memberId: 500_001 })));
  assert.ok(await box.deliveries.settle());
  child.kill();
  await once(child, 'close');
  const log = (await box.deliveries.log()).map(({ eventType, status }) => `${eventType} ${status}`).sort();
  assert.deepEqual(log, ['HardBounce 204', 'OptOutAdded 401']);
  assert.match(said, /^HardBounce \{/);
});

/** Sends a body of 64 MiB as fast as it is taken. Resolves to the number of bytes that were taken before the connection ended. */
function flood(base) {
  const { hostname, port, pathname } = new URL(base);
  const piece = Buffer.alloc(1 << 16, ' ');
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
  const socket = connect(Number(port), hostname);
  return new Promise((done) => {
    socket.on('error', () => {}).on('close', () => done(socket.bytesWritten));
    socket.on('data', () => {}).on('end', () => socket.destroy());
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    let left = 1024;
    const more = () => {
      while (left-- > 0) if (!socket.write(chunk)) return socket.once('drain', more);
      socket.end('0\r\n\r\n');
    };
    more();
  });
}

// A gateway of Amazon has read the body before it calls the function, 6 MB at most.
for (const name of ['express_app', 'fastify_app', 'next_route']) {
  test(`${name} reads no more than the hook allows`, async () => {
    const receiver = await serve(name, webhooks.basic('survalyzer', 'a long password'));
    assert.ok((await flood(receiver.base)) < 32 << 20);
    await receiver.stop();
  });
}

for (const name of ['express_app', 'fastify_app', 'lambda_function', 'next_route']) {
  test(`${name} takes every strategy`, async () => {
    for (const hook of [
      webhooks.obscureUrl(),
      webhooks.basic('survalyzer', 'pass: wörd'),
      webhooks.bearer(KEY, 'receiver'),
      webhooks.signedUrl(KEY),
      webhooks.azureSignedUrl('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbg==', '/blob/a/b/c'),
    ]) {
      const box = await Sandbox.demo();
      const client = box.client();
      const receiver = await serve(name, hook);
      const handled = [];
      receiver.handler.handle = (event) => handled.push(event.eventType);
      await client.createWebHook(hook.registration(receiver.base, 'HardBounce'));
      await client.createWebHook(webhooks.obscureUrl().registration(receiver.base, 'OptOutAdded'));
      assert.ok((await box.emit('bounce', { memberId: 500_001 })) && (await box.emit('optOut', { memberId: 500_001 })));
      assert.ok(await box.deliveries.settle());
      assert.deepEqual(handled, ['HardBounce'], hook.strategy);
      const log = (await box.deliveries.log()).map(({ eventType, status }) => `${eventType} ${status}`).sort();
      assert.deepEqual(log, ['HardBounce 204', 'OptOutAdded 401'], hook.strategy);
      const refused = await fetch(receiver.base, { method: 'POST', body: '{}' });
      assert.deepEqual([refused.status, await refused.text()], [401, '']);
      await receiver.stop();
      box.stop();
    }
  });

  if (name === 'lambda_function' || name === 'next_route') continue; // these use the same guard as the others
  test(`${name}: a thousand events are handled once each after reconciling`, async () => {
    const count = 1000;
    const box = await sandbox({ generatedInterviews: count, generatedQuestions: 2 });
    const client = box.client();
    const survey = box.generatedSurveyId;
    const hook = webhooks.bearer(KEY, 'receiver');
    const receiver = await serve(name, hook);
    const handled = new Map();
    let calls = 0;
    const handle = async ({ entity, source }) => {
      await new Promise((resolve) => setTimeout(resolve, calls % 5));
      // Every seventh call fails, and some interviews never succeed.
      if (calls++ % 7 === 0 || (entity.id.startsWith('0') && source === 'delivered')) throw new Error('not now');
      handled.set(entity.id, (handled.get(entity.id) ?? 0) + 1);
    };
    receiver.handler.handle = handle;
    await box.deliveries.fault({ every: 13, action: { kind: 'silence' } });
    await box.deliveries.fault({ every: 5, action: { kind: 'duplicate', copies: 2 } });
    await box.deliveries.fault({ every: 11, action: { kind: 'reorder' } });
    const since = await box.now();
    await client.createWebHook(hook.registration(receiver.base, 'InterviewComplete', survey));
    const ids = [...(await client.interviews(survey, { fields: ['Id'], codePlan: false }).table())].map((row) => row.Id);
    for (let first = 0; first < count; first += 50) {
      assert.ok((await Promise.all(ids.slice(first, first + 50).map((id) => box.emit('complete', { id })))).every(Boolean));
    }
    assert.ok(await box.deliveries.drain({ timeout: DEADLINE }));
    assert.ok(0 < handled.size && handled.size < count);
    const caught = await client.missedEvents(survey, { since, columns: ['Q1'], unknownTo: receiver.guard });
    assert.deepEqual([caught.seen, caught.events.length], [count, count - handled.size]);
    for (const event of caught.events) {
      while (await receiver.guard.once(event, handle).then(() => false, () => true));
    }
    assert.equal(handled.size, count);
    assert.ok([...handled.values()].every((times) => times === 1));
    await receiver.stop();
  });
}
