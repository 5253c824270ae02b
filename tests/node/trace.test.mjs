// What a client does can be seen in its trace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgument } from 'sondage';
import { failure, sandbox } from './support.mjs';

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

test('a blocking client has the same, and without the setting it is said', async () => {
  const client = box.blockingClient({ traceEntries: 10 });
  client.readPanel({ panelId });
  assert.equal(client.trace().entries.at(-1).operation, 'ReadPanel');
  const error = await failure(box.client().trace());
  assert.ok(error instanceof InvalidArgument && error.message.includes('`traceEntries`'), error.message);
});
