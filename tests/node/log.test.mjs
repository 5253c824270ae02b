// The log of the library, in loggers of the program.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, logTo } from 'sondage';
import { failure, run, sandbox, until } from './support.mjs';

const box = await sandbox();

/** The log of a retried call, and of a call that fails because of a wrong secret. */
async function repeated() {
  const client = box.client({ retryAttempts: 3 });
  await client.readWorkspaceList();
  await box.fault({ on: 'ReadWorkspaceList', times: 1, action: { kind: 'status', status: 503 } });
  assert.equal((await client.readWorkspaceList()).workspaces.length, 1);
}

test('a function gets records, with their level', async () => {
  const records = [];
  logTo((record) => records.push(record), { level: 'debug' });
  await repeated();
  await until(() => records.some(({ message }) => message.includes('ReadWorkspaceList')));
  logTo(null);
  for (const { level, target, message } of records) {
    assert.ok(['error', 'warn', 'info', 'debug'].includes(level), level);
    assert.match(target, /^sondage/);
    assert.ok(!message.includes(box.clientSecret), message);
  }
  const before = records.length;
  await repeated();
  assert.equal(records.length, before);
});

test('a logger like console gets a line for each record, and may fail', async () => {
  const lines = [];
  const note = (level) => (line) => {
    lines.push(`${level} ${line}`);
    throw new Error('the log is full');
  };
  logTo({ error: note('error'), warn: note('warn'), info: note('info'), debug: note('debug') }, { level: 'debug' });
  await repeated();
  await until(() => lines.some((line) => /^\w+ sondage\S*: .*ReadWorkspaceList/.test(line)));
  logTo(null);
});

test('what is no logger, and no level, is refused', async () => {
  for (const [given, said] of [
    [[{ info() {} }], /the logger has no function `error`/],
    [[console, { level: 'loud' }], /level must be one of error, warn, info, debug/],
  ]) {
    const error = await failure(() => logTo(...given));
    assert.equal(error.code, 'InvalidArgument');
    assert.match(error.message, said);
  }
});

test('a logger does not keep the process alive', async () => {
  const settings = JSON.stringify({ account: 'https://acme.survalyzer-eu.app', clientSecret: 'x' });
  const ended = await run(`import { Client, logTo } from 'sondage'; logTo(console, { level: 'debug' }); new Client(${settings});`);
  assert.deepEqual([ended.status, ended.signal], [0, null], ended.stderr);
  assert.ok(Client.name);
});
