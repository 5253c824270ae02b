// Planned mails, vouchers and transitions: each is made once, a journal resumes the run, and an AbortError
// has the report so far.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OutcomeUnknown, SendPlan, field, newMember } from 'sondage';
import { failure, sandbox } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sondage-plans-'));
after(() => rmSync(folder, { recursive: true }));

/** A sandbox with three members who have an address and one who has none, and planned mails to them. */
async function scene() {
  const box = await sandbox();
  const client = box.client();
  const emails = ['ada', 'bea', 'cem'].map((name) => ({ Email: `${name}@mails.example` }));
  const made = await client.createMembers({ panelId: box.panelId, members: [...emails, {}].map((email) => newMember({ Division: 'Mails', ...email })) });
  const where = field('Division').isEqualTo('Mails');
  const texts = { subject: 'News', body: 'There is news.', language: 'en', sender: 'us@example.com' };
  return { box, client, people: made.membersIds, order: { where, ...texts } };
}

const count = async (box) => (await box.ledger()).effects.filter(({ operation }) => operation === 'ExecuteSendMail').length;

test('each mail is sent once and has a row', async () => {
  const { box, client, people, order } = await scene();
  const plan = await client.planSendMail(box.panelId, order);
  assert.ok(plan instanceof SendPlan);
  assert.match(`${plan}`, /reaches 3 of 4: 1 has no address\n/);
  assert.deepEqual([plan.members, plan.cost.calls, plan.report.notSent], [people.slice(0, 3), plan.calls, 3]);
  const report = await plan.run({ confirm: plan.token });
  assert.deepEqual(report.rows.map(({ status }) => status), ['done', 'done', 'done', 'left_out']);
  assert.deepEqual([report.complete, report.next, await count(box)], [true, null, 3]);
  assert.deepEqual(plan.report, report);
});

test('a journal resumes the run, and refuses another message', async () => {
  const { box, client, people, order } = await scene();
  const kept = { ...order, journal: join(folder, 'mails.journal') };
  const plan = await client.planSendMail(box.panelId, kept);
  await box.fault({ on: 'ExecuteSendMail', skip: 1, action: { kind: 'cut', at: 'afterEffect' } });
  const first = await plan.run({ confirm: plan.token });
  assert.ok(first.stopped instanceof OutcomeUnknown);
  const again = box.blockingClient().planSendMail(box.panelId, kept);
  const reasons = Object.fromEntries(again.leftOut.map(({ member, reason }) => [member, reason]));
  assert.deepEqual(reasons, { [people[0]]: 'sent', [people[1]]: 'unknown', [people[3]]: 'no_address' });
  const second = again.run({ confirm: again.token });
  assert.deepEqual([second.done, second.unknown, second.resumed, await count(box)], [2, 1, true, 3]);
  const other = await failure(client.planSendMail(box.panelId, { ...kept, subject: 'Other news' }));
  assert.match(other.message, /its message, its survey/);
});

test('an AbortError has the report so far', async () => {
  const { box, client, order } = await scene();
  const plan = await client.planSendMail(box.panelId, order);
  await box.fault({ on: 'ExecuteSendMail', skip: 1, delayMs: 30_000 });
  const stop = new AbortController();
  const run = failure(plan.run({ confirm: plan.token, signal: stop.signal }));
  while (plan.report.done === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  const error = await run;
  assert.equal(error.name, 'AbortError');
  assert.deepEqual([error.report.done, error.report.complete], [1, false]);
});

test('vouchers are bought and transitions made as planned', async () => {
  const { box, client, people } = await scene();
  const [offer] = (await client.readIncentiveList()).panelIncentives;
  const plan = await client.planRedeem(offer.id, { memberIds: people.slice(0, 2) });
  const { rows } = await plan.run({ confirm: plan.token });
  assert.deepEqual(rows.map(({ target }) => target), people.slice(0, 2));
  assert.equal(new Set(rows.map(({ voucherCode }) => voucherCode)).size, 2);
  const { surveyId } = box;
  const close = await client.planTransition({ workflow: 'SurveyDesign', targetState: 'Closed', surveyId });
  assert.match(`${close}`, /from Published to Closed by Close\n/);
  assert.equal((await close.run({ confirm: close.token })).done, 1);
  assert.match((await failure(client.planTransition({ workflow: 'SurveyDesign', targetState: 'Closed', surveyId }))).message, /Closed already/);
});
