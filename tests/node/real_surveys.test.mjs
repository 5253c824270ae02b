// Questionnaires with the shape of real ones, answered by invented people: what they hold arrives in both forms.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tableFromIPC } from 'apache-arrow';
import { InvalidArgument, Sandbox } from 'sondage';

const shapes = new URL('../shapes/', import.meta.url);
const features = JSON.parse(await readFile(new URL('features.json', shapes), 'utf8'));
const NOT_AVAILABLE = 9_999_999;
let box;
const surveys = {};

before(async () => {
  const names = [...new Set(features.map(({ shape }) => `survey-${shape}.json`))];
  box = new Sandbox({ surveys: names.map((name) => fileURLToPath(new URL(name, shapes))) });
  const client = box.client();
  for (const [name, surveyId] of Object.entries(box.surveyIds)) {
    assert.equal(new Set(await box.fill(surveyId, { people: 300, seed: 7 })).size, 300);
    const compact = (await client.readInterviewListCompact({ surveyId })).interviews;
    const structured = (await client.readInterviewList({ surveyId })).interviews;
    surveys[name] = [compact, structured.map(({ columns }) => Object.fromEntries(columns.map(({ id, value }) => [id, value])))];
  }
});

after(() => box.stop());

function holds({ column, check, value, range }, rows) {
  const given = rows.map((row) => row[column]).filter((answer) => answer !== null && answer !== undefined);
  const numbers = given.filter((answer) => typeof answer === 'number' && answer !== NOT_AVAILABLE);
  const completed = rows.filter(({ State }) => State === 'Completed');
  const unasked = completed.filter((row) => row[column] === null || row[column] === undefined).length;
  switch (check) {
    case 'value': return given.includes(value);
    case 'text': return given.some((answer) => typeof answer === 'string' && answer !== '');
    case 'range': return new Set(numbers).size > 1 && numbers.every((number) => number >= range[0] && number <= range[1]);
    case 'asked_of_some': return unasked > 20 && unasked < completed.length - 20;
    default: return given.length > 50;
  }
}

for (const feature of features) {
  test(`real surveys have: ${feature.feature}`, () => {
    const [compact, structured] = surveys[`survey-${feature.shape}`];
    assert.ok(holds(feature, compact));
    assert.deepEqual(structured, compact.map((row) => ({ ...row })));
  });
}

test('answers are given row by row, and a wrong one changes nothing', async () => {
  const surveyId = box.surveyIds['survey-5'];
  const client = box.client();
  const before = await client.interviews(surveyId).count();
  const [id] = await box.answer(surveyId, [{ mAzuDema: 1, WInegOluXoma: 6, State: 'InProgress' }]);
  const row = await client.readInterview({ surveyId, interviewId: id });
  assert.equal(row.responseData.WInegOluXoma, 6);
  const wrong = box.answer(surveyId, [{}, { WInegOluXoma: 77 }]);
  await assert.rejects(wrong, (error) => error instanceof InvalidArgument && /rows\[1\]\.WInegOluXoma/.test(error.message));
  await assert.rejects(box.fill(1), /there is no survey 1/);
  await assert.rejects(box.fill(surveyId, { persons: 3 }), /options\.persons is not known here; known are people, seed, unfinished/);
  assert.equal(await client.interviews(surveyId).count(), before + 1);
  assert.match((await box.notCarriedOut(box.surveyIds['survey-3'])).join('\n'), /^a calculation, which is not computed/);
});

test('rows with labels become a survey, and come back', async () => {
  const labels = { use: new Map([[1, 'never'], [10, 'always'], [77, 'nobody said this']]) };
  const rows = [{ use: 1, age: 31, since: new Date('2019-05-01') }, { use: 5, age: null }, { age: 58.5 }];
  const own = await Sandbox.fromRows(rows, { labels, questions: { use: 'How often?' }, name: 'Use' });
  const table = await own.client().interviews(own.surveyIds.Use, { fields: ['use', 'age', 'since'], labels: true }).table();
  const back = [...table.rows()].map(({ use, age }) => [use, age]);
  assert.deepEqual(back.sort(), [['never', 31], ['5', null], [null, 58.5]].sort());
  own.stop();
  await assert.rejects(Sandbox.fromRows([{ a: 1 }], { labels: { b: {} } }), /labels: the rows have no column b/);
  await assert.rejects(Sandbox.fromRows([{ State: 'Over' }]), /column "State", row 0: this is not a state/);
});

test('a sandbox stays in its folder, is copied, restored and reset', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sondage-state-'));
  const count = async (box) => (await box.client().readInterviewListCompact({ surveyId: box.surveyId })).interviews.length;
  try {
    const kept = { state: join(folder, 'kept') };
    const first = await Sandbox.demo(kept);
    const known = [first.baseUrl, first.clientSecret];
    const people = await count(first);
    await first.fill(first.surveyId, { people: 3 });
    await first.snapshot(join(folder, 'copy'));
    await first.fill(first.surveyId, { people: 4 });
    first.stop();
    const box = await Sandbox.demo(kept);
    after(() => box.stop());
    assert.deepEqual([box.baseUrl, box.clientSecret], known);
    assert.deepEqual([box.state, box.stateCutBytes], [kept.state, 0]);
    assert.equal(await count(box), people + 7);
    await box.restore(join(folder, 'copy'));
    assert.equal(await count(box), people + 3);
    await box.reset();
    assert.equal(await count(box), people);
    await assert.rejects(box.restore(folder), InvalidArgument);
    await assert.rejects(Sandbox.demo(kept), /another sandbox uses it/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('frequencies and the codebook with them', async () => {
  const waves = await Sandbox.demo({ content: 'waves' });
  after(() => waves.stop());
  const table = await waves.client().interviews(waves.surveyId).table();
  const { kind, rows, answered, categories } = table.frequencies('frequency', { missing: true });
  assert.deepEqual([kind, rows], ['single', 400]);
  const counts = new Map();
  for (const { frequency } of table.rows()) counts.set(frequency, (counts.get(frequency) ?? 0) + 1);
  for (const { code, n, missing } of categories) if (!missing) assert.equal(n, counts.get(code) ?? 0);
  assert.deepEqual(new Set(categories.filter(({ missing }) => !missing).map(({ code }) => code)), new Set(table.values('frequency').keys()));
  assert.equal(categories.reduce((sum, { n }) => sum + n, 0), 400);
  assert.equal(answered, categories.filter(({ missing }) => !missing).reduce((sum, { n }) => sum + n, 0));
  const weighted = table.frequencies('duration', { weight: 'weight' });
  assert.ok(weighted.summary.mean > 0 && weighted.weightedRows > 0 && weighted.summary.histogram.length === 10);
  assert.match(table.codebook({ frequencies: true }), /\| code \| label \| n \|/);
  assert.match(table.codebook({ format: 'html', frequencies: true, weight: 'weight' }), /^<!DOCTYPE html>.*class="bar"/s);
  assert.deepEqual(await waves.client().interviews(waves.surveyId).frequencies('frequency', { missing: true }), table.frequencies('frequency', { missing: true }));
  assert.throws(() => table.frequencies('nothing'), InvalidArgument);
  assert.throws(() => table.codebook({ format: 'pdf' }), /markdown or html/);
});

/** A cell of Arrow as a row of the table has it. */
function asInRows(cell, type) {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  if (`${type}`.startsWith('Timestamp')) return new Date(Number(cell)).getTime();
  return cell;
}

test('rows and Arrow have the same answers, labels and missing values', async () => {
  const all = await Sandbox.demo({ content: 'waves', surveys: [fileURLToPath(new URL('survey-1.json', shapes))] });
  after(() => all.stop());
  await all.fill(all.surveyId, { people: 40, seed: 5 });
  for (const survey of [...Object.values(all.surveyIds), all.feedbackSurveyId]) {
    for (const labels of [false, true]) {
      const table = (await all.client().interviews(survey).table()).withLabels(labels);
      const arrow = tableFromIPC(table.toIPC());
      const rows = [...table.rows()];
      assert.equal(arrow.numRows, rows.length);
      assert.deepEqual(arrow.schema.fields.map(({ name }) => name), table.columns);
      for (const { name, type } of arrow.schema.fields) {
        const column = arrow.getChild(name);
        rows.forEach((row, place) => {
          const expected = row[name] instanceof Date ? row[name].getTime() : row[name];
          const found = asInRows(column.get(place), type);
          assert.ok(found === expected || Math.trunc(found) === expected, `${survey} ${name} ${place}: ${found} ${expected}`);
        });
      }
    }
  }
});
