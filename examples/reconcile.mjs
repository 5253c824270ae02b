// Reconciles a call whose outcome is unknown: looks up whether it took effect, and calls again only if it did
// not. On a platform in this process.

import { OutcomeUnknown, Sandbox, newMember } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();
const person = newMember({ Email: 'ada@example.com', FirstName: 'Ada' });

async function createOnce() {
  try {
    await client.createMembers({ panelId: box.panelId, members: [person] });
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    const became = await client.reconcile({ writeId: error.writeId ?? '', quiet: 0 });
    console.log(`${became.verdict}: ${became.evidence}`);
    if (became.verdict === 'did_not_happen') await createOnce();
  }
}

// The first call is lost before it arrives, the response of the second one on its way back.
await box.fault({ on: 'CreateMembers', action: { kind: 'status', status: 503 } });
await box.fault({ on: 'CreateMembers', action: { kind: 'cut', at: 'afterEffect' } });
await createOnce();
const { effects } = await box.ledger();
const created = effects.filter(({ operation }) => operation === 'CreateMembers');
console.log('created:', created.reduce((sum, { count }) => sum + count, 0));

await box.stop();
