// Questionnaires with the shape of real ones, answered by invented people: what they hold arrives in both forms.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
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
  const [id] = await box.answer(surveyId, [{ WInegOluXoma: 6, State: 'InProgress' }]);
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
