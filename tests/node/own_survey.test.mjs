// A sandbox with a survey from the user's own files, or with one that is invented.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { InvalidArgument, Sandbox, Table } from 'sondage';

test('answers and a code plan become a survey, or it is said what is wrong where', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
  const [data, codePlan] = [join(folder, 'answers.csv'), join(folder, 'plan.json')];
  const labels = [{ id: '1', value: 'Good' }];
  await writeFile(codePlan, JSON.stringify([{ code: 'Q1', dataType: 'Number', type: 'SingleChoice', values: labels }]));
  await writeFile(data, 'Q1\n1\n');
  const box = new Sandbox({ data, codePlan });
  const table = await box.client().interviews(box.dataSurveyId, { fields: ['Q1'], labels: true }).table();
  assert.deepEqual([...table.rows()], [{ Q1: 'Good' }]);
  // A table goes to a worker thread or another process as bytes, with its labels.
  const twin = Table.fromBytes(table.toBytes());
  assert.deepEqual([...twin.rows(), ...twin.withLabels(false).rows()], [{ Q1: 'Good' }, { Q1: 1 }]);
  assert.throws(() => Table.fromBytes(new Uint8Array(3)), InvalidArgument);
  box.stop();
  await writeFile(data, 'Q1\n1\nGood\n');
  assert.throws(
    () => new Sandbox({ data, codePlan }),
    (error) => error instanceof InvalidArgument && /answers\.csv: line 3, column 1 \(Q1\): the value is not an integer/.test(error.message),
  );
  await rm(folder, { recursive: true });
});

test('two waves of an invented survey', async () => {
  const box = await Sandbox.demo({ content: 'waves' });
  assert.deepEqual(Object.keys(box.surveyIds), ['Library visitors 2025', 'Library visitors 2026']);
  assert.equal(box.surveyId, box.surveyIds['Library visitors 2026']);
  for (const survey of Object.values(box.surveyIds)) {
    const fields = ['State', 'score', 'weight'];
    const scores = async (options) => [...(await box.client().interviews(survey, { fields, ...options }).table()).rows()];
    assert.ok((await scores({})).every(({ score }) => score !== 9999999), 'a missing answer');
    assert.ok((await scores({ notAvailable: undefined })).every(({ score }) => score !== 9999999), 'as if it were left out');
    const rows = await scores({ notAvailable: null });
    assert.equal(rows.length, 400);
    assert.ok(rows.filter(({ score }) => score === 9999999).length > 5, 'not available');
    const weights = rows.map(({ weight }) => weight).filter((weight) => weight !== null);
    assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) / weights.length - 1) < 1e-4);
  }
  box.stop();
  await assert.rejects(Sandbox.demo({ content: 'wave' }), (error) => error instanceof InvalidArgument && /content must be one of \["demo", "waves"\]/.test(error.message));
});

test('people have answered at the start, and times of rows become texts with a warning', async () => {
  const shape = new URL('../shapes/survey-1.json', import.meta.url).pathname;
  const box = new Sandbox({ surveys: [shape], fill: 12 });
  assert.equal(await box.client().interviews(box.surveyId).count(), 12);
  const noon = new Date('2026-03-02T12:00:00Z');
  await box.freezeTime(noon);
  const [id] = await box.fill(box.surveyId, { people: 1 });
  assert.deepEqual(await box.now(), noon);
  const answers = [...(await box.client().interviews(box.surveyId).table()).rows()];
  assert.deepEqual(answers.find((row) => row.Id === id).UpdatedAt, noon);
  box.stop();
  assert.throws(() => new Sandbox({ fill: 5 }), (error) => error instanceof InvalidArgument && /fill: there are no `surveys`/.test(error.message));
  const warned = [];
  const listen = (warning) => warned.push(`${warning.name}: ${warning.message}`);
  process.on('warning', listen);
  const [day, time] = [new Date('2024-05-01'), new Date('2024-05-02T10:30:00Z')];
  const own = await Sandbox.fromRows([{ day, time: day, StartDate: day }, { day, time, StartDate: time }]);
  const rows = [...(await own.client().interviews(own.surveyId, { fields: ['time', 'StartDate'] }).table()).rows()];
  assert.deepEqual(rows.map((row) => row.time), ['2024-05-01T00:00:00.000Z', '2024-05-02T10:30:00.000Z']);
  own.stop();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', listen);
  assert.deepEqual(warned, ['DataWarning: "time": values of the type Date became texts: the platform has numbers, texts and dates']);
  const wrong = [{ a: new Date(NaN), b: [1] }, { a: Buffer.of(1), b: 'x\ud83d' }];
  await assert.rejects(Sandbox.fromRows(wrong), (error) => {
    for (const part of ['"a", row 0: this is no valid Date', '"a", row 1: bytes are no answer', '"b", row 0: a number', '"b", row 1: half of a surrogate pair']) {
      assert.ok(error.message.includes(part), error.message);
    }
    return error instanceof InvalidArgument;
  });
});
