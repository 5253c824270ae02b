import { Sandbox, field, newMember } from 'sondage';

const box = await Sandbox.demo(); // a survey platform in this process
const client = box.client();

const created = await client.createMembers({
  panelId: box.panelId,
  members: [
    newMember({ Email: 'ada@example.com', FirstName: 'Ada', Language: 'en', Division: 'Research' }),
    newMember({ Email: 'juerg@example.com', FirstName: 'Jürg', Language: 'de', Division: 'Research' }),
    newMember({ Email: 'not an address', FirstName: 'Grace', Language: 'en', Division: 'Research' }),
  ],
});
for (const issue of created.validationIssues) console.log('not created:', issue.errorMessage);

// The same filter counts the audience first and invites it then.
const audience = field('Division').isEqualTo('Research').and(field('Language').isIn(['de', 'en']));
for await (const member of client.members(box.panelId, { where: audience })) {
  console.log('to be invited:', member.fields.FirstName?.value, member.fields.Email?.value);
}
const invited = await client.inviteMembers({
  surveyId: box.surveyId,
  panelId: box.panelId,
  messageTemplateId: box.messageTemplateId,
  channel: 'Email',
  conditions: audience,
});
console.log('invited by distributor', invited.distributorId);

box.stop();
