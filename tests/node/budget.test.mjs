// The daily budget: counted by all processes of a machine, and never exceeded.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { BlockingClient, BudgetSpent, Client, ConfigurationError } from 'sondage';
import { failure, run, sandbox } from './support.mjs';

const box = await sandbox();
const folders = mkdtempSync(join(tmpdir(), 'sondage-budget-'));
after(() => rmSync(folders, { recursive: true }));
const { panelId } = box;

function settings(folder, more = {}) {
  const { baseUrl, authUrl, tenant, clientSecret } = box;
  return { baseUrl, authUrl, tenant, clientSecret, budgetFolder: join(folders, folder), budgetLoopback: true, ...more };
}

async function arrived() {
  const { requests } = await box.ledger();
  return requests.filter((arrival) => arrival.operation === 'ReadPanel').length;
}

test('a client reports what is used and what is left', async () => {
  const client = new Client(settings('told', { budgetDay: '00:00+01:00' }));
  const before = client.budget();
  assert.deepEqual([before.calls, before.callsLeft, before.callsLimit, before.since], [0, 500, 500, null]);
  await client.readPanel({ panelId });
  for (const report of [client.budget(), new BlockingClient(settings('told')).budget()]) {
    assert.deepEqual([report.calls, report.callsLeft, report.mode, report.counted], [1, 499, 'warn', true]);
    assert.equal(report.bytes, report.received);
    assert.equal(report.bytesLeft, 500_000_000 - report.bytes);
    assert.ok(report.begins <= report.since && report.since < report.ends);
    assert.equal(report.ends - report.begins, 86_400_000);
    assert.equal(dirname(report.file), join(folders, 'told'));
    if (process.platform !== 'win32') assert.equal(statSync(report.file).mode & 0o777, 0o600);
  }
  assert.equal(box.client().budget().counted, false, 'a sandbox is no account');
});

test('the error at the limit says when the day ends', async () => {
  const client = new Client(settings('stop', { budget: 'stop', budgetCalls: 2 }));
  const before = await arrived();
  await client.readPanel({ panelId });
  await client.readPanel({ panelId });
  const error = await failure(client.readPanel({ panelId }));
  assert.ok(error instanceof BudgetSpent && error.code === 'BudgetSpent' && error.safeToRetry, `${error}`);
  assert.match(error.message, /not sent, because the 2 calls of the day are used up/);
  assert.ok(error.message.includes(client.budget().ends.toISOString().slice(0, 19)), error.message);
  assert.match(error.message, /`budgetCalls`/);
  assert.ok(error.retryAfter > 0 && error.retryAfter <= 86_400_000);
  assert.equal((await arrived()) - before, 2);
});

test('a pause longer than a call waits is kept whole, in whole milliseconds', async () => {
  // Its own sandbox, because a pause is for all calls of a tenant.
  const own = await sandbox();
  await own.fault({ on: 'ReadPanel', times: 1, action: { kind: 'status', status: 429, headers: { 'retry-after': '1000' } } });
  const client = own.client({ retryAfterCap: 1000 });
  const rests = [];
  for (const options of [{}, { deadline: 5000 }, {}]) rests.push((await failure(client.readPanel({ panelId: own.panelId }, options))).retryAfter);
  assert.equal(rests[0], 1_000_000);
  assert.ok(rests.every((rest) => Number.isInteger(rest) && rest > 900_000), `${rests}`);
  const { requests } = await own.ledger();
  assert.equal(requests.filter((arrival) => arrival.operation === 'ReadPanel').length, 1);
});

test('processes of a machine share the daily budget', async () => {
  const before = await arrived();
  const given = JSON.stringify(settings('shared', { budget: 'hard_stop', budgetCalls: 100 }));
  const code = `import { BudgetSpent, Client } from 'sondage';
    const client = new Client(${given});
    let answered = 0;
    try {
      for (; answered < 60; answered += 4) await Promise.all([1, 2, 3, 4].map(() => client.readPanel({ panelId: ${panelId} })));
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
    }
    console.log(client.budget().callsLeft >= 0);`;
  const ended = await Promise.all([1, 2, 3].map(() => run(code)));
  assert.deepEqual(ended.map(({ status, stdout }) => [status, stdout]), Array(3).fill([0, 'true\n']), ended[0].stderr);
  // Each warning is logged by one process only.
  const warnings = ended.map(({ stderr }) => stderr).join('').match(/^\(sondage\) Warning: \d+ %/gm);
  assert.deepEqual(warnings.sort(), ['(sondage) Warning: 100 %', '(sondage) Warning: 80 %']);
  assert.equal((await arrived()) - before, 100);
  assert.equal(new Client(settings('shared')).budget().calls, 100);
});

test('with `hard_stop`, a call that cannot be counted is not sent', async () => {
  const file = new Client(settings('told')).budget().file;
  const client = new Client(settings('', { budgetFolder: join(file, 'below'), budget: 'hard_stop' }));
  const before = await arrived();
  const error = await failure(client.readPanel({ panelId }));
  assert.ok(error instanceof ConfigurationError && /cannot be counted/.test(error.message), `${error}`);
  assert.equal(await arrived(), before);
  const soft = new Client(settings('', { budgetFolder: join(file, 'below') }));
  await soft.readPanel({ panelId });
  assert.ok(soft.budget().calls === 1 && soft.budget().trouble.includes('cannot be used'));
});
