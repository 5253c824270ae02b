// Calls that are recorded, and replayed without a network.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BlockingClient, Client, ConfigurationError, Sandbox, newMember } from 'sondage';
import { failure, sandbox } from './support.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sondage-recording-'));
after(() => rmSync(folder, { recursive: true }));

test('what was read is read again without a service', async () => {
  const file = join(folder, 'read.jsonl');
  const box = await Sandbox.demo();
  const { panelId } = box;
  const live = await box.client({ record: file, pageSize: 50 }).members(panelId).toArray();
  box.stop();
  const members = await new Client({ replay: file, pageSize: 50 }).members(panelId).toArray();
  assert.deepEqual(members.map(({ id }) => id), live.map(({ id }) => id));
  assert.equal(new Set(members.map((member) => member.fields.Email.value)).size, new Set(live.map((member) => member.fields.Email.value)).size);
  assert.equal([...new BlockingClient({ replay: file, pageSize: 50 }).members(panelId)].length, 200);
});

test('a recording has no secret and no person', async () => {
  const file = join(folder, 'persons.jsonl');
  const box = await sandbox();
  const client = box.client({ record: file });
  const live = await client.members(box.panelId).toArray();
  const members = [newMember({ Email: 'canary@example.com', FirstName: 'Canary', LastName: 'Canaryson' })];
  await client.createMembers({ panelId: box.panelId, members });
  await client.readSurveyLinks({ surveyId: box.surveyId });
  const text = readFileSync(file, 'utf8');
  const people = live.flatMap((member) => ['Email', 'FirstName', 'LastName'].map((name) => member.fields[name]?.value)).filter((name) => name?.length > 3);
  assert.ok(people.length >= 400, `${people.length}`);
  assert.deepEqual(people.filter((person) => text.includes(person)), []);
  for (const secret of [box.clientSecret, box.tenant, box.baseUrl, 'anary', 'Bearer', 'access_token', '@example']) {
    assert.ok(!text.includes(secret), secret);
  }
});

test('a request that was not recorded names the nearest', async () => {
  const file = join(folder, 'unknown.jsonl');
  const box = await sandbox();
  const { panelId } = box;
  await box.client({ record: file }).readPanel({ panelId });
  const client = new Client({ replay: file });
  const error = await failure(client.readPanel({ panelId: 12345 }));
  assert.ok(error instanceof ConfigurationError, `${error}`);
  assert.ok(error.message.includes(`line 2, where panelId is ${panelId} and not 12345`), error.message);
  assert.deepEqual([error.operation, error.attempts], ['ReadPanel', 1]);
  assert.match((await failure(client.members(panelId).toArray())).message, /ReadMemberList.*has responses to ReadPanel/s);
  const { requests } = await box.ledger();
  assert.equal(requests.filter(({ operation }) => operation === 'ReadPanel').length, 1);
});

test('a file that is not a recording is refused, and left as it is', async () => {
  const file = join(folder, 'people.csv');
  writeFileSync(file, 'name,age\nada,41\n');
  const box = await sandbox();
  assert.throws(() => new Client({ replay: file }), /is not a recording/);
  assert.match((await failure(box.client({ record: file }).readPanel({ panelId: box.panelId }))).message, /is not a recording/);
  assert.throws(() => box.client({ record: file, replay: file }), /exclude each other/);
  assert.equal(readFileSync(file, 'utf8'), 'name,age\nada,41\n');
});
