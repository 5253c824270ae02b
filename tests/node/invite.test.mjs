// Planned invitations: as many messages are sent as the plan says.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { SendPlan, OutcomeUnknown, field } from 'sondage';
import { failure, sandbox } from './support.mjs';

const asked = (box, more) => {
  const { surveyId, panelId, messageTemplateId } = box;
  return { surveyId, panelId, messageTemplateId, where: field('Language').isEqualTo('de'), ...more };
};

/** The ids of the members to whom something was sent. */
async function sent(box) {
  const { effects } = await box.ledger();
  const messages = effects.filter((effect) => effect.kind === 'MessagesSent');
  return messages.flatMap((message) => message.ids.map(Number)).sort((a, b) => a - b);
}

test('as many messages are sent as the plan says', async () => {
  const box = await sandbox();
  const client = box.client();
  const plan = await client.planInvite(asked(box));
  assert.ok(plan instanceof SendPlan);
  assert.match(inspect(plan), /: reaches 58 of 66: 6 have no address, 2 opted out\n/);
  assert.ok(`${plan}`.includes(plan.token) && `${plan}`.includes(`costs ${plan.calls} calls`));
  assert.deepEqual([plan.members.length, plan.matches, await sent(box)], [58, 66, []]);
  assert.equal(plan.leftOut.filter(({ reason }) => reason === 'opted_out').length, 2);
  assert.match((await failure(plan.run({ confirm: 'yes' }))).message, /does not confirm this plan/);
  const report = await plan.run({ confirm: plan.token });
  assert.deepEqual([report.stopped, report.members], [null, plan.members]);
  assert.deepEqual(await sent(box), plan.members);
  assert.match((await failure(plan.run({ confirm: plan.token }))).message, /this plan has already been run/);
});

test('a lost response is in the report, and a plan that is too old is refused', async () => {
  const box = await sandbox();
  const client = box.blockingClient();
  assert.throws(() => client.planInvite(asked(box, { cap: 0 })), /`cap` is 0/);
  const old = client.planInvite(asked(box, { cap: 3, maxAge: 0 }));
  assert.throws(() => old.run({ confirm: old.token }), /seconds old, and may be at most 0/);
  const plan = client.planInvite(asked(box, { cap: 3 }));
  await box.fault({ on: 'InviteMembers', action: { kind: 'cut', at: 'afterEffect' } });
  const report = plan.run({ confirm: plan.token });
  assert.ok(report.stopped instanceof OutcomeUnknown && report.distributorId === null);
  assert.match(report.stopped.reconcile, /`readDistributorList`/);
  assert.deepEqual(await sent(box), plan.members);
});

test('a field report counts everybody who was invited', async () => {
  const box = await sandbox();
  const report = await box.client().fieldReport(box.feedbackSurveyId, { partial: true });
  const { complete, partial, refusal, other, unknown, notEligible, cases } = report;
  assert.equal(complete + partial + refusal + other + unknown + notEligible, cases);
  assert.ok(Math.abs(report.rr1 - complete / (cases - notEligible)) < 1e-12 && report.rr2 > report.rr1);
  assert.equal(box.blockingClient().fieldReport(box.surveyId).rr1, null);
});

test('a distribution is a funnel in which nothing is invented', async () => {
  const box = await sandbox();
  const client = box.client();
  const surveyId = box.feedbackSurveyId;
  const distributorId = [...(await client.interviews(surveyId, { fields: ['DistributorId'] }).head(1))][0].DistributorId;
  const found = await client.distribution(distributorId, { surveyId });
  assert.deepEqual([found.invited, found.opened], [60, null]);
  assert.equal(found.started, found.completed + found.inProgress + found.screenedOut + found.quotaFull);
  assert.equal(found.days.reduce((sum, { completed }) => sum + completed, found.completedWithoutDay), found.completed);
  assert.match(found.toSvg(), /opened: unknown/);
  assert.match(found.toText(), /^opened +unknown/m);
  assert.equal(found.toTable().numRows, 13);
  assert.deepEqual(box.blockingClient().distribution(distributorId, { surveyId }), found);
  const { groups, cases } = await client.fieldReport(surveyId, { by: 'Language' });
  assert.equal(groups.reduce((sum, group) => sum + group.cases, 0), cases);
  assert.ok(groups.length > 1);
});

test('new members are created and invited by one call', async () => {
  const box = await sandbox();
  const client = box.client();
  const folder = await mkdtemp(join(tmpdir(), 'sondage-newcomers-'));
  after(() => rm(folder, { recursive: true }));
  const { surveyId, panelId, messageTemplateId } = box;
  const given = { surveyId, panelId, messageTemplateId, key: 'Email', journal: join(folder, 'new.journal'), quiet: 0 };
  const people = [
    { Email: 'new@plans.example', Language: 'de' },
    { Email: '', Language: 'de' },
    { Email: 'second@plans.example', CellPhoneNumber: '0791234567' },
  ];
  const plan = await client.planCreateAndInvite(people, given);
  assert.deepEqual([plan.rows, plan.count, plan.matches, plan.members], [[0], 1, 3, []]);
  assert.deepEqual(plan.rowsLeftOut.map(({ row, reason }) => [row, reason]), [[1, 'invalid'], [2, 'invalid']]);
  assert.match(plan.rowsLeftOut[1].why, /"CellPhoneNumber" needs an integer/);
  await box.fault({ on: 'CreateAndInviteMembers', action: { kind: 'cut', at: 'afterEffect' } });
  const lost = await plan.run({ confirm: plan.token });
  assert.deepEqual(lost.rows.map(({ status }) => status), ['unknown', 'left_out', 'left_out']);
  const blocking = box.blockingClient();
  const again = blocking.planCreateAndInvite(people, given);
  const report = again.run({ confirm: again.token });
  assert.deepEqual([report.rows[0].status, report.members], ['done', [report.rows[0].memberId]]);
  assert.deepEqual(await sent(box), report.members);
  const other = client.planCreateAndInvite(people.slice(0, 1), given);
  assert.match((await failure(other)).message, /its rows, its message/);
});
