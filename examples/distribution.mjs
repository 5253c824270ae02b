// Invitations, reminders, bounces and opt-outs, on a survey platform in this process.

import { field, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();
const { feedbackSurveyId: surveyId, messageTemplateId, panelId, workspaceId } = box;

// The message templates.
for (const letter of (await client.readMessageTemplateList({ language: 'en' })).messageTemplates) {
  console.log(`${letter.name}: ${letter.subject}, in ${letter.locales.join(', ')}`);
}

// Plan the invitation, to see whom it reaches. These members were invited before, and are invited again.
const where = field('Division').isEqualTo('Sales');
const plan = await client.planInvite({ surveyId, panelId, messageTemplateId, where, again: true });
console.log(String(plan).split('\n')[0]);
const invited = await plan.run({ confirm: plan.token });
if (invited.stopped || invited.distributorId === null) throw invited.stopped ?? new Error('nobody was invited');
console.log('invited:', invited.members.length);

// A reminder in a week, for those who have not answered by then.
const { distributorId } = invited;
const inAWeek = new Date(Date.now() + 7 * 24 * 3600 * 1000);
await client.remindMembers({ distributorId, messageTemplateId, scheduleDateTime: inAWeek });

// The status of the distributor, and the bounces.
for (const distributor of (await client.readDistributorList({ surveyId })).distributors) {
  console.log(distributor.distributionChannel, distributor.distributionState);
}
console.log('came back:', (await client.readBounceList({ surveyId })).bounces.length);

// Somebody opts out.
await client.writeOptOutList({ workspaceId, emails: [{ email: 'ada@example.com', optOutOperation: 'Add' }] });
console.log('on the list:', (await client.readOptOutList({ workspaceId })).optOutItems.length);

// One mail to one person.
await client.executeSendMail({
  language: 'en', from: 'us@example.com', to: 'grace@example.com', subject: 'Thank you', body: 'Dear Grace, ...',
});

// Delete the distributor, which cancels the reminder; the answers are kept.
await client.deleteDistributor({ distributorId, keepInterviews: true });
box.stop();
