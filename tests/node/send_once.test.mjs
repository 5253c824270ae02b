// A write that is sent once under a key.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OutcomeUnknown, newMember } from 'sondage';
import { failure, sandbox } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sondage-once-'));
after(() => rmSync(folder, { recursive: true }));

test('a second call gets what the first one made', async () => {
  const box = await sandbox();
  const once = box.client().sendOnce({ key: 'people', folder, quiet: 0 });
  const request = { panelId: box.panelId, members: [newMember({ Email: 'ada@once.example' })] };
  await box.fault({ on: 'CreateMembers', action: { kind: 'cut', at: 'afterEffect' } });
  const lost = await failure(once.createMembers(request));
  assert.ok(lost instanceof OutcomeUnknown && /the same key again/.test(lost.reconcile), lost.reconcile);
  const found = await once.createMembers(request);
  const again = box.blockingClient().sendOnce({ key: 'people', folder }).createMembers(request);
  assert.deepEqual(again, found);
  const { effects, requests } = await box.ledger();
  assert.deepEqual(effects.filter(({ operation }) => operation === 'CreateMembers').map(({ ids }) => ids), [found.membersIds.map(String)]);
  assert.equal(requests.filter(({ operation }) => operation === 'CreateMembers').length, 1);
});

test('another request under a key is refused', async () => {
  const box = await sandbox();
  const once = box.client().sendOnce({ key: 'others', folder });
  const request = (name) => ({ panelId: box.panelId, members: [newMember({ Email: `${name}@once.example` })] });
  await once.createMembers(request('ada'));
  const refused = await failure(once.createMembers(request('bea')));
  assert.match(refused.message, /another request was sent before.*Nothing was sent/s);
  assert.match((await failure(once.readPanel({ panelId: box.panelId }))).message, /operations that are never retried/);
  assert.throws(() => box.client().sendOnce({ key: ' ' }), /`key` is empty/);
});
