// Ids of one type, and rows of an async iterable.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsAs } from 'sondage';
import { failure, sandbox } from './support.mjs';

const large = 2n ** 60n;
const box = await sandbox({ firstMemberId: large });
const client = box.client();

test('ids are of one type, in rows and in what they hold, and nothing else changes', async () => {
  const { members } = await client.readMemberList({ panelId: box.panelId, paging: { pageSize: 3, page: 1 } });
  const [text, exact] = [idsAs(members, 'string'), idsAs(members, 'bigint')];
  assert.deepEqual(text.map(({ id }) => typeof id), ['string', 'string', 'string']);
  assert.deepEqual(JSON.parse(JSON.stringify(text)).map(({ id }) => BigInt(id)), exact.map(({ id }) => id));
  assert.deepEqual(exact.map(({ id }) => id), members.map(({ id }) => BigInt(id)));
  assert.deepEqual({ ...exact[0], id: 0 }, { ...members[0], id: 0 });
  assert.ok(exact[0].createdAt instanceof Date);
  const error = await failure(() => idsAs(members, 'number'));
  assert.equal(error.code, 'InvalidArgument');
  assert.match(error.message, /^value\[0\]\.id is 1152921504606846976, which a number cannot hold.*'bigint' or 'string'/);
  const { workspaces } = await client.readWorkspaceList();
  const sorted = idsAs(workspaces, 'number').sort((one, other) => one.id - other.id);
  assert.equal(typeof sorted[0].id, 'number');
  assert.deepEqual(idsAs({ membersIds: [1, large], total: 2, panelId: null }, 'string'), {
    membersIds: ['1', String(large)], total: 2, panelId: null,
  });
  assert.match((await failure(() => idsAs({}, 'text'))).message, /'number', 'bigint' or 'string'/);
});

test('rows may come from an async iterable: a cursor of a database', async () => {
  async function* cursor() {
    for (const name of ['one', 'two', 'three']) yield { Email: `${name}@cursor.example.org`, FirstName: name };
  }
  const report = await client.createMembersFrom(box.panelId, cursor());
  assert.equal(report.created, 3);
  const plan = await client.planUpdate(box.panelId, cursor(), { key: 'Email' });
  assert.equal(plan.skipped.length, 0);
  const blocking = box.blockingClient();
  const error = await failure(() => blocking.createMembersFrom(box.panelId, cursor()));
  assert.match(error.message, /a call that blocks takes no rows of an async iterable/);
  blocking.close();
});
