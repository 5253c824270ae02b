// The log of the library, in loggers of the program.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
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

test('an asynchronous logger may fail', async () => {
  let records = 0;
  logTo(async () => {
    records += 1;
    throw new Error('the log is full');
  }, { level: 'debug' });
  await repeated();
  await until(() => records > 0);
  logTo(null);
  // A rejection that nobody handles would end the process of the test.
  await new Promise((resolve) => setImmediate(resolve));
});

test('a worker thread has a logger of its own, which ends with it', async () => {
  const [here, there] = [[], []];
  logTo(({ message }) => here.push(message), { level: 'debug' });
  const code = `
    const { logTo } = require('sondage');
    const { parentPort } = require('node:worker_threads');
    logTo(({ message }) => parentPort.postMessage(message), { level: 'debug' });
    parentPort.once('message', () => process.exit());
    parentPort.postMessage('ready');`;
  const worker = new Worker(code, { eval: true });
  worker.on('message', (message) => there.push(message));
  await until(() => there.includes('ready'));
  await repeated();
  const both = (lines) => lines.some((message) => message.includes('ReadWorkspaceList'));
  await until(() => both(here) && both(there));
  worker.postMessage('end');
  await once(worker, 'exit');
  here.length = 0;
  await repeated();
  await until(() => both(here));
  logTo(null);
});

test('when the last logger has ended with its thread, warnings are printed', async () => {
  const ended = await run(`
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { Sandbox } from 'sondage';
    await once(new Worker("require('sondage').logTo(() => {}, { level: 'debug' })", { eval: true, execArgv: [] }), 'exit');
    const box = await Sandbox.demo();
    const client = box.client({ budget: 'warn', budgetCalls: 1, budgetLoopback: true });
    for (let i = 0; i < 2; i += 1) await client.readWorkspaceList();
    box.stop();`);
  assert.equal(ended.status, 0, ended.stderr);
  assert.match(ended.stderr, /\(sondage\) Warning: /);
  assert.doesNotMatch(ended.stderr, /attempt/, 'the level of the logger that has ended is over too');
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
