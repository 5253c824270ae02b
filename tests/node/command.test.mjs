// npm puts the command on the path.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const { bin, version } = require('sondage/package.json');
const command = require.resolve('sondage/package.json').replace('package.json', bin.sondage);
const run = (...words) => spawnSync(process.execPath, [command, ...words], { encoding: 'utf8' });

test('it has the version and the exit codes of the program', () => {
  const { status, stdout } = run('--version');
  assert.deepEqual([status, stdout], [0, `sondage ${version}\n`]);
  const wrong = run('exprot');
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /exprot/);
});

test('Ctrl-C ends it', async () => {
  const sandbox = spawn(process.execPath, [command, 'sandbox']);
  await once(sandbox.stdout, 'data');
  sandbox.kill('SIGINT');
  const [code] = await once(sandbox, 'close');
  assert.equal(code, 0);
});
