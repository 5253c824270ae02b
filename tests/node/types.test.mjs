// The types: correct programs compile under --strict, and mistakes do not.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BlockingClient, Client, Sandbox } from 'sondage';
import { ROOT, node } from './support.mjs';

const COMPILER = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
const require = createRequire(import.meta.url);
const COMMAND = require.resolve('sondage/package.json').replace('package.json', require('sondage/package.json').bin.sondage);
const STRICT = [
  '--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--target', 'es2022',
  '--module', 'node20', '--lib', 'es2022,esnext.disposable', '--types', 'node',
]; // prettier-ignore

// The compiler is slow on a busy machine.
const compile = (...files) => {
  const paths = files.map((file) => `${ROOT}tests/node/types/${file}`);
  return node([COMPILER, ...STRICT, ...paths]);
};

test('correct programs compile, as a module and as a script', async () => {
  const { status, stdout } = await compile('right.mts', 'right.cts');
  assert.equal(status, 0, stdout);
});

test('the examples compile under --strict', async () => {
  const strict = STRICT.filter((word) => !/Unchecked|exactOptional/.test(word));
  const programs = (folder) => readdirSync(folder).filter((name) => name.endsWith('.mjs')).map((name) => folder + name);
  const files = [`${ROOT}examples/`, `${ROOT}examples/webhooks/`].flatMap(programs);
  const { status, stdout } = await node([COMPILER, ...strict, '--allowJs', '--checkJs', ...files]);
  assert.ok(files.length > 6 && status === 0, stdout);
});

test('declarations of an account compile, whatever its columns are called', async () => {
  const rows = [{ 'Q-1': 1, class: 'a', 'say "ü" */ 1': 2.5, when: new Date(0) }];
  const labels = { 'Q-1': new Map([[1, 'one */ };']]) };
  const box = await Sandbox.fromRows(rows, { labels, questions: { class: 'Which\nclass?' } });
  const folder = mkdtempSync(`${ROOT}tests/node/types/account-`);
  try {
    const client = box.client();
    const environment = { SONDAGE_BASE_URL: box.baseUrl, SONDAGE_AUTH_URL: box.authUrl, SONDAGE_TENANT: box.tenant, SONDAGE_CLIENT_SECRET: box.clientSecret };
    const words = ['types', '--panel', `${box.panelId}`, '--survey', `${box.surveyId}`];
    const { stdout: declarations } = await node([COMMAND, ...words], environment);
    writeFileSync(`${folder}/account.d.ts`, declarations);
    const program = (key) => `
      import { Sandbox, newMember } from 'sondage';
      import type { Panel${box.panelId}Fields, Survey${box.surveyId}Row } from './account.d.ts';
      const box = await Sandbox.demo();
      const fields: Partial<Panel${box.panelId}Fields> = { Email: 'ada@example.com' };
      newMember(fields);
      const table = await box.client().interviews(box.surveyId).table();
      for (const row of table.rows() as Iterable<Survey${box.surveyId}Row>) {
        const number: number | bigint | null = row[${JSON.stringify(key)}];
        const text: string | null = row.class, real: number | null = row['say "ü" */ 1'];
        console.log(number, text, real);
      }`;
    for (const [key, expected] of [['Q-1', 0], ['Q-2', 2]]) {
      writeFileSync(`${folder}/right.mts`, program(key));
      const { status, stdout } = await compile(`${folder.slice(`${ROOT}tests/node/types/`.length)}/right.mts`);
      assert.equal(status, expected, `${stdout}\n${declarations}`);
    }
    await client.close();
  } finally {
    rmSync(folder, { recursive: true });
    box.stop();
  }
});

test('each mistake is found, and nothing else', async () => {
  const { stdout } = await compile('wrong.mts');
  const found = new Set([...stdout.matchAll(/wrong\.mts\((\d+),/g)].map((match) => Number(match[1])));
  const lines = readFileSync(`${ROOT}tests/node/types/wrong.mts`, 'utf8').split('\n');
  const expected = lines.flatMap((line, index) => (line.includes('// wrong:') ? [index + 1] : []));
  assert.deepEqual([...found].sort((a, b) => a - b), expected, stdout);
});

test('every operation has a type in both clients, and every type an operation', () => {
  const folder = `${ROOT}node/types/operations`;
  const typed = { '': new Set(), Blocking: new Set() };
  for (const file of readdirSync(folder).filter((name) => name !== 'index.d.ts')) {
    let prefix;
    for (const line of readFileSync(`${folder}/${file}`, 'utf8').split('\n')) {
      const opened = /^export interface (Blocking)?\w+Operations /.exec(line);
      if (opened) prefix = opened[1] ?? '';
      const method = /^ {2}(\w+)\(request/.exec(line);
      if (method) typed[prefix].add(method[1]);
    }
  }
  const own = new Set([
    'members', 'interviews', 'pages', 'withOptions', 'withResponse', 'raw', 'confirmEvent', 'missedEvents', 'pendingWrites', 'budget', 'logout', 'close', 'config', 'constructor',
    'archiveAnswers', 'createMembersFrom', 'ensureWebHook', 'erasePerson', 'exportPerson', 'fieldReport', 'importMembers', 'planErasePerson',
    'planExportPerson', 'planInvite', 'planRedeem', 'planRemind', 'planSendMail', 'planTransition', 'planUpdate', 'reconcile',
  ]); // prettier-ignore
  for (const [prefix, Class] of [['', Client], ['Blocking', BlockingClient]]) {
    const methods = Object.getOwnPropertyNames(Class.prototype).filter((name) => !own.has(name));
    assert.deepEqual(methods.sort(), [...typed[prefix]].sort());
    assert.ok(methods.length >= 15);
  }
});
