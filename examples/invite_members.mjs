// Creates members, plans an invitation, and sends it to exactly the planned members.

import { Client, field, newMember } from 'sondage';

const [panelId, surveyId, messageTemplateId] = process.argv.slice(2).map(BigInt);
const client = new Client(); // the SONDAGE_* environment says how to connect

const ada = newMember({ Email: 'ada@example.com', FirstName: 'Ada', Division: 'Analysis' });
const grace = newMember({ Email: 'not an address', FirstName: 'Grace', Division: 'Analysis' });
const created = await client.createMembers({ panelId, members: [ada, grace] });
for (const issue of created.validationIssues) console.log('not created:', issue.errorMessage);

const analysts = field('Division').isEqualTo('Analysis');
const plan = await client.planInvite({ surveyId, panelId, messageTemplateId, where: analysts });
console.log('will be invited:', plan.members.length);
const { stopped, distributorId } = await plan.run({ confirm: plan.token });
if (stopped) console.log('perhaps invited.', stopped.reconcile);
else console.log('invited by distributor', distributorId);
await client.close();
