// What node/README.md shows of errors and of tests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, BudgetSpent, NetworkError, OutcomeUnknown, RateLimited, Sandbox, newMember } from 'sondage';
import { withSandbox } from 'sondage/testing';

/**
 * The status with which a web service answers a sign-up.
 * @param {import('sondage').Client} client
 * @param {import('sondage').Int} panelId
 * @param {Record<string, string>} person
 */
async function signUp(client, panelId, person) {
  try {
    const created = await client.createMembers({ panelId, members: [newMember(person)] }, { deadline: 5_000 });
    return { status: created.validationIssues.length > 0 ? 422 : 201 };
  } catch (error) {
    // It may have happened: `error.reconcile` says how to find out. Do not simply call again.
    if (error instanceof OutcomeUnknown) return { status: 202 };
    // Nobody was created: the service refused the call, or it was not sent. `retryAfter` is in whole milliseconds.
    if (error instanceof RateLimited || error instanceof BudgetSpent) return { status: 503, retryAfter: error.retryAfter };
    // Nobody was created, and the library has tried again already.
    if (error instanceof NetworkError) return { status: 503 };
    throw error; // a mistake in the program or its settings
  }
}

// It has the form of a test of the README.
test('a lost response is not a second member', withSandbox(async ({ sandbox, client }) => {
  await sandbox.fault({ on: 'CreateMembers', action: { kind: 'cut', at: 'afterEffect' } });
  const answer = await signUp(client, sandbox.panelId, { Email: 'ada@example.com' });

  assert.equal(answer.status, 202);
  const { requests } = await sandbox.ledger();
  assert.equal(requests.filter(({ operation }) => operation === 'CreateMembers').length, 1);
}));

test('each kind of failure has its status', async () => {
  const box = await Sandbox.demo();
  const client = box.client();
  assert.deepEqual(await signUp(client, box.panelId, { Email: 'eve@example.com' }), { status: 201 });
  assert.deepEqual(await signUp(client, box.panelId, { Email: 'no address' }), { status: 422 });
  await assert.rejects(signUp(client, 99n, { Email: 'bob@example.com' }), ApiError);
  await box.fault({ on: 'CreateMembers', times: 1, action: { kind: 'status', status: 429, headers: { 'retry-after': '1000' } } });
  const limited = await signUp(client, box.panelId, { Email: 'mia@example.com' });
  assert.equal(limited.status, 503);
  assert.ok(Number.isInteger(limited.retryAfter) && Number(limited.retryAfter) > 900_000, String(limited.retryAfter));
  const later = await signUp(client, box.panelId, { Email: 'bob@example.com' });
  assert.ok(Number.isInteger(later.retryAfter), 'the rest of the pause is a whole number, too');
  box.stop();
});
