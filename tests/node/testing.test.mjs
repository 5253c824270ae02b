// The test support for users: `sondage/testing`.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as testing from 'sondage/testing';
import { failure } from './support.mjs';

const { fixtures, withSandbox } = testing;
const ada = { fields: { Email: { name: 'Email', fieldType: 'String', value: 'ada@example.com' } } };

/** Whether nothing listens any more. */
const stopped = async ({ baseUrl }) => (await failure(fetch(baseUrl))).cause.code === 'ECONNREFUSED';

const used = [];
for (const name of ['first', 'second']) {
  test(`each test has a sandbox of its own: ${name}`, withSandbox(async ({ sandbox, client }, t) => {
    assert.equal(t.name, `each test has a sandbox of its own: ${name}`);
    assert.ok(!used.includes(sandbox.baseUrl));
    used.push(sandbox.baseUrl);
    await client.createMembers({ panelId: sandbox.panelId, members: [ada] });
    assert.equal((await sandbox.ledger()).effects.filter(({ operation }) => operation === 'CreateMembers').length, 1);
  }));
}

test('what ran before is closed, whatever the test came to', async () => {
  let seen;
  const body = withSandbox({ extraMembers: 2 }, async (box, more) => {
    seen = box;
    assert.equal(more, 'context');
    await box.client.readPanel({ panelId: box.sandbox.panelId });
    throw new Error('the test failed');
  });
  assert.equal(body.length, 0);
  assert.equal((await failure(body('context'))).message, 'the test failed');
  assert.ok(await stopped(seen.sandbox));
  assert.match((await failure(seen.client.readPanel({ panelId: 1 }))).message, /client is closed/);
});

// Vitest is not installed here: this does what its `test.extend` does with fixtures.
test('fixtures for runners that read what a test needs from its source', async () => {
  const { sandbox, client } = fixtures();
  for (const fixture of [sandbox, client]) assert.match(String(fixture), /^async \(\{[^}]*\}, use\) =>/);
  let seen;
  await sandbox({}, (box) => client({ sandbox: box }, async (own) => {
    seen = { box, own };
    assert.equal((await own.members(box.panelId).toArray()).length, 200);
  }));
  assert.ok(await stopped(seen.box));
  assert.match((await failure(seen.own.readPanel({ panelId: 1 }))).message, /client is closed/);
  const broken = sandbox({}, (box) => client({ sandbox: box }, () => Promise.reject(new Error('the test failed'))));
  assert.equal((await failure(broken)).message, 'the test failed');
});

test('required and imported, it is the same', () => {
  const { fixtures: again, withSandbox: same } = createRequire(import.meta.url)('sondage/testing');
  assert.deepEqual([again, same], [fixtures, withSandbox]);
});
