// Wrong arguments: an error that names the argument, before anything is sent.

import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { before, test } from 'node:test';
import vm from 'node:vm';
import { Client, InvalidArgument, Sandbox, SondageError, field, logTo, newMember } from 'sondage';
import { failure, node, sandbox } from './support.mjs';

const box = await sandbox();
const client = box.client();

before(() => box.clearLedger());

async function refused(work, message) {
  const error = await failure(work);
  assert.ok(error instanceof InvalidArgument && error instanceof SondageError && error instanceof Error, String(error));
  assert.equal(error.code, 'InvalidArgument');
  assert.match(error.message, message);
}

const member = (value) => ({ fields: { Email: { name: 'Email', fieldType: 'String', value } } });

const INVITE = { surveyId: 1, panelId: 1, messageTemplateId: 1, channel: 'Email' };

const loop = {};
loop.loop = loop;

const WRONG = [
  ['no request', () => client.readPanel(), /ReadPanel: panelId is missing/],
  ['null', () => client.readPanel(null), /must be an object, not null/],
  ['a text for a request', () => client.readPanel('5'), /must be an object, not a string/],
  ['a list for a request', () => client.readPanel([5]), /must be an object, not an array/],
  ['a missing argument', () => client.readPanel({}), /panelId is missing/],
  ['undefined is missing', () => client.readPanel({ panelId: undefined }), /panelId is missing/],
  ['a misspelt key', () => client.readPanel({ panelid: 5 }), /panelid is not known here; known are tenant, panelId/],
  ['a text for a number', () => client.readPanel({ panelId: '5' }), /panelId must be an integer, not a string/],
  ['null for a number', () => client.readPanel({ panelId: null }), /panelId must be an integer, not null/],
  ['1.5', () => client.readPanel({ panelId: 1.5 }), /panelId must be an integer, not 1\.5/],
  ['NaN', () => client.readPanel({ panelId: NaN }), /panelId must be an integer, not NaN/],
  ['Infinity', () => client.readPanel({ panelId: Infinity }), /panelId must be an integer/],
  ['a number beyond 2^53', () => client.readPanel({ panelId: 2 ** 53 }), /panelId must be a bigint/],
  ['a bigint beyond 2^63', () => client.readPanel({ panelId: 2n ** 63n }), /panelId does not fit into 64 bits/],
  ['a function', () => client.readPanel({ panelId: () => 5 }), /panelId must be an integer, not a function/],
  ['a symbol', () => client.readPanel({ panelId: Symbol('5') }), /panelId must be an integer, not a symbol/],
  ['a text for a list', () => client.readMemberList({ panelId: 1, fieldsToDownload: 'Email' }), /fieldsToDownload must be an array, not a string/],
  ['a number in a list', () => client.readMemberList({ panelId: 1, fieldsToDownload: ['a', 7] }), /fieldsToDownload\[1\] must be a string, not a number/],
  ['a hole in a list', () => client.readMemberList({ panelId: 1, fieldsToDownload: ['a', , 'b'] }), /fieldsToDownload\[1\] must be a string, not undefined/],
  ['a misspelt key deep inside', () => client.readMemberList({ panelId: 1, paging: { pageSize: 5, page: 1, orderfield: 'Id' } }), /paging\.orderfield is not known here/],
  ['a text for a boolean', () => client.readMemberList({ panelId: 1, interviewsRequired: 'yes' }), /interviewsRequired must be true or false/],
  ['NaN for a value', () => client.createMembers({ panelId: 1, members: [member('a'), member(NaN)] }), /members\[1\]\.fields\.Email\.value is NaN, which cannot be sent/],
  ['half a surrogate pair', () => client.createMembers({ panelId: 1, members: [member('\ud800')] }), /value holds half of a surrogate pair/],
  ['a missing part', () => client.createMembers({ panelId: 1, members: [{ fields: { 'a b': { name: 'a b' } } }] }), /members\[0\]\.fields\["a b"\]\.fieldType is missing/],
  ['a list that holds itself', () => client.createMembers({ panelId: 1, members: [member(loop)] }), /is nested too deeply/],
  ['a text for a time', () => client.inviteMembers({ surveyId: 1, panelId: 1, messageTemplateId: 1, channel: 'Email', scheduleDateTime: '2024-05-01T00:00:00Z' }), /scheduleDateTime must be a Date, not a string/],
  ['no time', () => client.inviteMembers({ surveyId: 1, panelId: 1, messageTemplateId: 1, channel: 'Email', scheduleDateTime: new Date(NaN) }), /scheduleDateTime is a Date without a time/],
  ['a valid Date that no service takes', () => client.inviteMembers({ ...INVITE, scheduleDateTime: new Date(8.64e15) }), /scheduleDateTime is a Date outside of the years 1 to 9999/],
  ['a text for member ids', () => client.inviteMembers({ ...INVITE, memberIds: '12' }), /memberIds must be an array, not a string/],
  ['a text for conditions', () => client.inviteMembers({ ...INVITE, conditions: 'Division' }), /conditions must be an array, not a string/],
  ['no member ids', () => client.inviteMembers({ ...INVITE, memberIds: [] }), /`memberIds` is an empty list, which selects nobody/],
  ['no conditions', () => client.inviteMembers({ ...INVITE, conditions: [] }), /`conditions` is an empty list, which selects nobody/],
  ['no conditions of a reminder', () => client.remindMembers({ distributorId: 1, messageTemplateId: 1, conditions: [] }), /`conditions` is an empty list/],
  ['nobody to delete', () => client.deleteMembers({ panelId: 1, panelMembersIds: [], keepInterviews: true }), /`panelMembersIds` is an empty list/],
  ['nobody to create', () => client.createMembers({ panelId: 1, members: [] }), /`members` is an empty list: the call would change nothing/],
  ['nobody to change', () => client.updateMembers({ panelId: 1, members: [] }), /`members` is an empty list/],
  ['an empty list of contacts to remove', () => client.writeOptOutList({ panelId: 1, emails: [], cellPhones: [] }), /`emails` and `cellPhones` are empty lists/],
  ['empty conditions as an extra field', () => client.inviteMembers(INVITE, { extra: { conditions: [] } }), /`conditions` is an argument of this call/],
  ['a string instead of the fields of members', () => client.members(1, { fields: 'Email' }).toArray(), /fields must be an array, not a string/],
  ['a string instead of the fields of interviews', () => client.interviews(1, { fields: 'nps' }).table(), /fields must be an array, not a string/],
  ['a string instead of the values of a filter', async () => client.members(1, { where: field('Language').isIn('de') }).toArray(), /values to compare with must be an array/],
  ['options that are none', () => client.readPanel({ panelId: 1 }, 5), /options must be an object/],
  ['values in place of a member', () => client.createMembers({ panelId: 1, members: [{ Email: 'a@b.c' }] }), /members\[0\]\.Email is not known here; .*`newMember/],
  ['an address in place of options', () => new Client('https://acme.survalyzer-eu.app'), /write `new Client\(\{ account/],
  ['a misspelt option', () => client.readPanel({ panelId: 1 }, { deadlin: 5 }), /options\.deadlin is not known here; known are deadline, attempts, timeout, headers, extra, signal\./],
  ['an option of another method', () => client.readPanel({ panelId: 1 }, { whole: true }), /options\.whole is not known here/],
  ['a signal for all calls', () => client.withOptions({ signal: AbortSignal.timeout(5) }), /takes no signal: give it to each call/],
  ['a time of sending that has passed', () => client.inviteMembers({ ...INVITE, scheduleDateTime: new Date('2024-05-01') }), /`scheduleDateTime` is 2024-05-01T00:00:00.*, which has passed/],
  ['a file with another ending', () => client.interviews(1).toFile('answers.ods'), /`answers\.ods` does not show its format/],
  ['a format that is none', () => client.interviews(1).toFile('answers.csv', { format: 'ods' }), /`ods` is not a file format; known are parquet, csv, jsonl, xlsx, sav and dta/],
  ['a file without an ending', () => client.interviews(1).toFile('answers'), /`answers` does not show its format/],
  ['a misspelt option of the sandbox', () => Sandbox.demo({ firstMember: 5 }), /firstMember is not known here; known are [a-zA-Z, ]+\./],
  ['a deadline that is none', () => client.readPanel({ panelId: 1 }, { deadline: -5 }), /options\.deadline must be a positive number of milliseconds/],
  ['an extra field with the name of a known one', () => client.readPanel({ panelId: 1 }, { extra: { panelId: 7 } }), /`panelId` is an argument of this call/],
  ['a signal that is none', () => client.readPanel({ panelId: 1 }, { signal: true }), /options\.signal must be an AbortSignal/],
  ['a panel that is none', () => client.members('x').toArray(), /panelId must be an integer/],
  ['no panel', () => client.members().toArray(), /panelId is missing/],
  ['a misspelt choice', () => client.members(1, { field: ['Email'] }).toArray(), /field is not known here|unknown field/],
  ['a misspelt choice of interviews', () => client.interviews(1, { label: true }).table(), /label is not known here|unknown field/],
  ['a filter that is none', () => client.members(1, { where: { is: 5 } }).toArray(), /where/],
  ['a time that is none', () => client.reconcile({ writeId: 'x', quiet: -1 }), /quiet is not valid: it must be a number of milliseconds, not -1/],
  ['a misspelt option of a file', () => client.interviews(1).toFile('answers.csv', { seperator: ';' }), /seperator is not known here; known are/],
  ['a misspelt option of a load', () => client.interviews(1).delta('state', () => {}, { overlp: 5 }), /overlp is not known here; known are/],
  ['a misspelt option of the closing', () => box.client().close({ timout: 5 }), /options\.timout is not known here; known are timeout/],
  ['a misspelt option of the confirmation', () => client.confirmEvent({ raw: '{}', eventType: 'x' }, { column: [] }), /options\.column is not known here; known are columns, signal/],
  ['a misspelt option of the log', async () => logTo(() => {}, { levl: 'debug' }), /options\.levl is not known here; known are level/],
  ['timeout that is none', () => box.client().close({ timeout: 'long' }), /must be|[Ff]ailed to convert/],
];

for (const [name, work, message] of WRONG) {
  test(`refuses ${name}`, () => refused(work, message));
}

test('none of these requests was sent', async () => {
  assert.deepEqual((await box.ledger()).requests, []);
});

test('refuses a misspelt option of the missing codes', async () => {
  const table = await client.interviews(box.surveyId).table();
  await refused(async () => table.withMissing([99], { shw: true }), /shw is not known here; known are/);
});

test('what the caller throws while it is read goes through', async () => {
  const trap = {
    get panelId() {
      throw new RangeError('mine');
    },
  };
  const error = await failure(client.readPanel(trap));
  assert.match(String(error), /mine/);
  assert.equal((await client.readPanel({ panelId: box.panelId })).panel.groups.length > 0, true);
});

/** An object whose own properties are these, and another one that only its class has. */
function withGetter(own, name, value) {
  const Class = class {
    constructor() {
      Object.assign(this, own);
    }
  };
  Object.defineProperty(Class.prototype, name, { get: () => value });
  return new Class();
}

test('an object with properties that a copy would not have is refused', async () => {
  const inherited = Object.create({ tenant: 'somebody else' }, { panelId: { value: box.panelId, enumerable: true } });
  const rows = [{ Email: 'a@example.com' }, withGetter({ Email: 'b@example.com' }, 'FirstName', 'Bo')];
  const login = { baseUrl: box.baseUrl, authUrl: box.authUrl, tenant: box.tenant, clientSecret: box.clientSecret };
  for (const work of [
    () => client.readPanel(inherited),
    () => client.readPanel({ panelId: box.panelId }, withGetter({}, 'deadline', 1000)),
    () => client.readMemberList({ panelId: box.panelId, paging: withGetter({ page: 1 }, 'pageSize', 1) }),
    () => client.inviteMembers(withGetter({ ...INVITE, conditions: field('Language').isEqualTo('de') }, 'memberIds', [1])),
    () => client.raw('/publicapi/Panel/v3/ReadPanel', withGetter({ panelId: box.panelId }, 'tenant', 'x'), { effect: 'read' }),
    () => client.raw('/publicapi/Panel/v3/ReadPanel', { panelId: box.panelId }, withGetter({ effect: 'read' }, 'deadline', 1)),
    () => client.pages('readMemberList', { panelId: box.panelId }, withGetter({}, 'deadline', 1)).toArray(),
    () => client.members(box.panelId).table(withGetter({}, 'fields', ['Email'])),
    () => client.members(box.panelId, withGetter({}, 'fields', ['Email'])).toArray(),
    () => client.importMembers(box.panelId, rows, { key: 'Email', dryRun: true }),
    () => client.importMembers(box.panelId, rows.slice(0, 1), withGetter({ key: 'Email' }, 'dryRun', true)),
    () => newMember(withGetter({ Email: 'a@example.com' }, 'FirstName', 'Ada')),
    () => new Client(withGetter(login, 'readOnly', true)),
    () => box.client(withGetter({}, 'readOnly', true)),
    () => Sandbox.demo(withGetter({}, 'seed', 1)),
    () => client.readPanel(new Map([['panelId', box.panelId]])),
  ]) {
    await refused(work, /must be a plain object: its properties are read from itself only, and `\w+` is inherited or a getter of its class/);
  }
});

test('own properties of objects without a prototype, of another realm and of classes with methods are read', async () => {
  class Request {
    panelId = box.panelId;
    describe() {
      return `panel ${this.panelId}`;
    }
  }
  class Special extends Request {}
  const own = { panelId: box.panelId };
  for (const request of [Object.assign(Object.create(null), own), vm.runInNewContext(`({ panelId: ${box.panelId} })`), new Special(), new Proxy(own, {})]) {
    assert.ok((await client.readPanel(request, vm.runInNewContext('({ deadline: 60000 })'))).panel);
  }
});

test('settings are checked, and a typo gets a suggestion', async () => {
  const errors = [
    [{ tenat: 'demo' }, /there is no setting `tenat`.*`tenant`/],
    [{ ids: 'string' }, /there is no setting `ids`.*`config\.explain\(\)` of a client lists all/],
    [{ timeout: 5 }, /there is no setting `timeout`.*`deadline`/],
    [{ maxRetries: 5 }, /there is no setting `maxRetries`.*`retryAttempts`/],
    [{ apiKey: 'x' }, /there is no setting `apiKey`.*`clientSecret`/],
    [{ httpAgent: new Agent() }, /there is no setting `httpAgent`.*`proxy`/],
    [{ fetch }, /there is no setting `fetch`.*`proxy`/],
    [{ tenant: () => 'demo' }, /tenant must be a string, a number or a boolean/],
    [{ tenant: 'demo', deadline: '30' }, /deadline is a text without a unit.*a number, which is milliseconds/],
    [{ tenant: 'demo', connectTimeout: ' 1e3 ' }, /connectTimeout is a text without a unit/],
    [{ tenant: 'demo', dataCenter: 'eu', clientSecret: 'x', loopbackOnly: true }, /`baseUrl`.*may only talk to this machine: `loopbackOnly`/],
    [{ clientsecret: 'x' }, /clientSecret/],
    [{ tenant: 'demo', baseUrl: 'http://example.com', authUrl: 'https://a.example', clientSecret: 'x' }, /plain http/],
    [{ tenant: {} }, /tenant must be a string, a number or a boolean/],
    [{ tenant: 'demo', deadline: 'soon' }, /deadline/],
  ];
  for (const [settings, message] of errors) {
    const error = await failure(() => new Client(settings));
    assert.ok(error instanceof SondageError);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /client_secret|base_url/);
  }
  assert.equal((await failure(() => new Client(5))).code, 'InvalidArgument');
  assert.equal((await failure(() => new Client({ tokenProvider: 'token' }))).code, 'InvalidArgument');
});

test('a method without its object says so', async () => {
  const { readPanel, members } = client;
  for (const work of [() => readPanel({ panelId: box.panelId }), () => members(box.panelId)]) {
    await refused(work, /this method was called without its object/);
  }
});

test('with SONDAGE_LOOPBACK_ONLY a process reaches the sandbox and nothing else', async () => {
  const code = `
    import { Client, Sandbox } from 'sondage';
    const box = await Sandbox.demo();
    console.log((await box.client().readWorkspaceList()).workspaces.length);
    const account = { account: 'https://acme.survalyzer-eu.app', clientSecret: 'x', useEnvironment: false };
    try { new Client(account); } catch (error) { console.log(error.name, error.message); }
    box.stop();`;
  const ended = await node(['--input-type=module', '--eval', code], { SONDAGE_LOOPBACK_ONLY: '1' });
  assert.match(ended.stdout, /^1\nConfigurationError .*`baseUrl`.*this process may only talk to this machine/, ended.stderr);
});

test('`explain` shows the settings without secrets', () => {
  const explained = box.client({ deadline: 1500, pageSize: 20 }).config.explain();
  const of = (name) => explained.find((line) => line.setting === name);
  assert.equal(of('deadline').value, '1.5 s');
  assert.equal(of('pageSize').value, '20');
  assert.equal(of('tenant').value, box.tenant);
  assert.equal(of('clientSecret').value, '***');
  assert.match(String(explained), /page_?size/i);
  assert.ok(!JSON.stringify(explained).includes(box.clientSecret) && !String(explained).includes(box.clientSecret));
});

test('a refused filter of interviews by a field of a panel names the form for questions and columns', async () => {
  for (const [name, form] of [['nps', 'field.question("nps")'], ['State', 'field.column("State")']]) {
    const where = field(name).isEqualTo('9');
    const error = await failure(() => client.interviews(box.feedbackSurveyId, { where }).table());
    assert.ok(error.code === 'Api' && error.message.includes(`\`${form}\``), error.message);
  }
});

test('filters are compiled by the core', async () => {
  const filter = field('Division').isEqualTo('Sales').and(field('Language').isEqualTo('de').or(field('Language').isEmpty()));
  assert.deepEqual(
    filter.compile().map(({ conjunction, identifier, conditionOperator }) => `${conjunction} ${identifier} ${conditionOperator}`),
    ['And Division IsEqualTo', 'And Language IsEqualTo', 'Or Division IsEqualTo', 'And Language IsEmpty'],
  );
  const since = field.column('UpdatedAt').isSince(new Date('2024-05-01T12:30:00Z')).compile();
  assert.deepEqual(since[0].value, '2024-05-01 12:30:00.000');
  const elsewhere = vm.runInNewContext("new Date('2024-05-01T12:30:00Z')");
  assert.deepEqual(field.column('UpdatedAt').isSince(elsewhere).compile(), since);
  assert.equal(field.column('Id').isGreaterThan(2n ** 60n).compile()[0].value, String(2n ** 60n));
  assert.equal(field.custom('Source').isEqualTo('web').compile()[0].identifier, 'custom.Source');
  assert.equal(field('Division').prefixed().isEqualTo('x').compile()[0].identifier, 'member.Division');
  assert.equal(field.column('StartDate').isLessThan({ date: '2024-05-01' }).compile()[0].value, '2024-05-01');
  assert.equal(field('Age').isNotIn([1, 2]).compile().length, 2);
  assert.deepEqual(field('A').isEqualTo(1).not().compile()[0].conditionOperator, 'IsNotEqualTo');
  for (const [wrong, message] of [
    [() => field('Language').isIn(['de', 'a,b']).compile(), /comma/],
    [() => field('Language').isIn('de'), /must be an array/],
    [() => field('Language').isEqualTo('').compile(), /empty/],
    [() => field('Language').isEqualTo(NaN).compile(), /NaN/],
    [() => field('Language').compare('IsEqualTo').compile(), /./],
  ]) {
    await refused(wrong, message);
  }
});

test('a filter selects the same people for reading, counting and inviting', async () => {
  const german = field('Language').isEqualTo('de');
  const listed = await client.members(box.panelId, { where: german }).toArray();
  assert.ok(listed.length > 0 && listed.length < 200);
  assert.ok(listed.every((each) => each.fields.Language.value === 'de'));
  const counted = await client.readMemberList({ panelId: box.panelId, conditions: german });
  assert.equal(counted.members.length, listed.length);
});

test('members in place of the rows of an import are named', async () => {
  const mixed = await failure(() => client.importMembers(box.panelId, [newMember({ Email: 'a@b.c' })], { key: 'Email' }));
  assert.match(mixed.message, /no field for the column.*without `newMember`/);
});
