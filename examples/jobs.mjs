// Jobs: updates members from rows, reads a list as a table, and stores documents on disk, on a platform in
// this process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox } from 'sondage';

const box = await Sandbox.demo();
const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
const client = box.client();
const { panelId, messageTemplateId, feedbackSurveyId: surveyId } = box;

// Update members: first a plan, which changes nothing.
const [ada] = await client.members(panelId, { fields: ['Email'] }).toArray();
const rows = [
  { Email: String(ada.fields.Email.value), Division: 'Moon' },
  { Email: 'nobody@example.com', Division: 'Moon' },
];
const plan = await client.planUpdate(panelId, rows, { key: 'Email' });
console.log(String(plan));
for (const change of plan.changes) {
  console.log(`row ${change.row}: ${change.field} becomes ${change.new}`);
}
console.log('changed:', (await plan.apply()).applied.length);

// The bounces of an invitation, as a table. `bounces.toIPC()` is for apache-arrow.
await client.inviteMembers({ surveyId, panelId, messageTemplateId, channel: 'Email' });
const bounces = await client.pages('readBounceList', { surveyId }).table();
console.log('bounces:', bounces.columns.slice(0, 6).join(', '));

// The answers of a survey as PDF documents.
const report = await client.archiveAnswers(surveyId, folder, { locale: 'de' });
for (const { interview, error } of report.failed) {
  console.log(`${interview}: ${error.message}`);
}
console.log(`${report.progress.stored} of ${report.progress.interviews} documents`);

await rm(folder, { recursive: true });
await box.stop();
