// Members from rows, updates of members, documents in a folder, lists as tables.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { ImportReport, OutcomeUnknown, UpdatePlan, field } from 'sondage';
import { failure, sandbox, until } from './support.mjs';

const root = await mkdtemp(join(tmpdir(), 'sondage-jobs-'));
after(() => rm(root, { recursive: true }));

/** The first members of the demo's panel. */
async function emails(client, box, count) {
  const members = await client.members(box.panelId, { fields: ['Email'] }).toArray();
  return members.slice(0, count).map((member) => member.fields.Email.value);
}

async function sent(box, operation) {
  const { requests } = await box.ledger();
  return requests.filter((request) => request.operation === operation).length;
}

test('members from objects, Arrow and CSV', async () => {
  const box = await sandbox();
  const client = box.client();
  const path = join(root, 'people.csv');
  await writeFile(path, 'Email,FirstName\ncsv@example.org,007\n');
  const names = { Email: ['a@example.org', 'b@example.org'], FirstName: ['Ada', 'Bo'] };
  const forms = [
    [{ Email: 'one@example.org', CellPhoneNumber: 41791230000 }, { Email: 'two@example.org', FirstName: null }],
    tableToIPC(tableFromArrays(names), 'stream'),
    tableToIPC(tableFromArrays({ Email: ['c@example.org'] }), 'file'),
    { path },
    pathToFileURL(path),
  ];
  for (const [number, rows] of forms.entries()) {
    const report = await client.createMembersFrom(box.panelId, rows, { chunkSize: 1 });
    assert.equal(report.stopped, null, `${number}`);
    assert.equal(report.created, report.length, `${number}: ${report}`);
  }
  const [csv] = await client.members(box.panelId, { where: field('Email').isEqualTo('csv@example.org') }).toArray();
  assert.equal(csv.fields.FirstName.value, '007');
  // A string is never opened as a file, because it may be somebody else's input.
  assert.match((await failure(client.createMembersFrom(box.panelId, path))).message, /rows is a string.*\{ path \}/);
  for (const wrong of [5, null, undefined, {}, new Uint8Array([1, 2])]) {
    assert.equal((await failure(client.createMembersFrom(box.panelId, wrong))).code, 'InvalidArgument');
  }
  const mixed = [{ Email: 'x@example.org', Gender: 1 }, { Email: 'y@example.org', Gender: 'f' }];
  assert.match((await failure(client.createMembersFrom(box.panelId, mixed))).message, /Gender/);
});

test('after an unknown outcome nothing more is created', async () => {
  const box = await sandbox();
  await box.fault({ on: 'CreateMembers', skip: 1, action: { kind: 'cut', at: 'afterEffect' } });
  const people = Array.from({ length: 40 }, (_, number) => ({ Email: `person${number}@example.org` }));
  const report = await box.client().createMembersFrom(box.panelId, people, { chunkSize: 10 });
  assert.ok(report.stopped instanceof OutcomeUnknown && report instanceof ImportReport);
  assert.deepEqual([report.created, report.unknown, report.notSent], [10, 10, 20]);
  assert.equal([...report.rows].findIndex((row) => row.status === 'unknown'), 10);
  assert.equal(await sent(box, 'CreateMembers'), 2);
});

test('a plan shows every change, and is applied once', async () => {
  const box = await sandbox();
  const client = box.client();
  const people = await emails(client, box, 25);
  const rows = [...people, 'nobody@example.org'].map((Email) => ({ Email, Division: 'Moon' }));
  const plan = await client.planUpdate(box.panelId, rows, { key: 'Email', chunkSize: 10 });
  assert.ok(plan instanceof UpdatePlan);
  assert.deepEqual([plan.panelId, plan.rows, plan.members, plan.unchanged], [box.panelId, 26, 25, 0]);
  assert.deepEqual(plan.skipped, [{ row: 25, line: null, reason: 'unknown' }]);
  assert.deepEqual(plan.changes.columns, ['row', 'line', 'member', 'field', 'old', 'new']);
  assert.equal([...plan.changes][0].new, 'Moon');
  assert.match(String(plan), /26 rows would change 25 members in 25 values/);
  assert.ok(!inspect(plan).includes('Moon'), 'values are about people');
  assert.equal(await sent(box, 'UpdateMembers'), 0);
  const report = await plan.apply();
  assert.deepEqual([report.applied.length, report.stopped, await sent(box, 'UpdateMembers')], [25, null, 3]);
  const arrow = tableToIPC(tableFromArrays({ Email: people, Division: people.map(() => 'Moon') }), 'stream');
  const again = await client.planUpdate(box.panelId, arrow, { key: 'Email' });
  assert.deepEqual([again.members, again.unchanged], [0, 25]);
});

test('a plan resumes after an interruption, also blocking', async () => {
  const box = await sandbox();
  const blocking = box.blockingClient();
  const people = await emails(box.client(), box, 30);
  const rows = people.map((Email) => ({ Email, Division: 'Moon' }));
  await box.fault({ on: 'UpdateMembers', skip: 1, times: null, action: { kind: 'cut', at: 'afterEffect' } });
  const report = blocking.planUpdate(box.panelId, rows, { key: 'Email', chunkSize: 10 }).apply();
  assert.ok(report.stopped instanceof OutcomeUnknown);
  assert.deepEqual([report.applied.length, report.left.length, report.unknown.length], [20, 10, 0]);
  await box.clearFaults();
  const rest = blocking.planUpdate(box.panelId, rows, { key: 'Email' });
  assert.deepEqual([rest.members, rest.apply().applied.length], [10, 10]);
});

test('a value that somebody has changed since is not overwritten', async () => {
  const box = await sandbox();
  const client = box.client();
  const [first, second] = await emails(client, box, 2);
  const rows = [first, second].map((Email) => ({ Email, Division: 'Moon' }));
  const plan = await client.planUpdate(box.panelId, rows, { key: 'Email' });
  await (await client.planUpdate(box.panelId, [{ Email: second, Division: 'Mars' }], { key: 'Email' })).apply();
  const report = await plan.apply();
  assert.match(report.stopped.message, /1 have other values now .* Nothing was sent/s);
  assert.deepEqual([report.left.length, plan.report.left.length, plan.cost.calls > 1], [2, 2, true]);
  const anyway = await client.planUpdate(box.panelId, rows, { key: 'Email', recheck: false, maxAge: 60_000 });
  assert.equal((await anyway.apply()).applied.length, 2);
});

test('an invalid plan is an error before anything is sent', async () => {
  const box = await sandbox();
  const client = box.client();
  const [email] = await emails(client, box, 1);
  const wrong = [
    [[{ Email: email, Colour: 'red' }], { key: 'Email' }, /no field `Colour`/],
    [[{ Email: email, Gender: 'male' }], { key: 'Email' }, /an integer/],
    [[{ Email: email, Division: 'x' }], { key: 'Badge' }, /no field `Badge`/],
    [[{ Email: email, Division: 'x' }], {}, /key/],
    [[{ Email: email, Division: 'x' }], { key: 'Email', colour: 1 }, /colour/],
    [[{}], { key: 'Email' }, /no rows with a value/],
  ];
  for (const [rows, options, says] of wrong) {
    const error = await failure(client.planUpdate(box.panelId, rows, options));
    assert.equal(error.code, 'InvalidArgument');
    assert.match(error.message, says);
    assert.ok(!error.message.includes(email));
  }
  const chosen = await client.planUpdate(
    box.panelId,
    [{ Email: email.toUpperCase(), Division: null, Colour: 'red' }],
    { key: 'Email', fields: ['Division'], ignoreCase: true, clearNulls: true },
  );
  assert.equal(chosen.members, 1);
  assert.equal(await sent(box, 'UpdateMembers'), 0);
});

test('documents are stored once, with progress, and an aborted archive resumes', async () => {
  const box = await sandbox();
  const client = box.client();
  const folder = join(root, 'documents');
  const listed = async () => (await readFile(join(folder, 'manifest.jsonl'), 'utf8').catch(() => '')).split('\n').length - 2;
  await box.fault({ on: 'link', skip: 6, times: null, action: { kind: 'stall' } });
  const stop = new AbortController();
  const running = failure(client.archiveAnswers(box.feedbackSurveyId, folder, { signal: stop.signal }));
  await until(async () => (await listed()) >= 6);
  stop.abort();
  assert.equal((await running).name, 'AbortError');
  const files = await readdir(folder);
  assert.equal(files.length, 7, 'six whole documents and the manifest');
  await box.clearFaults();
  const seen = [];
  const report = await client.archiveAnswers(box.feedbackSurveyId, pathToFileURL(folder), {
    locale: 'de',
    onProgress: (now) => seen.push(now),
  });
  const { interviews, kept, stored, failed } = report.progress;
  assert.deepEqual([kept, kept + stored, failed, report.failed], [6, interviews, 0, []]);
  assert.deepEqual(seen.at(-1), report.progress);
  const [first, ...lines] = (await readFile(report.manifest, 'utf8')).trim().split('\n');
  assert.deepEqual(JSON.parse(first), { archive: 'sondage', version: 1 });
  for (const line of lines) {
    const bytes = await readFile(join(folder, JSON.parse(line).file));
    assert.equal(bytes.subarray(0, 4).toString(), '%PDF');
  }
  const blocking = box.blockingClient();
  assert.equal(blocking.archiveAnswers(box.feedbackSurveyId, folder).progress.kept, interviews);
});

test('a missing document is named, and an exception in onProgress ends the archive', async () => {
  const box = await sandbox();
  const client = box.client();
  await box.fault({ on: 'link', times: null, action: { kind: 'html' } });
  const report = await client.archiveAnswers(box.feedbackSurveyId, join(root, 'none'), { maxConcurrency: 16 });
  assert.equal(report.progress.stored, 0);
  assert.equal(report.failed.length, report.progress.interviews);
  assert.equal(report.failed[0].error.code, 'UnexpectedResponse');
  await box.clearFaults();
  await box.fault({ on: 'link', skip: 2, times: null, action: { kind: 'stall' } });
  const onProgress = () => {
    throw new RangeError('enough');
  };
  const thrown = await failure(client.archiveAnswers(box.feedbackSurveyId, join(root, 'few'), { onProgress }));
  assert.ok(thrown instanceof RangeError);
});

test('with loopbackOnly a link that redirects to another machine is not followed', async () => {
  const box = await sandbox();
  const location = 'https://documents.example/a';
  await box.fault({ on: 'link', times: null, action: { kind: 'status', status: 302, headers: { location } } });
  const here = box.client({ loopbackOnly: true });
  const error = await failure(here.archiveAnswers(box.feedbackSurveyId, join(root, 'here')));
  assert.equal(error.code, 'Configuration', error.message);
  assert.match(error.message, /may only talk to this machine.*`loopbackOnly`/);
  assert.ok(!error.message.includes('documents.example'), error.message);
});

test('lists are tables', async () => {
  const box = await sandbox();
  const client = box.client();
  await box.changeProfile({ bouncesPerThousand: 200 });
  const { surveyId, panelId, messageTemplateId } = box;
  await client.inviteMembers({ surveyId, panelId, messageTemplateId, channel: 'Email' });
  const bounces = await client.pages('readBounceList', { surveyId }).toArray();
  const table = await client.pages('readBounceList', { surveyId }).table();
  assert.equal(table.numRows, bounces.length);
  assert.ok(bounces.length > 10);
  const [row] = table;
  assert.deepEqual([row.bounceType, row.email], [bounces[0].bounceType, bounces[0].email]);
  assert.ok(row.timestamp instanceof Date);
  const blocking = box.blockingClient();
  const members = blocking.pages('readMemberList', { panelId }).table();
  assert.ok(JSON.parse([...members][0].fields).Email.value.includes('@'));
  const error = await failure(client.pages('readInterviewListCompact', { surveyId }).table());
  assert.match(error.message, /interviews/);
});

test('an import creates each person once, even if a response is lost', async () => {
  const box = await sandbox();
  const client = box.client();
  const journal = join(root, 'import.journal');
  const people = Array.from({ length: 25 }, (_, i) => ({ Email: `p${i}@import.example`, CellPhoneNumber: String(41791230000 + i) }));
  await box.fault({ on: 'CreateMembers', skip: 1, action: { kind: 'cut', at: 'afterEffect' } });
  const options = { key: 'Email', journal, chunkSize: 10, quiet: 0 };
  const report = await client.importMembers(box.panelId, people, options);
  assert.equal(String(report), `panel ${box.panelId}: 25 rows: 25 created`);
  assert.deepEqual([report.length, report.created, report.complete, report.stopped], [25, 25, true, null]);
  const rows = [...report.rows];
  assert.deepEqual(new Set(rows.slice(10, 20).map((row) => row.attributed)), new Set(['read_back']));
  const found = async () => {
    const members = await client.members(box.panelId, { fields: ['Email'] }).toArray();
    return members.map((member) => member.fields.Email.value).filter((email) => email?.endsWith('@import.example'));
  };
  assert.deepEqual((await found()).sort(), people.map((person) => person.Email).sort());
  const again = await client.importMembers(box.panelId, people, { ...options, journal: pathToFileURL(journal) });
  assert.deepEqual([...again.rows], rows);
  assert.ok(again.resumed);
  const blocking = box.blockingClient();
  const changed = [{ ...people[0], FirstName: 'Ada' }, people[1], { Email: 'new@import.example', CellPhoneNumber: '007' }];
  const updated = blocking.importMembers(box.panelId, changed, { key: 'Email', existing: 'update', journal: `${journal}.2` });
  assert.deepEqual([...updated.rows].map((row) => row.status), ['updated', 'unchanged', 'refused']);
  assert.match([...updated.rows][2].reason, /integer without leading zeros/);
  assert.equal((await found()).length, 25);
  assert.equal(await sent(box, 'CreateMembers'), 3);
});

test('the CSV file of a spreadsheet is imported as it is, and no rows are nothing to do', async () => {
  const box = await sandbox();
  const client = box.client();
  const path = join(root, 'spreadsheet.csv');
  await writeFile(path, Buffer.from('sep=;\r\nemail;LastName\r\nzoe@import.example;M\xfcller\r\n', 'latin1'));
  const report = await client.importMembers(box.panelId, { path }, { key: 'Email', journal: join(root, 'spreadsheet.journal') });
  assert.deepEqual([report.created, report.separator, report.encoding], [1, ';', 'windows-1252']);
  const named = { path, separator: ';', encoding: 'latin1' };
  const plan = await client.planUpdate(box.panelId, named, { key: 'Email' });
  assert.deepEqual([plan.unchanged, plan.encoding], [1, 'windows-1252']);
  const none = await client.importMembers(box.panelId, [], { key: 'Email', journal: join(root, 'none.journal') });
  assert.deepEqual([none.length, none.complete, none.created], [0, true, 0]);
});

test('the first or the last row of a key counts, and numbers of a CSV file have decimal commas', async () => {
  const box = await sandbox();
  const client = box.client();
  const rows = [{ Email: 'a@rows.example', FirstName: 'One' }, { Email: ' a@rows.example', FirstName: ' Two ' }];
  const options = { key: 'Email', strip: true, duplicates: 'last', journal: join(root, 'twice.journal') };
  const report = await client.importMembers(box.panelId, rows, options);
  assert.deepEqual([report.created, report.duplicate, report.refused], [1, 1, 0]);
  assert.deepEqual([...report.rows].map(({ status, reason }) => [status, reason]), [
    ['duplicate', 'row 1 has the same key, and the last of them counts'],
    ['created', null],
  ]);
  const plan = await client.planUpdate(box.panelId, rows, { key: 'Email', strip: true, duplicates: 'first' });
  assert.deepEqual([...plan.changes].map((change) => [change.row, change.old, change.new]), [[0, 'Two', 'One']]);
  const similar = await client.planUpdate(box.panelId, [{ Email: 'A@rows.example', FirstName: 'x' }], { key: 'Email' });
  assert.deepEqual(similar.skipped.map(({ row, reason }) => [row, reason]), [[0, 'similar']]);
  const wrong = await failure(client.importMembers(box.panelId, rows, { key: 'Email', duplicates: 'newest' }));
  assert.match(wrong.message, /duplicates/);
  const invite = await client.planCreateAndInvite(
    rows.map((row) => ({ ...row, Email: row.Email.replace('a@', 'b@'), Language: 'de' })),
    { surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId, key: 'Email', strip: true, duplicates: 'first' },
  );
  assert.deepEqual([invite.count, invite.rowsLeftOut.map(({ row, reason }) => [row, reason])], [1, [[1, 'same_key']]]);

  const path = join(root, 'decimals.csv');
  await writeFile(path, 'CustomerNumber;Email;Revenue\r\n901;a@rows.example;1,234\r\n902;b@rows.example;7\r\n');
  const imported = (file, name) =>
    client.importMembers(box.customerPanelId, file, { key: 'Email', dryRun: true, journal: join(root, name) });
  const doubtful = await imported({ path }, 'doubtful.journal');
  assert.deepEqual([doubtful.refused, doubtful.decimal], [1, null]);
  const named = await imported({ path, decimal: ',' }, 'decimals.journal');
  assert.deepEqual([named.toCreate, named.decimal], [2, ',']);
  assert.match((await failure(imported({ path, decimal: ';' }, 'wrong.journal'))).message, /`decimal` is ";"/);
});

test('a workbook is read from its first or a named sheet', async () => {
  const box = await sandbox();
  const client = box.client();
  const path = new URL('../people.xlsx', import.meta.url);
  const imported = (rows) => client.importMembers(box.panelId, rows, { key: 'Email', dryRun: true, journal: join(root, 'sheet.journal') });
  const first = await imported({ path });
  assert.deepEqual([first.toCreate, first.sheet, first.separator], [2, 'People', null]);
  assert.equal((await imported(path)).sheet, 'People');
  const named = await imported({ path, sheet: 'More' });
  assert.deepEqual([named.toCreate, named.sheet], [1, 'More']);
  assert.match((await failure(imported({ path, sheet: 'None' }))).message, /it has "Hidden", "People", "More"/);
  assert.match((await failure(imported({ path, separator: ';' }))).message, /are for CSV files/);
});

test('an impossible import is an error of one sentence, and sends nothing', async () => {
  const box = await sandbox();
  const client = box.client();
  for (const [rows, options, words] of [
    [[{ Email: 'a@import.example', Frstname: 'Ada' }], { key: 'Email' }, /no field for the columns "Frstname"/],
    [[{ FirstName: 'Ada' }], { key: 'Email' }, /no column "Email" to use as the key/],
    [[{}, { Email: undefined }], { key: 'Email' }, /^there are no rows with a value/],
    ['people.csv', { key: 'Email' }, /rows is a string/],
    [{ path: 'people.csv', delimiter: ';' }, { key: 'Email' }, /^rows\.delimiter is not known here/],
    [{ path: 'people.csv', separator: 'ab' }, { key: 'Email' }, /^`separator` is "ab"/],
    [[{ Email: 'a@import.example' }, 'b@import.example'], { key: 'Email' }, /^rows\[1\] must be an object, not a string/],
    [[{ Email: 'a@import.example', Gender: Infinity }], { key: 'Email' }, /^rows\[0\]\.Gender is Infinity, which cannot be sent/],
    [[{ Email: 'a@import.example', Gender: 2n ** 70n }], { key: 'Email' }, /^rows\[0\]\.Gender is not valid: a number of more than 64 bits/],
    [[{ Email: 'a@import.example' }], { key: 'Badge' }, /Name one of these fields as `key`/],
    [[{ Email: 'a@import.example' }], { key: 'Email', chunkSize: Infinity }, /^chunkSize must be an integer, not Infinity/],
    [[{ Email: 'a@import.example' }], { key: 'Email', journal: 5 }, /^journal must be a string or a Buffer, not a number/],
    [[{ Email: 'a@import.example' }], { key: 'Email', journal: '' }, /^`journal` is empty\. Nothing was sent/],
    [[{ Email: 'a@import.example' }], { key: 'Email', existing: 'replace' }, /existing must be one of \["skip", "update", "error"\], not "replace"/],
    [[{ Email: 'a@import.example' }], {}, /key/],
    [[{ Email: 'a@import.example' }], { key: 'Email', journal: join(root, 'no', 'folder', 'journal') }, /journal .* cannot be used/],
  ]) {
    const error = await failure(client.importMembers(box.panelId, rows, { journal: join(root, 'bad.journal'), ...options }));
    assert.match(error.message, words);
  }
  const people = [{ Email: 'a@import.example' }];
  for (const chunkSize of [0, -1]) {
    for (const call of [
      client.createMembersFrom(box.panelId, people, { chunkSize }),
      client.importMembers(box.panelId, people, { key: 'Email', chunkSize }),
      client.planUpdate(box.panelId, people, { key: 'Email', chunkSize }),
    ]) {
      const { code, message } = await failure(call);
      assert.ok(code === 'InvalidArgument' && /chunkSize/.test(message) && !/usize/.test(message), message);
    }
  }
  assert.equal(await sent(box, 'CreateMembers'), 0);
});

test('a dry run of an import says what would happen and what it costs', async () => {
  const own = await sandbox();
  const client = own.client();
  const people = Array.from({ length: 25 }, (_, number) => ({ Email: `d${number}@dry.example` }));
  const options = { key: 'Email', chunkSize: 10 };
  const dry = await client.importMembers(own.panelId, people, { ...options, dryRun: true });
  assert.deepEqual([dry.toCreate, dry.toUpdate, dry.notSent, dry.complete], [25, 0, 25, false]);
  assert.match(`${dry}`, /25 rows: 25 to create; nothing was sent, and the import costs/);
  assert.deepEqual((await own.ledger()).effects, []);
  await own.clearLedger();
  const report = await client.importMembers(own.panelId, people, options);
  assert.deepEqual([report.created, report.cost], [25, null]);
  assert.equal((await own.ledger()).requests.length, dry.cost.calls);
});

test('an import that a client is not permitted leaves no journal', async () => {
  const box = await sandbox();
  const rows = [{ Email: 'one@example.org' }];
  const journal = join(root, 'forbidden.journal');
  for (const [settings, existing] of [[{ readOnly: true }, 'skip'], [{ operations: 'ReadPanel, ReadMemberList' }, 'skip'], [{ operations: 'ReadPanel, ReadMemberList, CreateMembers' }, 'update']]) {
    const error = await failure(box.client(settings).importMembers(box.panelId, rows, { key: 'Email', existing, journal }));
    assert.equal(error.code, 'Configuration', String(error));
    await assert.rejects(readFile(journal), { code: 'ENOENT' });
  }
  await box.client({ readOnly: true }).importMembers(box.panelId, rows, { key: 'Email', dryRun: true, journal: join(root, 'dry.journal') });
  const other = await box.client().importMembers(box.panelId, [{ Email: 'two@example.org' }], { key: 'Email', journal });
  assert.ok(other.complete);
});
