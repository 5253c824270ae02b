// `cargo xtask demo node`: starts a survey platform in this process, and shows what the library does with it.

import { tableFromIPC } from 'apache-arrow';
import { Client, Sandbox, field, newMember } from 'sondage';

const began = performance.now();
/** @param {string} what */
const step = (what) => console.log(`\n${what}`);

/** @param {Sandbox} box @param {Client} client */
async function importMembers(box, client) {
  step('Import members. The platform checks them as it would in its own pages:');
  const people = [
    { Email: 'ada@example.com', FirstName: 'Ada', Language: 'en' },
    { Email: 'juerg@example.com', FirstName: 'Jürg', Language: 'de' },
    { Email: 'no address', FirstName: 'Zoë', Language: 'fr' },
  ];
  const created = await client.createMembers({
    panelId: box.panelId,
    members: people.map((person) => newMember({ ...person, Division: 'Research' })),
  });
  people.forEach((person, row) => {
    const id = created.membersIds[row];
    console.log(`  ${person.FirstName.padEnd(6)}${person.Email.padEnd(20)}${id ? `member ${id}` : 'not created'}`);
  });
  for (const issue of created.validationIssues) console.log(`  The platform says: ${issue.errorMessage}`);
}

/** @param {Sandbox} box @param {Client} client */
async function inviteMembers(box, client) {
  step('Invite some of them, by a condition. First count whom it reaches:');
  const condition = field('Division').isEqualTo('Research').and(field('Language').isIn(['de', 'fr']));
  const audience = await client.members(box.panelId, { fields: ['Email', 'FirstName'], where: condition }).toArray();
  console.log(`  ${audience.length} of the panel's members, ${audience.at(-1)?.fields.FirstName?.value} among them`);
  const invited = await client.inviteMembers({
    surveyId: box.surveyId,
    panelId: box.panelId,
    messageTemplateId: box.messageTemplateId,
    channel: 'Email',
    conditions: condition,
  });
  const { effects } = await box.ledger();
  const sent = effects.filter((effect) => effect.kind === 'MessagesSent').reduce((sum, effect) => sum + effect.count, 0);
  console.log(`  Distributor ${invited.distributorId} carried ${sent} messages; who has opted out or has no address gets none.`);
}

/** @param {Sandbox} box @param {Client} client */
async function showInterviews(box, client) {
  const interviews = client.interviews(box.surveyId, {
    fields: ['age', 'educ', 'PID', 'selfLR', 'vote'],
    state: 'Completed',
    labels: true,
  });
  const table = await interviews.table();
  step(`Read the American National Election Study of 1996: ${table.numRows} interviews, with labels.`);
  console.table([...table.rows()].slice(0, 8));

  // Tables are passed as Arrow, without a copy.
  const arrow = tableFromIPC(table.toIPC());
  const votes = new Map();
  for (const row of arrow) {
    const party = votes.get(row.PID) ?? votes.set(row.PID, { Clinton: 0, Dole: 0 }).get(row.PID);
    party[row.vote] += 1;
  }
  console.log('Expected vote by party, in percent:');
  /** @param {{ Clinton: number, Dole: number }} counts */
  const percent = ({ Clinton, Dole }) => ({
    Clinton: Math.round((100 * Clinton) / (Clinton + Dole)),
    Dole: Math.round((100 * Dole) / (Clinton + Dole)),
  });
  console.table(Object.fromEntries([...votes].map(([party, counts]) => [party, percent(counts)])));
}

const box = await Sandbox.demo();
try {
  step(`A survey platform listens at ${box.baseUrl}, tenant ${box.tenant}.`);
  const client = box.client();
  const { workspaces } = await client.readWorkspaceList();
  console.log(`Logged in with a client secret. Workspace: ${workspaces[0]?.name}`);
  await importMembers(box, client);
  await inviteMembers(box, client);
  await showInterviews(box, client);
  const { requests } = await box.ledger();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  step(`All that took ${seconds} s and ${requests.length} calls. What to try next:`);
  console.log(
    '  examples/first.mjs              a small program that runs in the same way: node FILE\n' +
      '  cargo run -p sondage-cli -- sandbox   the platform as a server, for programs of your own\n' +
      '  docs/connecting.md             how to connect to a real account',
  );
} finally {
  box.stop();
}
