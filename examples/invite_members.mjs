// Creates members, counts whom an invitation will reach, and invites them.

import { Client, OutcomeUnknown, field, newMember } from 'sondage';

const [panelId, surveyId, messageTemplateId] = process.argv.slice(2).map(BigInt);
const client = new Client(); // the SONDAGE_* environment says how to connect

const ada = newMember({ Email: 'ada@example.com', FirstName: 'Ada', Division: 'Analysis' });
const grace = newMember({ Email: 'not an address', FirstName: 'Grace', Division: 'Analysis' });
const created = await client.createMembers({ panelId, members: [ada, grace] });
for (const issue of created.validationIssues) console.log('not created:', issue.errorMessage);

const analysts = field('Division').isEqualTo('Analysis');
const audience = await client.members(panelId, { where: analysts }).toArray();
console.log('will be invited:', audience.length);
try {
  const invitation = { surveyId, panelId, messageTemplateId, channel: 'Email', conditions: analysts };
  const { distributorId } = await client.inviteMembers(invitation);
  console.log('invited by distributor', distributorId);
} catch (error) {
  if (!(error instanceof OutcomeUnknown)) throw error;
  console.log('perhaps invited.', error.reconcile);
}
await client.close();
