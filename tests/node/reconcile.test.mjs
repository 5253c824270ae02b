// Finding out whether a write with an unknown outcome took effect.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutcomeUnknown } from 'sondage';
import { failure, sandbox } from './support.mjs';

const person = (name) => ({ fields: { Email: { name: 'Email', fieldType: 'String', value: `${name}@reconcile.example` } } });

test('a write that took effect is found, and one that did not can be called again', async () => {
  const box = await sandbox();
  const client = box.client();
  const lost = async (name, action) => {
    await box.fault({ on: 'CreateMembers', action });
    return failure(client.createMembers({ panelId: box.panelId, members: [person(name)] }));
  };
  const cut = await lost('ada', { kind: 'cut', at: 'afterEffect' });
  assert.ok(cut instanceof OutcomeUnknown && /`reconcile`.*`writeId`.*`readMemberList`/.test(cut.reconcile), cut.reconcile);
  const became = await client.reconcile({ writeId: cut.writeId });
  const { effects } = await box.ledger();
  const [made] = effects.filter((effect) => effect.operation === 'CreateMembers');
  assert.deepEqual([became.verdict, became.ids, became.attributed, became.missing], ['happened', made.ids, true, []]);
  const refused = await lost('bea', { kind: 'status', status: 503 });
  const early = await client.reconcile({ writeId: refused.writeId, wait: 0 });
  assert.ok(early.verdict === 'still_unknown' && early.againIn > 170_000 && early.againIn <= 180_000);
  assert.equal(box.blockingClient().reconcile({ writeId: refused.writeId, quiet: 0 }).verdict, 'did_not_happen');
});

test('a write that cannot be reconciled is reported as such', async () => {
  const box = await sandbox();
  const client = box.client();
  assert.match((await failure(client.reconcile({ writeId: 'elsewhere' }))).message, /knows no write with the id elsewhere/);
  assert.match((await failure(client.reconcile({ writeId: '' }))).message, /`writeId` is empty/);
  assert.throws(() => box.blockingClient().reconcile({ writeId: '' }), /`writeId` is empty/);
});
