// The trace on the channels of `node:diagnostics_channel`.

import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { publish } from 'sondage/diagnostics';
import { failure, sandbox } from './support.mjs';

const box = await sandbox();
const { panelId } = box;

test('subscribers are told of each call, attempt and wait', async () => {
  const told = [];
  const take = (entry, name) => told.push([name, entry.operation, entry.status]);
  const names = ['call', 'attempt', 'wait'].map((kind) => `sondage:${kind}`);
  for (const name of names) subscribe(name, take);
  const client = box.client({ traceEntries: 100, retryBase: 10 });
  const published = await publish(client);
  await box.fault({ on: 'ReadPanel', action: { kind: 'status', status: 503 } });
  await client.readPanel({ panelId });
  await published.close();
  await client.readPanel({ panelId });
  for (const name of names) unsubscribe(name, take);
  assert.deepEqual(told, [
    ['sondage:attempt', 'ReadPanel', 503],
    ['sondage:wait', 'ReadPanel', 503],
    ['sondage:attempt', 'ReadPanel', 200],
    ['sondage:call', 'ReadPanel', 200],
  ]);
});

test('entries that are no longer kept are counted', async () => {
  let missed = 0;
  const take = (message) => (missed += message.missed);
  subscribe('sondage:missed', take);
  const client = box.client({ traceEntries: 1 });
  const published = await publish(client);
  // Only one entry is kept and a call has three, so some are usually missed.
  while (missed === 0) await client.readPanel({ panelId });
  await published.close();
  unsubscribe('sondage:missed', take);
});

test('a client without a trace is refused', async () => {
  assert.match((await failure(publish(box.client()))).message, /`traceEntries`/);
});
