// The doctor: what it finds, in JavaScript's types.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandbox } from './support.mjs';

const box = await sandbox();

test('a healthy set-up gets no complaint', async () => {
  const diagnosis = await box.client().doctor();
  assert.ok(diagnosis.healthy, JSON.stringify(diagnosis));
  assert.deepEqual([...new Set(diagnosis.checks.map((check) => check.state))], ['passed']);
});

test('what is wrong is named with its cure, also by a blocking client', () => {
  const found = box.blockingClient({ clientSecret: 'mistyped' }).doctor();
  const wrong = found.checks.filter((check) => check.state === 'failed');
  assert.deepEqual([found.healthy, wrong.length, wrong[0].check], [false, 1, 'token']);
  assert.ok(wrong[0].found.includes('was not accepted') && wrong[0].cure.includes('Copy'), wrong[0].found);
  assert.ok(!JSON.stringify(found).includes('mistyped'));
});
