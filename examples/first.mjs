// Creates members and finds one of them, on a survey platform in this process.

import { Sandbox, field, newMember } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();

const created = await client.createMembers({
  panelId: box.panelId,
  members: [
    newMember({ Email: 'ada@example.com', FirstName: 'Ada', Division: 'Research' }),
    newMember({ Email: 'not an address', FirstName: 'Grace', Division: 'Research' }),
  ],
});
for (const issue of created.validationIssues) console.log('not created:', issue.errorMessage);

const research = field('Division').isEqualTo('Research');
const ada = field('FirstName').isEqualTo('Ada');
for await (const member of client.members(box.panelId, { where: research.and(ada) })) {
  console.log('found:', member.fields.FirstName?.value, member.fields.Email?.value);
}
box.stop();
