// Cancelling before, during and after a call; and closing a client.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { newMember } from 'sondage';
import { DEADLINE, failure, sandbox, until } from './support.mjs';

const box = await sandbox();
const client = box.client();

test('a call with a signal that is already aborted is not made', async () => {
  await box.clearLedger();
  const reason = new Error('mine');
  assert.equal(await failure(client.readWorkspaceList({}, { signal: AbortSignal.abort(reason) })), reason);
  const members = client.members(box.panelId, { signal: AbortSignal.abort(reason) });
  assert.equal(await failure(members.toArray()), reason);
  assert.deepEqual((await box.ledger()).requests, []);
});

test('a call that is aborted ends at once', async () => {
  await box.fault({ on: 'ReadWorkspaceList', delayMs: 2 * DEADLINE });
  const controller = new AbortController();
  const call = client.readWorkspaceList({}, { signal: controller.signal });
  await until(async () => (await box.ledger()).requests.length > 0);
  const start = performance.now();
  controller.abort();
  const error = await failure(call);
  assert.equal(error.name, 'AbortError');
  assert.ok(performance.now() - start < DEADLINE);
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  await box.clearFaults();
});

test('a timeout is a signal too', async () => {
  await box.fault({ on: 'ReadWorkspaceList', delayMs: 2 * DEADLINE });
  const error = await failure(client.readWorkspaceList({}, { signal: AbortSignal.timeout(50) }));
  assert.equal(error.name, 'TimeoutError');
  await box.clearFaults();
});

test('a finished call leaves no listener, and a later abort changes nothing', async () => {
  const controller = new AbortController();
  for (let i = 0; i < 20; i++) await client.readWorkspaceList({}, { signal: controller.signal });
  assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  controller.abort();
  assert.equal((await client.readWorkspaceList()).workspaces.length, 1);
});

test('a list and a table can be cancelled', async () => {
  for (const read of [(signal) => client.members(box.panelId, { signal }).toArray(), (signal) => client.interviews(box.surveyId, { signal }).table()]) {
    await box.fault({ on: '*', delayMs: 2 * DEADLINE });
    const controller = new AbortController();
    const reading = read(controller.signal);
    setTimeout(() => controller.abort(), 50);
    assert.equal((await failure(reading)).name, 'AbortError');
    await box.clearFaults();
  }
});

test('an abort ends a list at its row, not at the end of its page', async () => {
  for (const [rows, options] of [[1, {}], [1, { pageSize: 1000n }], [3, { pageSize: 2 }]]) {
    const controller = new AbortController();
    const reason = new Error('enough');
    let seen = 0;
    const reading = (async () => {
      for await (const member of client.members(box.panelId, { ...options, signal: controller.signal })) {
        assert.ok(member.id);
        seen += 1;
        if (seen === rows) controller.abort(reason);
      }
    })();
    assert.equal(await failure(reading), reason);
    assert.equal(seen, rows);
    assert.deepEqual(getEventListeners(controller.signal, 'abort'), []);
  }
  const controller = new AbortController();
  let batches = 0;
  const reading = (async () => {
    for await (const batch of client.interviews(box.surveyId, { pageSize: 100, signal: controller.signal })) {
      batches += batch.numRows > 0;
      controller.abort();
    }
  })();
  assert.equal((await failure(reading)).name, 'AbortError');
  assert.equal(batches, 1);
});

test('one signal serves any number of calls, without a warning of a leak', async () => {
  const warned = [];
  const note = (warning) => warned.push(warning);
  process.on('warning', note);
  const controller = new AbortController();
  const { signal } = controller;
  const calls = () => Array.from({ length: 40 }, () => client.readWorkspaceList({}, { signal }));
  assert.equal((await Promise.all(calls())).length, 40);
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  await box.fault({ on: 'ReadWorkspaceList', delayMs: 2 * DEADLINE });
  const ended = Promise.allSettled(calls());
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  controller.abort();
  assert.deepEqual([...new Set((await ended).map((call) => call.reason.name))], ['AbortError']);
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  await box.clearFaults();
  await new Promise(setImmediate); // warnings come in a later turn
  process.off('warning', note);
  assert.deepEqual(warned, []);
});

test('a write that is cancelled in flight finishes once, and can be seen until then', async () => {
  await box.clearLedger();
  await box.fault({ on: 'CreateMembers', delayMs: 500 });
  const controller = new AbortController();
  const request = { panelId: box.panelId, members: [newMember({ Email: 'in.flight@example.org' })] };
  const call = client.createMembers(request, { signal: controller.signal });
  await until(async () => (await box.ledger()).requests.some((arrival) => arrival.operation === 'CreateMembers'));
  controller.abort();
  assert.equal((await failure(call)).name, 'AbortError');
  const [write, ...others] = client.pendingWrites();
  assert.equal(write.operation, 'CreateMembers');
  assert.ok(write.age > 0 && others.length === 0);
  await until(() => client.pendingWrites().length === 0);
  const { effects } = await box.ledger();
  assert.deepEqual(effects.map((effect) => [effect.kind, effect.count]), [['MembersCreated', 1]]);
});

test('what became of a write that was aborted can be awaited', async () => {
  const writer = box.client();
  assert.deepEqual(await writer.writeOutcomes(), { writes: [] });
  await box.clearLedger();
  await box.fault({ on: 'CreateMembers', delayMs: 1500, times: 2 });
  const controllers = [];
  const calls = ['known@example.org', 'not an address'].map((Email) => {
    const controller = new AbortController();
    controllers.push(controller);
    const request = { panelId: box.panelId, members: [newMember({ Email })] };
    return failure(writer.createMembers(request, { signal: controller.signal }));
  });
  await until(async () => (await box.ledger()).requests.filter(({ operation }) => operation === 'CreateMembers').length === 2);
  for (const controller of controllers) controller.abort();
  for (const call of calls) assert.equal((await call).name, 'AbortError');
  const { writes } = await writer.writeOutcomes();
  assert.deepEqual(writes.map(({ operation, error }) => [operation, error]), [['CreateMembers', null], ['CreateMembers', null]]);
  assert.deepEqual(writes.map(({ number }) => number).sort(), [1, 2]);
  assert.deepEqual(writes.map(({ response }) => response.validationIssues.length).sort(), [0, 1]);
  assert.deepEqual((await box.ledger()).effects.map(({ kind, count }) => [kind, count]), [['MembersCreated', 1]]);
  assert.deepEqual(writer.pendingWrites(), []);
});

test('rows of a cursor are read until the signal is aborted', async () => {
  const controller = new AbortController();
  let closed = false;
  async function* cursor() {
    try {
      for (let row = 0; ; row++) {
        if (row === 3) controller.abort();
        yield { Email: `cursor${row}@example.org` };
      }
    } finally {
      closed = true;
    }
  }
  await box.clearLedger();
  const call = client.createMembersFrom(box.panelId, cursor(), { signal: controller.signal });
  assert.equal((await failure(call)).name, 'AbortError');
  assert.ok(closed);
  assert.deepEqual((await box.ledger()).effects, []);
});

test('a write that is cancelled before it is sent is never made', async () => {
  const waiting = box.client({ tokenProvider: () => new Promise(() => {}) });
  await box.clearLedger();
  const controller = new AbortController();
  const request = { panelId: box.panelId, members: [newMember({ Email: 'never@example.org' })] };
  const call = waiting.createMembers(request, { signal: controller.signal });
  setTimeout(() => controller.abort(), 30);
  assert.equal((await failure(call)).name, 'AbortError');
  await until(() => waiting.pendingWrites().length === 0);
  assert.deepEqual((await box.ledger()).effects, []);
});

test('close waits for writes up to its timeout, and ends the client', async () => {
  const closing = box.client();
  await box.fault({ on: 'CreateMembers', delayMs: 600 });
  await box.clearLedger();
  const request = { panelId: box.panelId, members: [newMember({ Email: 'closing@example.org' })] };
  const call = closing.createMembers(request);
  await until(async () => (await box.ledger()).requests.length > 0);
  const [left] = await closing.close({ timeout: 10 });
  assert.equal(left.operation, 'CreateMembers');
  assert.deepEqual(await closing.close(), []);
  assert.equal((await call).membersIds.length, 1);
  for (const work of [
    () => closing.readWorkspaceList(),
    () => closing.members(box.panelId).toArray(),
    () => closing.interviews(box.surveyId).table(),
    () => closing.raw('/x', {}, { effect: 'read' }),
  ]) {
    const error = await failure(work);
    assert.equal(error.code, 'InvalidArgument');
    assert.match(error.message, /the client is closed/);
  }
  assert.deepEqual(await closing.close(), []);
});

test('a deadline holds', async () => {
  await box.fault({ on: 'ReadWorkspaceList', delayMs: 2 * DEADLINE });
  const start = performance.now();
  const error = await failure(client.readWorkspaceList({}, { deadline: 100 }));
  assert.deepEqual([error.code, error.timedOut], ['Network', true]);
  assert.ok(performance.now() - start < DEADLINE);
  await box.clearFaults();
});

test('attempts, the time of an attempt and headers, for a call and for all calls of a client', async () => {
  await box.clearLedger();
  await box.fault({ on: 'ReadPanel', times: 2, action: { kind: 'status', status: 503 } });
  const alone = await failure(client.readPanel({ panelId: box.panelId }, { attempts: 1, timeout: 60_000 }));
  assert.deepEqual([alone.code, alone.attempts], ['Network', 1]);
  const once = client.withOptions({ attempts: 1, headers: { 'X-Team': 'panel' } });
  assert.equal((await failure(once.readPanel({ panelId: box.panelId }))).attempts, 1);
  assert.equal((await box.ledger()).requests.length, 2);
  const rows = await once.pages('readMemberList', { panelId: box.panelId }, { attempts: 2 }).toArray();
  assert.ok(rows.length > 0);
  const wrong = { headers: { Authorization: 'Bearer of-another' } };
  for (const refused of [
    await failure(client.readPanel({ panelId: box.panelId }, wrong)),
    await failure(async () => client.withOptions(wrong)),
  ]) {
    assert.equal(refused.code, 'InvalidArgument');
    assert.match(refused.message, /the header `authorization` cannot be set/);
    assert.ok(!refused.message.includes('of-another'));
  }
});

test('a stopped sandbox reports that it was stopped', async () => {
  const { Sandbox } = await import('sondage');
  const other = await Sandbox.demo();
  other.stop();
  other.stop();
  assert.match((await failure(other.ledger())).message, /stopped/);
  const taken = await failure(Sandbox.demo({ port: Number(new URL(box.baseUrl).port) }));
  assert.equal(taken.code, 'Configuration');
  assert.equal((await failure(Sandbox.demo({ prot: 5 }))).code, 'InvalidArgument');
});

test('`using` closes and stops', async () => {
  const { Sandbox } = await import('sondage');
  const other = await Sandbox.demo();
  const [one, two] = [other.client(), other.blockingClient()];
  assert.equal((await one.readWorkspaceList()).workspaces.length, 1);
  await one[Symbol.asyncDispose]();
  two[Symbol.dispose]();
  assert.match((await failure(one.readWorkspaceList())).message, /the client is closed/);
  assert.match((await failure(() => two.readWorkspaceList())).message, /the client is closed/);
  await other[Symbol.asyncDispose]();
  assert.equal((await failure(fetch(other.baseUrl))).message, 'fetch failed');
});
