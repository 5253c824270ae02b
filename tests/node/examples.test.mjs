// Runs the examples and compares their output.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT, node, sandbox } from './support.mjs';

const box = await sandbox();

for (const name of ['first', 'recording', 'results', 'surveys']) {
  test(`examples/${name}.mjs prints the expected output`, async () => {
    const { status, stdout, stderr } = await node([`examples/${name}.mjs`]);
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(stdout, readFileSync(`${ROOT}examples/${name}.txt`, 'utf8'));
  });
}

// The output of the Python program, with the names of Node.js.
const WORDS = [
  [/^RedeemIncentiveCodeResponse.*$/m, 'a voucher was bought'], [/None$/m, 'without an answer'], [/\['(.*)'\]$/m, "[ '$1' ]"],
  [/(?<=^|: )True$/m, 'true'], [/(?<=: )False$/m, 'false'],
];

for (const name of ['distribution', 'import', 'incentives', 'interviews', 'newcomers', 'persons', 'plans', 'reconcile', 'send_once', 'workflows']) {
  test(`examples/${name}.mjs prints the same as examples/${name}.py`, async () => {
    const { status, stdout, stderr } = await node([`examples/${name}.mjs`]);
    assert.deepEqual([status, stderr], [0, '']);
    const promised = readFileSync(`${ROOT}examples/${name}.txt`, 'utf8');
    assert.equal(stdout, WORDS.reduce((text, [python, words]) => text.replace(python, words), promised));
  });
}

test('examples/tables.mjs', async () => {
  const { status, stdout, stderr } = await node(['examples/tables.mjs']);
  assert.deepEqual([status, stderr], [0, '']);
  const people = 'Clinton: 551 people, mean age 46.3\nDole: 393 people, mean age 48.1\n';
  assert.equal(stdout, `${people}944 rows of age, PID, vote\n0 is Clinton, 1 is Dole\n`);
});

test('examples/budget.mjs prints the same as examples/budget.py', async () => {
  const { status, stdout, stderr } = await node(['examples/budget.mjs']);
  assert.equal(status, 0, stderr);
  const promised = readFileSync(`${ROOT}examples/budget.txt`, 'utf8').replaceAll(/^WARNING.*\n/gm, '');
  assert.equal(stdout, promised);
  assert.equal(stderr.match(/^\(sondage\) Warning: (80|100) % of the calls of the day/gm).length, 2);
});

test('examples/jobs.mjs prints the same as examples/jobs.py', async () => {
  const { status, stdout, stderr } = await node(['examples/jobs.mjs']);
  assert.deepEqual([status, stderr], [0, '']);
  const columns = (text) => text.replace(/^bounces: .*$/m, (line) => line.replace(/_(.)/g, (_, letter) => letter.toUpperCase()));
  assert.equal(stdout, columns(readFileSync(`${ROOT}examples/jobs.txt`, 'utf8')));
});

test('examples/invite_members.mjs, also when the outcome is unknown', async () => {
  const { baseUrl, authUrl, tenant, clientSecret, panelId, surveyId, messageTemplateId } = box;
  const env = { SONDAGE_BASE_URL: baseUrl, SONDAGE_AUTH_URL: authUrl, SONDAGE_TENANT: tenant, SONDAGE_CLIENT_SECRET: clientSecret };
  const invite = () => node(['examples/invite_members.mjs', panelId, surveyId, messageTemplateId].map(String), env);
  const { status, stdout, stderr } = await invite();
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^not created: .*not an address.*\nwill be invited: 1\ninvited by distributor \d+\n$/);

  await box.fault({ on: 'InviteMembers', action: { kind: 'cut', at: 'afterEffect' } });
  assert.match((await invite()).stdout, /perhaps invited\. `reconcile` with this `writeId` finds out what happened\./);
  const { requests } = await box.ledger();
  assert.equal(requests.filter((arrival) => arrival.operation === 'InviteMembers').length, 2);
});

test('examples/demo.mjs', async () => {
  const { status, stdout, stderr } = await node(['examples/demo.mjs']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /944 interviews, with labels/);
  assert.match(stdout, /Strong Democrat .* 99 /);
});
