// A write that is sent once under a key.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OutcomeUnknown, newMember } from 'sondage';
import { DocumentJournal } from './document_journal.mjs';
import { failure, run, sandbox } from './support.mjs';

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

test('an object of the caller keeps the key, in every process', async () => {
  const box = await sandbox();
  const path = join(folder, 'document');
  const journal = new DocumentJournal(path);
  const request = { panelId: box.panelId, members: [newMember({ Email: 'cleo@once.example' })] };
  const once = box.client().sendOnce({ key: 'cleo', journal, quiet: 0 });
  await box.fault({ on: 'CreateMembers', action: { kind: 'cut', at: 'afterEffect' } });
  assert.ok((await failure(once.createMembers(request))) instanceof OutcomeUnknown);
  assert.ok(journal.lines.length > 0 && !JSON.stringify(journal.lines).includes('cleo@once.example'));
  const settings = { tenant: box.tenant, baseUrl: box.baseUrl, authUrl: box.authUrl, clientSecret: box.clientSecret };
  const program = `
    import { Client } from 'sondage';
    import { DocumentJournal } from './tests/node/document_journal.mjs';
    const once = new Client(${JSON.stringify(settings)}).sendOnce({ key: 'cleo', journal: new DocumentJournal(${JSON.stringify(path)}), quiet: 0 });
    console.log(JSON.stringify((await once.createMembers(${JSON.stringify(request)})).membersIds));
  `;
  const [one, other] = await Promise.all([run(program), run(program)]);
  assert.deepEqual([one.stderr, other.stderr, one.stdout], ['', '', other.stdout]);
  // The same client uses the object again, also twice at once.
  const both = await Promise.all([once.createMembers(request), once.createMembers(request)]);
  assert.deepEqual(both.map(({ membersIds }) => membersIds), [JSON.parse(one.stdout), JSON.parse(one.stdout)]);
  const made = (await box.ledger()).effects.filter(({ operation }) => operation === 'CreateMembers');
  assert.equal(made.length, 1);
  assert.throws(() => box.client().sendOnce({ key: 'cleo', folder, journal }), /`folder` and `journal` are both given/);
  assert.throws(() => box.blockingClient().sendOnce({ key: 'cleo', journal }), /an object needs the other client/);
});
