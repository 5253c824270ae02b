// The examples run, and say what they should.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { node } from './support.mjs';

test('examples/first.mjs', async () => {
  const { status, stdout, stderr } = await node(['examples/first.mjs']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(stdout, readFileSync(new URL('../../examples/first.txt', import.meta.url), 'utf8'));
});

test('examples/invite_members.mjs', async () => {
  const { status, stdout, stderr } = await node(['examples/invite_members.mjs']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /not created: .*not an address/);
  assert.match(stdout, /to be invited: Ada ada@example\.com/);
  assert.match(stdout, /to be invited: Jürg juerg@example\.com/);
  assert.match(stdout, /invited by distributor \d+/);
});

test('examples/demo.mjs', async () => {
  const { status, stdout, stderr } = await node(['examples/demo.mjs']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /944 interviews, with labels/);
  assert.match(stdout, /Strong Democrat .* 99 /);
});
