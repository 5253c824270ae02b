// Interviews and members as tables: the American National Election Study of 1996.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { InvalidArgument, Table } from 'sondage';
import { failure, sandbox } from './support.mjs';

const box = await sandbox({ generatedInterviews: 2500, generatedQuestions: 12 });
const client = box.client();
const FIELDS = ['age', 'PID', 'vote'];

test('apache-arrow reads a table without a copy', async () => {
  const table = await client.interviews(box.surveyId, { fields: FIELDS }).table();
  const bytes = table.toIPC();
  assert.ok(bytes instanceof Uint8Array);
  const arrow = tableFromIPC(bytes);
  assert.equal(arrow.numRows, 944);
  const ages = arrow.getChild('age');
  const sum = [...ages].reduce((total, age) => total + Number(age), 0);
  assert.ok(sum / 944 > 40 && sum / 944 < 55);
  assert.equal(ages.data[0].values.buffer, bytes.buffer, 'the column uses the memory that the library passed');
  assert.ok(arrow.schema.fields.some((column) => column.metadata.has('sondage.label')));
});

test('rows are plain objects, with labels when they are wanted', async () => {
  const codes = await client.interviews(box.surveyId, { fields: FIELDS }).table();
  assert.equal(codes.numRows, 944);
  assert.deepEqual([...codes.columns].sort(), [...FIELDS].sort());
  const [row] = codes;
  assert.equal(typeof row.age, 'number');
  const labels = codes.withLabels(true);
  const votes = new Set([...labels.rows()].map((each) => each.vote));
  assert.deepEqual([...votes].sort(), ['Clinton', 'Dole']);
  assert.ok(labels.withLabels('both').columns.length > 3);
  assert.deepEqual(codes.select(['vote', 'age']).columns, ['vote', 'age']);
  assert.match(codes.codebook(), /vote/);
  assert.ok(codes.metadata('vote')['sondage.values'].includes('Clinton'));
  assert.deepEqual(codes.metadata('nothing'), {});
  assert.deepEqual(labels.warnings, []);
  assert.equal((await failure(() => codes.select(['wrong']))).code, 'InvalidArgument');
  assert.equal((await failure(() => codes.select('wrong'))).code, 'InvalidArgument');
  assert.equal((await failure(() => codes.withLabels('some'))).code, 'InvalidArgument');
});

test('both forms give the same table', async () => {
  const [compact, structured] = await Promise.all(
    [false, true].map((form) => client.interviews(box.surveyId, { fields: FIELDS, structured: form, labels: true }).table()),
  );
  assert.deepEqual([...compact.rows()], [...structured.rows()]);
});

test('the batches of interviews equal the whole table', async () => {
  const id = box.generatedSurveyId;
  const whole = await client.interviews(id, { labels: true }).table();
  const rows = [];
  const sizes = [];
  for await (const batch of client.interviews(id, { labels: true, pageSize: 1000 })) {
    assert.deepEqual(batch.columns, whole.columns);
    sizes.push(batch.numRows);
    rows.push(...batch.rows());
  }
  assert.deepEqual(sizes, [1000, 1000, 500]);
  assert.deepEqual(rows, [...whole.rows()]);
});

test('states, times and the code plan can be chosen', async () => {
  const states = await client.interviews(box.feedbackSurveyId, { fields: ['Id', 'State', 'UpdatedAt'] }).table();
  const completed = await client.interviews(box.feedbackSurveyId, { fields: ['Id', 'State'], state: 'Completed' }).table();
  const expected = [...states.rows()].filter((row) => row.State === 'Completed').length;
  assert.ok(expected > 0 && expected < states.numRows);
  assert.equal(completed.numRows, expected);
  const times = [...states.rows()].map((row) => row.UpdatedAt).filter((time) => time !== null);
  assert.ok(times.length > 0 && times.every((time) => time instanceof Date));
  const middle = times.map(Number).sort((a, b) => a - b)[Math.floor(times.length / 2)];
  const since = await client.interviews(box.feedbackSurveyId, { fields: ['Id'], updatedSince: new Date(middle) }).table();
  assert.equal(since.numRows, times.filter((time) => Number(time) >= middle).length);
  const plain = await client.interviews(box.surveyId, { fields: FIELDS, codePlan: false }).table();
  assert.equal(plain.metadata('vote')['sondage.label'], undefined);
});

test('members are a table too', async () => {
  const table = await client.members(box.panelId, { fields: ['Email', 'Division', 'CellPhoneNumber'] }).table();
  assert.equal(table.numRows, 200);
  const [row] = table;
  assert.match(row.Email, /@/);
  assert.ok(table.columns.includes('Division'));
  const defined = await client.members(box.panelId).table({ definition: true, language: 'en', labels: true });
  assert.equal(defined.numRows, 200);
});

test('a list with missing rows is an error, never a short table', async () => {
  await box.fault({ on: 'ReadInterviewListCompact', times: null, action: { kind: 'totalCount', value: 1000 } });
  const error = await failure(client.interviews(box.surveyId, { fields: FIELDS }).table());
  assert.equal(error.code, 'Incomplete');
  await box.clearFaults();
});

test('the blocking client reads tables', () => {
  const blocking = box.blockingClient();
  const table = blocking.interviews(box.surveyId, { fields: FIELDS, labels: true }).table();
  assert.equal(table.numRows, 944);
  const sizes = [];
  for (const batch of blocking.interviews(box.surveyId, { fields: FIELDS, pageSize: 500 })) sizes.push(batch.numRows);
  assert.deepEqual(sizes, [500, 444]);
  assert.equal(blocking.members(box.panelId).table().numRows, 200);
});

test('multiple choice questions become lists', async () => {
  const fields = ['topics_1', 'topics_2', 'topics_3'];
  const table = await client.interviews(box.feedbackSurveyId, { fields }).table();
  const lists = table.withLists();
  assert.deepEqual(lists.columns, ['topics']);
  const asked = (row) => fields.some((name) => row[name] !== null);
  const chosen = [...table].map((row) => (asked(row) ? fields.filter((name) => row[name] === 1) : null));
  assert.deepEqual([...lists].map((row) => row.topics), chosen);
  assert.ok(chosen.some((one) => one?.length > 1) && chosen.includes(null));
  const words = new Map([['topics_1', 'Politik'], ['topics_2', 'Kultur'], ['topics_3', 'Sport']]);
  const labels = chosen.map((one) => one && one.map((name) => words.get(name)));
  const arrow = tableFromIPC(lists.withLabels(true).toIPC()).getChild('topics');
  assert.deepEqual([...arrow].map((one) => one && [...one]), labels);
});

test('times can be shown in a time zone', async () => {
  const utc = await client.interviews(box.feedbackSurveyId, { fields: ['StartDate'] }).table();
  const local = utc.inTimeZone('Europe/Zurich');
  assert.deepEqual([...local], [...utc], 'a Date has no zone');
  assert.equal(tableFromIPC(local.toIPC()).schema.fields[0].type.timezone, 'Europe/Zurich');
  const wrong = await failure(() => utc.inTimeZone('Europe/Zuerich'));
  assert.equal(wrong.code, 'InvalidArgument');
  assert.match(wrong.message, /Zuerich/);
});

test('interviews are rows too, and the calls of a list have options', async () => {
  const rows = await client.interviews(box.surveyId, { fields: ['vote'], labels: true }).toArray();
  assert.equal(rows.length, 944);
  assert.deepEqual(new Set(rows.map((row) => row.vote)), new Set(['Clinton', 'Dole']));
  for await (const row of client.interviews(box.surveyId, { fields: ['Id'], pageSize: 100 }).rows()) {
    assert.deepEqual(Object.keys(row), ['Id']);
    break;
  }
  for (const [on, read] of [
    ['ReadMemberList', (options) => client.members(box.panelId, options).toArray()],
    ['ReadInterviewListCompact', (options) => client.interviews(box.surveyId, { fields: ['Id'], ...options }).table()],
  ]) {
    await box.fault({ on, times: 1, action: { kind: 'status', status: 503 } });
    await assert.rejects(read({ attempts: 1 }), { httpStatus: 503, attempts: 1 });
    await assert.rejects(read({ deadline: -1 }), InvalidArgument);
    await read({ attempts: 2, deadline: 60_000 });
  }
});

test('waves are stacked by their labels', async () => {
  const before = await client.interviews(box.feedbackSurveyId, { fields: ['Id', 'State'] }).table();
  const stacked = Table.stack({ 2025: before, 2026: before });
  assert.deepEqual([stacked.numRows, stacked.columns[0]], [2 * before.numRows, 'wave']);
  assert.deepEqual([...new Set([...stacked].map(({ wave }) => wave))], ['2025', '2026']);
  assert.throws(() => Table.stack({ 2025: before, 2026: before }, { crosswalk: { 2027: { State: 'state' } } }), /names the wave 2027/);
  assert.throws(() => Table.stack({ 2025: 1 }), /must be a table/);
  assert.throws(() => Table.stack({}, { by: 1 }), /known are crosswalk/);
});
