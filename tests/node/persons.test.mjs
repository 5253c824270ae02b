// The data held about a person: exported, and erased with a receipt.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newMember } from 'sondage';
import { failure, sandbox } from './support.mjs';

const EMAIL = 'Marker.Personne@example.com';

async function scene(context) {
  const folder = await mkdtemp(join(tmpdir(), 'sondage-persons-'));
  context.after(() => rm(folder, { recursive: true }));
  const box = await sandbox();
  const client = box.client();
  await client.createMembers({ panelId: box.panelId, members: [newMember({ Email: EMAIL, FirstName: 'Zebulonia' })] });
  return { box, client, folder, who: { panelIds: [box.panelId], key: 'Email', value: EMAIL } };
}

test('the data of a person are exported and erased', async (context) => {
  const { client, folder, who } = await scene(context);
  const plan = await client.planExportPerson(who);
  assert.ok(plan.calls > 3 && plan.members.length === 1);
  const export_ = await client.exportPerson({ ...who, folder: join(folder, 'ada') });
  assert.deepEqual([export_.files.toSorted(), export_.json], [['manifest.json', 'person.json'], null]);
  assert.ok((await readFile(join(folder, 'ada', 'person.json'), 'utf8')).includes(EMAIL));
  const choices = { ...who, keepInterviews: false, files: [join(folder, 'ada')] };
  const erasure = await client.planErasePerson(choices);
  const planned = erasure.steps.filter(({ outcome }) => outcome === 'planned');
  assert.deepEqual(planned.map(({ what }) => what), ['file', 'member']);
  const path = join(folder, 'receipt.json');
  assert.match((await failure(client.erasePerson(path, { ...choices, confirm: 'yes' }))).message, /does not confirm/);
  const receipt = await client.erasePerson(path, { ...choices, confirm: erasure.token });
  assert.deepEqual([receipt.erased, receipt.ended instanceof Date], [2, true]);
  assert.ok(!(await readFile(path, 'utf8')).includes(EMAIL));
  assert.match((await failure(client.planExportPerson(who))).message, /no member of the panels/);
});

test('the same, blocking', async (context) => {
  const { box, folder, who } = await scene(context);
  const client = box.blockingClient();
  assert.ok(client.planExportPerson(who).calls > 3);
  assert.ok(client.exportPerson(who).json.includes(EMAIL));
  const { token } = client.planErasePerson({ ...who, keepInterviews: true });
  assert.equal(client.erasePerson(join(folder, 'receipt.json'), { ...who, keepInterviews: true, confirm: token }).erased, 1);
});
