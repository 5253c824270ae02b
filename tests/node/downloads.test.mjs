// Files, progress, estimates and incremental loads.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { field, Sandbox } from 'sondage';
import { sleep } from './support.mjs';

let box;
let client;
let folder;
before(async () => {
  box = await Sandbox.demo();
  client = box.client();
  folder = await mkdtemp(join(tmpdir(), 'sondage-'));
});
after(async () => {
  box.stop();
  await rm(folder, { recursive: true });
});

const fields = ['PID', 'age', 'vote'];

test('interviews are exported to files of every format', async () => {
  const interviews = client.interviews(box.surveyId, { fields, pageSize: 100 });
  const rows = [...(await interviews.table())];
  const done = await interviews.toFile(join(folder, 'a.jsonl'));
  assert.equal(done.rows, 944);
  assert.deepEqual([done.progress.rows, done.progress.calls, done.progress.total], [944, 10, 944]);
  assert.equal((await stat(done.path)).size, done.size);
  const lines = (await readFile(done.path, 'utf8')).trimEnd().split('\n');
  assert.deepEqual(lines.map((line) => JSON.parse(line)), rows);

  await interviews.toFile(pathToFileURL(join(folder, 'a.csv')), { labels: 'both' });
  const text = await readFile(join(folder, 'a.csv'), 'utf8');
  assert.match(text, /^PID,PID_label,age,vote,vote_label\n/);
  await interviews.toFile(join(folder, 'table'), { format: 'parquet' });
  assert.equal((await readFile(join(folder, 'table'))).subarray(0, 4).toString(), 'PAR1');
  assert.deepEqual((await readdir(folder)).sort(), ['a.csv', 'a.jsonl', 'table']);
});

test('a cancelled export resumes where it stopped', async () => {
  const stop = new AbortController();
  const path = join(folder, 'later.csv');
  await box.fault({ on: 'ReadInterviewListCompact', skip: 4, times: null, delayMs: 5_000 });
  const onProgress = ({ rows }) => rows >= 400 && stop.abort();
  const given = client.interviews(box.surveyId, { fields, pageSize: 100, onProgress, signal: stop.signal });
  await assert.rejects(given.toFile(path), { name: 'AbortError' });
  await box.clearFaults();
  await assert.rejects(stat(path), { code: 'ENOENT' });
  await box.clearLedger();
  const done = await client.interviews(box.surveyId, { fields, pageSize: 100 }).toFile(path);
  assert.equal(done.rows, 944);
  const { requests } = await box.ledger();
  assert.equal(requests.filter((one) => one.operation === 'ReadInterviewListCompact').length, 6);
});

test('members and tables are saved to files', async () => {
  const members = client.members(box.panelId);
  const done = await members.toFile(join(folder, 'members.parquet'));
  const table = await members.table();
  assert.equal(done.rows, table.numRows);
  const saved = await table.toFile(join(folder, 'members.csv'));
  assert.equal((await stat(join(folder, 'members.csv'))).size, saved.size);
  assert.deepEqual(saved.warnings, []);
  await assert.rejects(table.toFile(join(folder, 'members.ods')), { code: 'InvalidArgument' });
  await assert.rejects(members.toFile(join(folder, 'no', 'folder.csv')), /no folder/);
});

test('files for SPSS have codes and what was changed for them', async () => {
  const path = join(folder, 'answers.sav');
  const interviews = client.interviews(box.surveyId, { labels: true });
  const done = await interviews.toFile(path, { missing: { vote: 1 } });
  assert.equal((await readFile(path)).subarray(0, 4).toString(), '$FL2');
  const table = (await interviews.table()).withMissing({ vote: 1 }, { show: 'code' });
  const saved = await table.toFile(join(folder, 'table.sav'));
  assert.deepEqual([saved.size, saved.warnings], [done.size, done.warnings]);
  const long = await client.interviews(box.feedbackSurveyId, { labels: true }).table();
  const { warnings } = await long.withLists().toFile(join(folder, 'lists.sav'));
  assert.match(warnings.join(), /list/);
  await assert.rejects(interviews.toFile(join(folder, 'a.csv'), { missing: 1 }), /declare codes as missing/);
  const weight = 'age';
  const weighted = [await interviews.toFile(path, { weight }), await (await interviews.table()).toFile(path, { weight })];
  assert.ok((await readFile(path)).readInt32LE(76) > 0, 'the header has the slot of the weight');
  assert.equal(weighted[0].size, weighted[1].size);
  await assert.rejects(interviews.toFile(path, { weight: 'Age' }), /weight: there is no column `Age`/);
  await assert.rejects(interviews.toFile(join(folder, 'a.dta'), { weight }), /only a file of SPSS/);
});

test('a workbook and a file for Stata are written by their endings', async () => {
  const interviews = client.interviews(box.surveyId);
  const table = await interviews.table();
  for (const [name, start] of [['a.xlsx', 'PK'], ['a.dta', '<stata_dta>']]) {
    const path = join(folder, name);
    const done = await interviews.toFile(path, { labels: true });
    assert.equal((await readFile(path)).subarray(0, start.length).toString(), start);
    assert.equal(done.rows, table.numRows);
    const saved = await table.toFile(join(folder, `table_${name}`));
    assert.ok(saved.size > 1000);
  }
});

test('progress is reported, and an exception in onProgress ends the download', async () => {
  const told = [];
  const onProgress = (progress) => told.push(progress.rows);
  await client.interviews(box.surveyId, { fields, pageSize: 50, onProgress }).table();
  assert.equal(told.at(-1), 944);
  const enough = () => {
    throw new RangeError('enough');
  };
  await box.fault({ on: 'ReadInterviewListCompact', skip: 1, times: null, delayMs: 5_000 });
  const rejecting = async () => {
    await null;
    enough();
  };
  for (const failing of [enough, rejecting]) {
    const ended = client.interviews(box.surveyId, { fields, pageSize: 50, onProgress: failing }).table();
    await assert.rejects(ended, { name: 'RangeError', message: 'enough' });
  }
  await box.clearFaults();
});

test('an asynchronous onProgress is awaited, one call after the other, also at the end, and an abort ends the wait', async () => {
  let [open, most, ended] = [0, 0, 0];
  const slow = async () => {
    open += 1;
    most = Math.max(most, open);
    await sleep(5);
    open -= 1;
    ended += 1;
  };
  await client.interviews(box.surveyId, { fields, onProgress: slow }).table();
  assert.deepEqual([open, most, ended > 0], [0, 1, true]);
  const last = client.interviews(box.surveyId, { fields, onProgress: async ({ rows }) => { if (rows === 944) throw new RangeError('late'); } });
  await assert.rejects(last.table(), { name: 'RangeError', message: 'late' });
  const stop = new AbortController();
  const never = () => new Promise(() => setImmediate(() => stop.abort()));
  await assert.rejects(client.interviews(box.surveyId, { fields, onProgress: never, signal: stop.signal }).table(), { name: 'AbortError' });
});

test('a promise of onProgress that never settles does not withhold the result', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let table;
  const done = client.interviews(box.surveyId, { fields, onProgress: () => new Promise(() => {}) }).table().then((it) => (table = it));
  while (table === undefined) {
    t.mock.timers.tick(10_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await done).numRows, 944);
});

test('rows are counted, the first ones looked at, and codes have labels', async () => {
  const interviews = client.interviews(box.surveyId, { fields });
  assert.equal(await interviews.count(), 944);
  assert.equal(await client.members(box.panelId).count(), (await client.members(box.panelId).toArray()).length);
  const rows = [...(await interviews.table())];
  assert.deepEqual([...(await interviews.head(3))], rows.slice(0, 3));
  assert.equal((await interviews.head()).numRows, 5);
  await assert.rejects(interviews.head(0), /rows must be at least 1, not 0/);
  const table = await interviews.table();
  assert.deepEqual([...table.values('vote')], [[0, 'Clinton'], [1, 'Dole']]);
  assert.throws(() => table.values('votes'), /no column "votes"/);
});

test('members whom nobody matches have the columns of others', async () => {
  const full = await client.members(box.panelId).table();
  const empty = await client.members(box.panelId, { where: field('Email').isEqualTo('nobody') }).table();
  assert.equal(empty.numRows, 0);
  assert.ok(full.numRows > 0 && full.columns.includes('Email'));
  assert.deepEqual(empty.columns, full.columns);
});

test('an estimate, an order', async () => {
  const cost = await client.interviews(box.surveyId, { fields, pageSize: 100 }).estimate();
  assert.deepEqual([cost.rows, cost.calls], [944, 10]);
  assert.ok(cost.bytes > 10_000 && cost.minutes > 0 && cost.minutes < 60);
  const oldest = client.interviews(box.surveyId, { fields, orderBy: 'age', descending: true });
  const ages = [...(await oldest.table())].map((row) => row.age);
  assert.deepEqual(ages, [...ages].sort((a, b) => b - a));
});

test('an incremental load is committed when its function succeeds', async () => {
  const state = join(folder, 'feedback.state');
  const interviews = client.interviews(box.feedbackSurveyId, { fields: ['Id', 'State'] });
  const fail = () => {
    throw new Error('the warehouse is closed');
  };
  await assert.rejects(interviews.delta(state, fail), /warehouse/);
  const first = await interviews.delta(state, async ({ table }) => table.numRows, { removed: true });
  assert.ok(first > 20);
  await box.advance(60);
  const waiting = client.interviews(box.feedbackSurveyId, { fields: ['Id'], state: 'NotResponded' });
  const [{ Id: id }] = [...(await waiting.table())];
  assert.ok(await box.emit('complete', { id }));
  const next = await interviews.delta(state, ({ table, removed }) => [[...table], removed], { removed: true });
  assert.deepEqual(next, [[{ Id: id, State: 'Completed' }], []]);
  assert.equal(await interviews.delta(state, ({ table }) => table.numRows), 0);
  await assert.rejects(interviews.delta(state, () => 0, { overlap: -1 }), { code: 'InvalidArgument' });
  const [{ Id: ahead }] = [...(await waiting.table())];
  await box.advance(7200);
  assert.ok(await box.emit('complete', { id: ahead }));
  await box.advance(-7200);
  const [warning] = await interviews.delta(state, ({ table }) => table.warnings);
  assert.match(warning, /^1 interview has an `UpdatedAt` that is ahead/);
});
