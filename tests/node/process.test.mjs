// The process: it ends by itself, a panic does not end it, and every thread may have its own clients.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import * as esm from 'sondage';
import { ROOT, failure, run, sandbox } from './support.mjs';

const require = createRequire(import.meta.url);
const cjs = require('sondage');
const box = await sandbox();

test('import and require give the same classes', async () => {
  const names = Object.keys(cjs).sort();
  assert.deepEqual(names, Object.keys(esm).filter((name) => name !== 'default' && name !== 'module.exports').sort());
  for (const name of names) assert.equal(cjs[name], esm[name]);
  const error = await failure(new cjs.Client(account()).readPanel({}));
  assert.ok(error instanceof esm.InvalidArgument && error instanceof cjs.SondageError && error instanceof Error);
});

test('everything that is exported has a type', () => {
  const types = new URL('node/', `file://${ROOT}`);
  const index = readFileSync(new URL('index.d.ts', types), 'utf8');
  const files = [...index.matchAll(/^export \* from '\.\/(.+)\.js'/gm)].map((match) => match[1]);
  const texts = files.map((file) => readFileSync(new URL(`${file}.d.ts`, types), 'utf8'));
  const typed = new Set([index, ...texts].flatMap((text) =>
    [...text.matchAll(/^export (?:declare (?:abstract )?(?:class|function|const)|\* as) (\w+)/gm)].map((match) => match[1])));
  assert.deepEqual(Object.keys(cjs).filter((name) => !typed.has(name)), []);
});

test('the package runs no script and depends on nothing', () => {
  const { scripts, dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
    require('sondage/package.json');
  assert.deepEqual([scripts, dependencies], [undefined, undefined]);
  // npm installs no optional one.
  assert.ok(Object.keys(peerDependencies).every((name) => peerDependenciesMeta[name].optional));
  // Only the packages with the native libraries: npm installs the one for the machine.
  assert.ok(Object.keys(optionalDependencies).every((name) => name.startsWith('@sondage/')));
});

// Node.js on musl lists its libraries, Bun on musl lists none, and Deno has no list.
test('the compiled part for musl is chosen by a runtime without glibc', { skip: process.platform !== 'linux' }, async () => {
  const named = async (report) => {
    const code = `process.report.getReport = () => (${JSON.stringify(report)});
      console.log(require(${JSON.stringify(require.resolve('sondage'))}.replace('index.js', 'lib/platforms.js')).name);`;
    const { stdout } = await run(code, { type: 'commonjs' });
    return stdout.trim().split('-').at(-1);
  };
  for (const sharedObjects of [['/lib/ld-musl-x86_64.so.1'], [], undefined]) {
    assert.equal(await named({ header: {}, sharedObjects }), 'musl');
    assert.equal(await named({ header: { glibcVersionRuntime: '2.17' }, sharedObjects }), 'gnu');
  }
});

function account() {
  const { baseUrl, authUrl, tenant, clientSecret } = box;
  return { baseUrl, authUrl, tenant, clientSecret };
}

const settings = JSON.stringify(account());

const ENDS = {
  'a client that was never used': `new Client(${settings});`,
  'a client with a token provider': `new Client({ ...${settings}, tokenProvider: async () => 'x' });`,
  'a call that is awaited': `console.log((await new Client(${settings}).readWorkspaceList()).workspaces.length);`,
  'a call that is not awaited': `new Client(${settings}).readWorkspaceList().then(() => console.log(1));`,
  'a provider and a call': `await new Client({ ...${settings}, tokenProvider: () => 'x' }).readWorkspaceList().catch(() => {});`,
  'a list that is read in part': `for await (const m of new Client(${settings}).members(${box.panelId}, { pageSize: 10 })) break;`,
  'a sandbox that nobody stopped': `const box = await Sandbox.demo(); await box.client().readWorkspaceList();`,
  'a call that was aborted': `await new Client(${settings}).readWorkspaceList({}, { signal: AbortSignal.abort() }).catch(() => {});`,
};

for (const [name, code] of Object.entries(ENDS)) {
  test(`the process ends by itself after ${name}`, async () => {
    const ended = await run(`import { Client, Sandbox } from 'sondage'; ${code}`);
    assert.deepEqual([ended.status, ended.signal, ended.stderr], [0, null, '']);
    if (code.includes('console.log')) assert.equal(ended.stdout, '1\n');
  });
}

test('require works in a script', async () => {
  const code = `const { Client } = require('sondage'); new Client(${settings}).readWorkspaceList().then((a) => console.log(a.workspaces[0].name));`;
  assert.equal((await run(code, { type: 'commonjs' })).stdout, 'Demo\n');
});

test('process.exit in the middle of calls is clean', async () => {
  const code = `import { Client } from 'sondage';
    const provider = { ...${settings}, tokenProvider: () => new Promise(() => {}) };
    for (let i = 0; i < 40; i++) new Client(i % 2 ? provider : ${settings}).readWorkspaceList().catch(() => {});
    setTimeout(() => process.exit(7), Number(process.env.AFTER));`;
  for (const wait of [0, 5, 20, 60]) {
    const ended = await run(code.replace('Number(process.env.AFTER)', String(wait)));
    assert.deepEqual([ended.status, ended.signal], [7, null], ended.stderr);
  }
});

test('a panic is an error, and the next call works', async () => {
  const code = `import { createRequire } from 'node:module';
    import { Client } from 'sondage';
    const native = createRequire(require.resolve('sondage'))('./lib/native.js');
    const { attempt, perform } = createRequire(require.resolve('sondage'))('./lib/fail.js');
    for (const work of [() => attempt(native.panicNow), () => perform(native.panicInCore), () => perform(native.panicInAnswer),
      () => attempt(() => native.panicInCore().wait()), () => attempt(() => native.panicInAnswer().wait())]) {
      try { await work(); console.log('no panic'); } catch (error) { console.log(error.name); }
    }
    console.log((await new Client(${settings}).readWorkspaceList()).workspaces.length);`;
  const ended = await run(`import { createRequire as make } from 'node:module'; const require = make(process.cwd() + '/x.js'); ${code}`);
  assert.equal(ended.stdout, 'InternalError\n'.repeat(5) + '1\n', ended.stderr);
  assert.equal(ended.status, 0);
});

const IN_WORKER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { Client, BlockingClient, ApiError } = require('sondage');
  const client = new Client(workerData);
  (async () => {
    const { workspaces } = await client.readWorkspaceList();
    const blocking = new BlockingClient(workerData).readWorkspaceList();
    const error = await client.readPanel({ panelId: 99 }).catch((error) => error);
    const slow = new Client({ ...workerData, clientSecret: undefined, tokenProvider: () => new Promise(() => {}) });
    for (let i = 0; i < 20; i++) slow.readWorkspaceList().catch(() => {});
    parentPort.postMessage([workspaces.length, blocking.workspaces.length, error instanceof ApiError]);
  })();`;

test('workers have their own clients, and may be terminated in the middle of calls', async () => {
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(IN_WORKER, { eval: true, workerData: account() });
      worker.on('error', reject);
      worker.on('message', (message) => worker.terminate().then(() => resolve(message)));
    });
  for (let round = 0; round < 4; round++) {
    for (const message of await Promise.all([work(), work(), work()])) assert.deepEqual(message, [1, 1, true]);
  }
  assert.equal((await box.client().readWorkspaceList()).workspaces.length, 1);
});

test('a program whose only clients live in workers ends cleanly', async () => {
  const code = `import { Worker } from 'node:worker_threads';
    const start = (left) => {
      const worker = new Worker(${JSON.stringify(IN_WORKER)}, { eval: true, execArgv: [], workerData: ${settings} });
      worker.on('message', () => worker.terminate().then(() => left > 0 && start(left - 1)));
    };
    start(5);`;
  const ended = await run(code);
  assert.deepEqual([ended.status, ended.signal, ended.stderr], [0, null, '']);
});
