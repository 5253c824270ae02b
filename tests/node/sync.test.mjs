// Stores that are kept equal to a survey: a Parquet file, and a table of PostgreSQL.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, test } from 'node:test';
import pg from 'pg';
import { eraseFromStore } from 'sondage';
import { postgres } from './postgres.mjs';
import { failure, sandbox } from './support.mjs';

const folder = await mkdtemp(join(tmpdir(), 'sondage-sync-node-'));
const server = await postgres(folder);
after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const survey = (box) => box.client().interviews(box.feedbackSurveyId, { pageSize: 20 });

/** Answers one interview, and deletes another that is open, if there is one. */
async function change(box, since = '2024-02-03') {
  await box.advance(60);
  const open = [...(await box.client().interviews(box.feedbackSurveyId, { state: 'NotResponded' }).table()).rows()];
  assert.ok(await box.emit('complete', { id: open[0].Id, answers: { since } }));
  if (open.length > 1) await box.client().deleteInterview({ surveyId: box.feedbackSurveyId, interviewId: open[1].Id });
}

/** Rows in any order of rows and columns. */
const sorted = (rows) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : `${value}`])
          .map(([name, text]) => [name, /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : text])
          .sort(),
      ),
    )
    .sort();

test('a file follows the survey', async () => {
  const box = await sandbox();
  const path = join(folder, 's.parquet');
  const first = await survey(box).sync(path);
  assert.ok(first.complete && first.added === first.rows && first.rows > 20);
  const written = (await stat(path)).mtimeMs;
  await change(box);
  const second = await survey(box).sync(pathToFileURL(path), { evolve: false });
  assert.deepEqual([second.added, second.changed, second.removed, second.complete], [0, 1, 1, false]);
  assert.ok((await stat(path)).mtimeMs >= written);
  assert.deepEqual((await readdir(folder)).filter((name) => name.startsWith('s.')), ['s.parquet']);
  assert.match((await failure(() => survey(box).sync(path, { table: 'answers' }))).message, /for a database/);
});

test('a table of PostgreSQL follows the survey', { skip: server === undefined && 'PostgreSQL is not installed' }, async () => {
  const box = await sandbox();
  const client = new pg.Client(server.address);
  // Days as text: a Date of JavaScript would be in the zone of the machine.
  pg.types.setTypeParser(1082, (text) => text);
  pg.types.setTypeParser(20, (text) => text);
  await client.connect();
  try {
    const query = survey(box);
    const first = await query.sync(client, { table: 'answers' });
    assert.ok(first.complete && first.added > 20);
    const stored = async () => sorted((await client.query('SELECT * FROM answers')).rows.map((row) => ({ ...row })));
    const expected = async () => sorted([...(await query.table()).rows()]);
    const plain = (rows) => rows.map((row) => row);
    assert.deepEqual(plain(await stored()), plain(await expected()));
    await change(box);
    const second = await query.sync(client, { table: 'answers' });
    assert.deepEqual([second.added, second.changed, second.removed], [0, 1, 1]);
    assert.deepEqual(await stored(), await expected());
    await client.query('BEGIN');
    await client.query('SELECT 1');
    assert.match((await failure(() => query.sync(client, { table: 'answers' }))).message, /open transaction/);
    await client.query('ROLLBACK');
    const before = await stored();
    await client.query('SET default_transaction_read_only = on');
    await change(box);
    assert.match((await failure(() => query.sync(client, { table: 'answers' }))).message, /SQLSTATE 25006/);
    await client.query('SET default_transaction_read_only = off');
    assert.deepEqual(await stored(), before);
    await client.query('CREATE TABLE other (a integer)');
    assert.match((await failure(() => query.sync(client, { table: 'other' }))).message, /was not made by a sync/);
    assert.match((await failure(() => query.completed?.() ?? box.client().interviews(box.feedbackSurveyId, { state: 'Completed' }).sync(client, { table: 'answers' }))).message, /another query/);
    const [gone] = [...(await query.table()).rows()];
    await box.client().deleteInterview({ surveyId: box.feedbackSurveyId, interviewId: gone.Id });
    const lost = new pg.Client(server.address);
    lost.on('error', () => {});
    await lost.connect();
    const { rows } = await lost.query('SELECT pg_backend_pid() AS pid');
    const cut = async () => {
      const send = lost.query.bind(lost);
      lost.query = async (text, values) => {
        if (text === 'COMMIT') await client.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
        return send(text, values);
      };
      await query.sync(lost, { table: 'answers' });
    };
    assert.match((await failure(cut)).message, /unknown whether the table `answers` was changed.*Sync again/);
    await query.sync(client, { table: 'answers' });
    assert.deepEqual(await stored(), await expected());
  } finally {
    await client.end();
  }
});

test('a table keeps the columns of others', { skip: server === undefined && 'PostgreSQL is not installed' }, async () => {
  const box = await sandbox();
  const client = new pg.Client(server.address);
  await client.connect();
  try {
    const query = survey(box);
    await query.sync(client, { table: 'noted' });
    await client.query('ALTER TABLE noted ADD COLUMN note text');
    await client.query(`UPDATE noted SET note = 'of ' || "Id"`);
    await box.changeProfile({ acceptedAnswers: 'any' });
    await change(box, 'long ago');
    const report = await query.sync(client, { table: 'noted', evolve: true });
    assert.ok(report.complete && report.removed === 1);
    const { rows } = await client.query(`SELECT count(*)::int AS all, count(*) FILTER (WHERE note = 'of ' || "Id")::int AS noted,
      count(*) FILTER (WHERE since = 'long ago')::int AS changed FROM noted`);
    assert.deepEqual(rows, [{ all: report.rows, noted: report.rows, changed: 1 }]);
    await client.query('ALTER TABLE noted ALTER COLUMN "nps" TYPE real');
    await change(box, 'today');
    assert.match((await failure(() => query.sync(client, { table: 'noted' }))).message, /`nps` of the table `noted` has the type real, .* made it bigint/);
    await client.query('ALTER TABLE noted DROP COLUMN "State"');
    assert.match((await failure(() => query.sync(client, { table: 'noted' }))).message, /lost columns .*`State`/);
  } finally {
    await client.end();
  }
});

test('an erased person leaves a file and a table', async () => {
  const box = await sandbox();
  const [path, receipt] = [join(folder, 'erased.parquet'), join(folder, 'receipt.json')];
  const query = box.client().interviews(box.feedbackSurveyId, { fields: ['State', 'PanelMemberId'] });
  await query.sync(path);
  const client = server === undefined ? undefined : new pg.Client(server.address);
  await client?.connect();
  try {
    if (client) await query.sync(client, { table: 'people' });
    const { PanelMemberId } = [...(await query.table()).rows()].find((row) => row.PanelMemberId !== null);
    const person = { panelIds: [box.panelId], key: 'Id', value: `${PanelMemberId}`, keepInterviews: false };
    assert.match((await failure(() => eraseFromStore(receipt, path))).message, /there is no receipt/);
    const plan = await box.client().planErasePerson(person);
    await box.client().erasePerson(receipt, { ...person, confirm: plan.token });
    for (const [store, options] of client ? [[path], [client, { table: 'people' }]] : [[path]]) {
      const first = await eraseFromStore(receipt, store, options);
      assert.equal(first.erased, 1);
      assert.equal((await eraseFromStore(receipt, store, options)).erased, 0);
      const { rows, added, changed, removed } = await query.sync(store, options);
      assert.deepEqual([rows, added, changed, removed], [first.rows, 0, 0, 0]);
    }
    if (client) assert.match((await failure(() => eraseFromStore(receipt, client))).message, /table is required/);
    assert.match((await failure(() => eraseFromStore(receipt, join(folder, 'none.parquet')))).message, /there is no store/);
  } finally {
    await client?.end();
  }
});
