// The types: correct programs compile under --strict, and mistakes do not.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BlockingClient, Client } from 'sondage';
import { ROOT, node } from './support.mjs';

const COMPILER = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
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
