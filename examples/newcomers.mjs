// Creates people from rows and invites them by one call, on a platform in this process.

import { Sandbox } from 'sondage';

const people = [
  { Email: 'ada@example.com', FirstName: 'Ada', Language: 'en' },
  { Email: '', FirstName: 'Zoe', Language: 'de' },
  { Email: 'bea@example.com', FirstName: 'Bea', Language: 'de' },
  { Email: 'bea@example.com', FirstName: 'Beatrice', Language: 'de' },
];

const box = await Sandbox.demo();
const client = box.client();
const { messageTemplateId, panelId, surveyId } = box;

// Rows that share a key are refused, and nobody without an address is invited.
const plan = await client.planCreateAndInvite(people, { surveyId, panelId, messageTemplateId, key: 'Email' });
console.log(String(plan).split('\n')[0]);
for (const left of plan.rowsLeftOut) console.log(`row ${left.row}: ${left.reason}`);

const report = await plan.run({ confirm: plan.token });
if (report.stopped) throw report.stopped;
console.log(`${report.done} was created and invited`);
box.stop();
