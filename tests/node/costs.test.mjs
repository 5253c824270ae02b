// What lists, loads, imports and plans cost in calls, cold and warm: the table of docs/budget.md, by the ledger of the sandbox.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { field } from 'sondage';
import { sandbox } from './support.mjs';

const folder = await mkdtemp(join(tmpdir(), 'sondage-costs-'));
after(() => rm(folder, { recursive: true }));

/** The calls of a job of a new client: what earlier ones have learned is shared by the process. */
async function cost(box, job) {
  const made = async () => (await box.ledger()).requests.filter(({ operation }) => operation !== 'token').length;
  const before = await made();
  await job(box.client());
  return (await made()) - before;
}

const twice = async (box, job) => [await cost(box, job), await cost(box, job)];

test('a list that fits one page', async () => {
  const box = await sandbox();
  const nobody = field('Email').isEqualTo('nobody@example.invalid');
  assert.deepEqual(await twice(box, (client) => client.members(box.panelId).toArray()), [2, 1]);
  assert.deepEqual(await twice(box, (client) => client.members(box.panelId, { thorough: true }).toArray()), [2, 2]);
  assert.deepEqual(await twice(box, (client) => client.members(box.panelId, { where: nobody }).toArray()), [3, 2]);
});

test('a list of many pages', async () => {
  const box = await sandbox({ extraMembers: 10_002 });
  assert.deepEqual(await twice(box, (client) => client.members(box.panelId).toArray()), [11, 11]);
  assert.deepEqual(await twice(box, (client) => client.members(box.panelId, { pageSize: 10_000 }).toArray()), [2, 2]);
});

test('a load without changes', async () => {
  const box = await sandbox();
  const load = (client) =>
    client.interviews(box.feedbackSurveyId, { fields: ['Id', 'State'] }).delta(join(folder, 'state'), () => {});
  assert.deepEqual([await cost(box, load), ...(await twice(box, load))], [2, 2, 1]);
});

test('an import of a thousand rows', async () => {
  const box = await sandbox();
  let number = 0;
  const bring = async (client) => {
    const rows = Array.from({ length: 1000 }, () => ({ Email: `person${number++}@import.example` }));
    const { created } = await client.importMembers(box.panelId, rows, { key: 'Email' });
    assert.equal(created, 1000);
  };
  assert.deepEqual(await twice(box, bring), [4, 4]);
});

test('a plan and its run', async () => {
  const box = await sandbox();
  const { surveyId, panelId, messageTemplateId } = box;
  const plan = (client) => client.planInvite({ surveyId, panelId, messageTemplateId });
  assert.deepEqual(await twice(box, plan), [14, 10]);
  const made = await plan(box.client());
  assert.deepEqual([await cost(box, () => made.run({ confirm: made.token })), made.calls], [10, 10]);
});

test('the doctor', async () => {
  assert.deepEqual(await twice(await sandbox(), (client) => client.doctor()), [7, 6]);
});
