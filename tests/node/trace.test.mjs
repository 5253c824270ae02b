// What a client does can be seen in its trace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgument } from 'sondage';
import { failure, sandbox, until } from './support.mjs';

const box = await sandbox();
const { panelId } = box;

test('each attempt and call is told', async () => {
  const client = box.client({ traceEntries: 100, retryBase: 10 });
  await box.fault({ on: 'ReadPanel', action: { kind: 'status', status: 503 } });
  await client.readPanel({ panelId });
  const { entries, next, missed } = await client.trace();
  assert.deepEqual(entries.map((entry) => entry.kind), ['token', 'attempt', 'wait', 'attempt', 'call']);
  const [first, call] = [entries[1], entries[4]];
  assert.deepEqual([first.operation, first.status, first.attempts], ['ReadPanel', 503, 1]);
  assert.deepEqual([call.status, call.attempts, call.error, missed], [200, 2, null, 0]);
  assert.ok(first.callId === call.callId && first.requestId !== call.requestId && call.at instanceof Date);
  assert.deepEqual((await client.trace({ after: next })).entries, []);

  const waiting = client.trace({ after: next, wait: 60_000 });
  await client.readPanel({ panelId });
  assert.equal((await waiting).entries[0].kind, 'attempt');
});

test('a call in progress says what it waits for', async () => {
  const client = box.client({ facts: 'off' });
  await client.readPanel({ panelId });
  assert.deepEqual(client.pendingCalls(), []);
  await box.fault({ on: 'ReadPanel', delayMs: 500 });
  const call = client.readPanel({ panelId });
  await until(async () => client.pendingCalls()[0]?.attempt === 1);
  const [{ operation, attempts, limit, wait, purpose, text }] = client.pendingCalls();
  assert.deepEqual([operation, attempts, limit, wait, purpose], ['ReadPanel', 3, 200_000, null, null]);
  assert.equal(text, 'ReadPanel: no data for 0 s (limit 200 s), attempt 1 of 3');
  await call;
  assert.deepEqual(client.pendingCalls(), []);

  for await (const _ of client.members(panelId)) continue;
  const arrivals = (await box.ledger()).requests.filter((arrival) => arrival.operation === 'ReadMemberList');
  assert.deepEqual(arrivals.map((arrival) => arrival.purpose), [null, ...arrivals.slice(1).map(() => 'check of the end')]);
});

test('a blocking client has the same, and without the setting it is said', async () => {
  const client = box.blockingClient({ traceEntries: 10 });
  client.readPanel({ panelId });
  assert.equal(client.trace().entries.at(-1).operation, 'ReadPanel');
  const error = await failure(box.client().trace());
  assert.ok(error instanceof InvalidArgument && error.message.includes('`traceEntries`'), error.message);
});
