// Responses: plain objects, every digit kept, unknown fields kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockingClient, newMember } from 'sondage';
import { failure, sandbox } from './support.mjs';

const BEYOND = 2n ** 53n + 1n;

const box = await sandbox({ firstMemberId: BEYOND });
const client = box.client();

test('a response consists of plain objects with camelCase names', async () => {
  const { workspaces } = await client.readWorkspaceList();
  assert.deepEqual(workspaces, [{ id: box.workspaceId, name: 'Demo', numberOfSurveys: 2 }]);
  const { members } = await client.readMemberList({ panelId: box.panelId, paging: { pageSize: 1, page: 1 } });
  const [member] = members;
  assert.equal(Object.getPrototypeOf(member), Object.prototype);
  assert.deepEqual(Object.keys(member), [
    'id', 'fields', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy', 'interviews',
  ]); // prettier-ignore
  assert.ok(member.createdAt instanceof Date);
  assert.equal(member.createdAt.toISOString(), '2024-01-15T08:00:00.000Z');
  assert.equal(member.updatedAt, null);
  assert.equal(member.fields.LastName.value, 'Müller');
});

test('an id beyond 2^53 keeps every digit, in requests and responses', async () => {
  const { members } = await client.readMemberList({ panelId: box.panelId, paging: { pageSize: 2, page: 1 } });
  assert.deepEqual(members.map((member) => member.id), [BEYOND, BEYOND + 1n]);
  assert.equal(typeof box.panelId, 'number');
  const invited = await client.inviteMembers({
    surveyId: BigInt(box.surveyId),
    panelId: box.panelId,
    messageTemplateId: box.messageTemplateId,
    channel: 'Email',
    memberIds: [members[1].id],
  });
  assert.equal(typeof invited.distributorId, 'number');
  const { effects } = await box.ledger();
  const sent = effects.find((effect) => effect.kind === 'MessagesSent');
  assert.deepEqual(sent.ids, [String(BEYOND + 1n)]);
});

test('values of every kind are sent and returned unchanged', async () => {
  const text = 'Zoë 👩‍🔬 \u0000 "quoted" \\ ' + 'ä'.repeat(500);
  const values = { Email: 'every.kind@example.org', FirstName: text, CellPhoneNumber: 41_791_234_567n, Gender: 2 };
  const created = await client.createMembers({ panelId: box.panelId, members: [newMember(values)] });
  const [id] = created.membersIds;
  const all = await client.members(box.panelId).toArray();
  const member = all.find((each) => each.id === id);
  assert.equal(member.fields.FirstName.value, text);
  assert.equal(member.fields.CellPhoneNumber.value, 41_791_234_567);
  assert.equal(member.fields.Gender.value, 2);
  assert.equal(all.length, 201);
});

test('unknown fields are kept and sent back in place', async () => {
  await box.fault({ on: 'ReadMemberList', action: { kind: 'unknownFields' } });
  const { members } = await client.readMemberList({ panelId: box.panelId, paging: { pageSize: 1, page: 1 } });
  assert.ok(Object.keys(members[0].$extra).length > 0);
  assert.ok(members[0].fields.Email.$extra);
  // The sandbox refuses fields that are not in the contract, so its refusal shows that the field was sent.
  const refused = await failure(
    client.createMembers({ panelId: box.panelId, members: [{ fields: { Email: members[0].fields.Email } }] }),
  );
  assert.equal(refused.code, 'Api');
  assert.match(refused.message, new RegExp(Object.keys(members[0].fields.Email.$extra)[0]));
});

test('unknown values of enumerations are kept', async () => {
  await box.fault({ on: 'ReadMemberList', action: { kind: 'unknownEnums' } });
  const { members } = await client.readMemberList({ panelId: box.panelId, paging: { pageSize: 1, page: 1 } });
  const type = members[0].fields.Email.fieldType;
  assert.equal(typeof type, 'string');
  assert.notEqual(type, 'String');
});

const body = (more) => ({ kind: 'body', text: `{"isSuccess":true,"errorMessage":null,"errorCode":null,${more}}` });

test('raw JSON keeps its digits, its order and its names', async () => {
  const json = '{"z":1,"a":[9007199254740993,-0.5,1e3,123456789012345678901234567890,0.1234567890123456789,true,null],"__proto__":{"x":1}}';
  await box.fault({ on: 'ReadWorkspaceList', action: body(`"workspaces":[],"later":${json}`) });
  const { $extra } = await client.readWorkspaceList();
  const { later } = $extra;
  assert.deepEqual(Object.keys(later), ['z', 'a', '__proto__']);
  assert.deepEqual(later.a, [
    9007199254740993n, -0.5, 1000, 123456789012345678901234567890n, '0.1234567890123456789', true, null,
  ]); // prettier-ignore
  assert.equal(Object.getPrototypeOf(later), Object.prototype);
  assert.equal(later.x, undefined);
});

test('deeply nested JSON is an error, not a crash', async () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  // The fault is permanent, because an unreadable response is requested once more.
  await box.fault({ on: 'ReadWorkspaceList', times: null, action: body(`"workspaces":[],"later":${deep}`) });
  const answer = await client.readWorkspaceList().catch((error) => error);
  assert.ok(answer.code === 'UnexpectedResponse' && /128 levels/.test(answer.message), answer.message);
  await box.clearFaults();
  assert.equal((await client.readWorkspaceList()).workspaces.length, 1);
});

test('the full response has status, headers and text', async () => {
  const answer = await client.withResponse('readWorkspaceList');
  assert.equal(answer.status, 200);
  assert.match(answer.headers['content-type'], /json/);
  assert.equal(JSON.parse(answer.text).workspaces[0].id, answer.value.workspaces[0].id);
  assert.equal(answer.attempts, 1);
});

test('operations that are not in the table can be called', async () => {
  const path = '/publicapi/Panel/v3/ReadPanel';
  const answer = await client.raw(path, { tenant: box.tenant, panelId: box.panelId }, { effect: 'read' });
  assert.equal(answer.isSuccess, true);
  assert.ok(answer.panel.groups.length > 0);
  const refused = await failure(client.raw(path, {}, { effect: 'gentle' }));
  assert.equal(refused.code, 'InvalidArgument');
});

test('lists of other operations are read in pages', async () => {
  const surveys = await client.pages('readSurveyList', { workspaceId: box.workspaceId }).toArray();
  assert.deepEqual(surveys.map((survey) => survey.id).sort(), [box.surveyId, box.feedbackSurveyId].sort());
  assert.equal((await failure(() => client.pages('readPanel', { panelId: 1 }).toArray())).code, 'InvalidArgument');
  assert.equal((await failure(() => client.pages('readEverything'))).code, 'InvalidArgument');
});

test('members of a panel are read page by page, completely, until the caller stops', async () => {
  await box.clearLedger();
  const ids = new Set();
  for await (const member of client.members(box.panelId, { pageSize: 50, fields: ['Email'] })) {
    assert.deepEqual(Object.keys(member.fields), ['Email']);
    ids.add(member.id);
  }
  assert.equal(ids.size, 201);
  await box.clearLedger();
  for await (const member of client.members(box.panelId, { pageSize: 10 })) if (member) break;
  assert.equal((await box.ledger()).requests.length, 1);
  const sizes = [];
  for await (const page of client.members(box.panelId, { pageSize: 150 }).pages()) sizes.push(page.length);
  assert.deepEqual(sizes, [150, 51]);
});

test('an error has every available detail', async () => {
  await box.fault({ on: 'ReadPanel', action: { kind: 'notSuccess', errorCode: 'Maintenance', errorMessage: 'Come back.' } });
  const error = await failure(client.readPanel({ panelId: box.panelId }));
  const { name, code, operation, attempts, httpStatus, errorCode, errorMessage, delivery, safeToRetry } = error;
  assert.deepEqual(
    { name, code, operation, attempts, httpStatus, errorCode, errorMessage, delivery, safeToRetry },
    { name: 'ApiError', code: 'Api', operation: 'ReadPanel', attempts: 1, httpStatus: 200, errorCode: 'Maintenance',
      errorMessage: 'Come back.', delivery: 'answered', safeToRetry: false },
  ); // prettier-ignore
  assert.match(error.message, /Come back\./);
  assert.match(error.stack, /answers\.test\.mjs/, 'the stack trace shows the call');

  await box.fault({ on: 'InviteMembers', action: { kind: 'status', status: 429, headers: { 'Retry-After': '7' } } });
  const busy = await failure(
    client.inviteMembers({ surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId, channel: 'Email' }),
  );
  assert.deepEqual([busy.code, busy.retryAfter, busy.name], ['RateLimited', 7000, 'RateLimited']);
});

test('a create whose connection was cut is not retried, and the error says so', async () => {
  await box.clearLedger();
  await box.fault({ on: 'CreateMembers', action: { kind: 'cut', at: 'afterEffect' } });
  const request = { panelId: box.panelId, members: [newMember({ Email: 'cut@example.org' })] };
  const error = await failure(client.createMembers(request));
  assert.deepEqual([error.code, error.delivery, error.safeToRetry], ['OutcomeUnknown', 'unknown', false]);
  assert.match(error.reconcile, /Look the members up/);
  const { effects } = await box.ledger();
  assert.equal(effects.filter((effect) => effect.kind === 'MembersCreated').length, 1);
});

test('the blocking client returns the same responses', () => {
  const blocking = box.blockingClient();
  assert.equal(blocking.readWorkspaceList().workspaces[0].id, box.workspaceId);
  assert.equal(blocking.withResponse('readWorkspaceList').status, 200);
  const ids = new Set();
  for (const member of blocking.members(box.panelId, { pageSize: 60 })) ids.add(member.id);
  assert.ok(ids.size >= 200);
  assert.equal(blocking.pages('readSurveyList', { workspaceId: box.workspaceId }).toArray().length, 2);
  assert.throws(() => blocking.readPanel({ panelId: 5 }), (error) => error.code === 'Api' && error.httpStatus === 404);
  assert.throws(() => new BlockingClient({ tokenProvider: () => 'x' }), (error) => error.code === 'InvalidArgument');
  assert.deepEqual(blocking.pendingWrites(), []);
  assert.deepEqual(blocking.close(), []);
  assert.throws(() => blocking.readWorkspaceList(), (error) => /closed/.test(error.message));
});

test('one person signs up: the id, or the reasons', async () => {
  const own = await sandbox();
  const [person, points] = [newMember({ Email: 'one@node-home.example' }), newMember({ Email: 'two@node-home.example', Points: 1 })];
  const id = await own.client().createMember(own.panelId, person);
  const { members } = await own.client().readMemberList({ panelId: own.panelId });
  assert.equal(members.find((member) => member.id === id)?.fields.Email.value, 'one@node-home.example');
  const refused = await failure(own.client().createMember(own.panelId, points));
  assert.equal(refused.name, 'ApiError');
  assert.match(refused.message, /refuses the member.*Points.*Nobody was created/);
  const empty = await failure(own.client().createMember(own.panelId, newMember({})));
  assert.match(empty.message, /`member` has no field.*Give at least one/);
  const { requests } = await own.ledger();
  assert.equal(requests.filter(({ operation }) => operation === 'CreateMembers').length, 2);
  assert.throws(() => own.blockingClient().createMember(own.panelId, points), /Nobody was created/);
});
