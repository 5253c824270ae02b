// Surveys with what real ones have, as rows and as Arrow: values, labels, order, missing answers and dates of both are the same. The
// surveys are those of `tests/python/odd_surveys.py`, where programs for Python read them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tableFromIPC, Type } from 'apache-arrow';
import { Sandbox } from 'sondage';

const GENERATED = Number(process.env.SONDAGE_GENERATED_SURVEYS ?? 20);
const SHAPES = GENERATED <= 20 ? [1, 5] : [1, 2, 3, 5, 6, 8];
const TEXTS = ['', 'a', 'ß', 'مرحبا بالعالم', 'שלום', '👩‍🚀🏳️‍🌈', 'a\nb', 'say "x", y; z', ' edge ', '=1+1', 'Ä'.repeat(16_000), 'null', 'NA', '0'];
const MISSING = [1, 2, 3, -9, -8, 96, 97, 98, 99];
const tables = [];
const boxes = [];

/** Numbers from 0 to below 1 that are the same in each run. */
function numbers(seed) {
  let state = (seed + 1) * 0x9e3779b9;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Rows and their labels. */
function generated(seed) {
  const next = numbers(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const people = pick([1, 40, 120]);
  const long = 'L'.repeat(pick([80, 121, 300]));
  const labels = {
    equal: { 1: 'same', 2: 'same', 3: 'other' },
    long: { 1: `${long}1`, 2: `${long}2`, 3: 'مرحبا', 4: '🙂', 5: '<b>five</b> &amp; more' },
    ends: { 0: 'not at all', 10: 'very' },
    missing: Object.fromEntries(MISSING.slice(0, pick([6, 9])).map((code) => [code, `m${code}`])),
    down: new Map([[3, 'high'], [2, 'middle'], [1, 'low']]),
  };
  const codes = (name) => (name === 'ends' ? [...Array(11).keys()] : [...(labels[name] instanceof Map ? labels[name].keys() : Object.keys(labels[name]))].map(Number));
  const others = {
    words: () => pick(TEXTS),
    whole: () => Math.floor((next() - 0.5) * 2e12),
    real: () => pick([0.1, -2.5e-7, 1e300, 3.5]),
    day: () => `${1900 + Math.floor(next() * 200)}-0${1 + Math.floor(next() * 9)}-07`,
  };
  const rows = Array.from({ length: people }, () => ({
    ...Object.fromEntries(Object.keys(labels).map((name) => [name, pick([...codes(name), null])])),
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, next() < 0.8 ? value() : null])),
  }));
  return { rows, labels };
}

before(async () => {
  const files = SHAPES.map((shape) => fileURLToPath(new URL(`../shapes/survey-${shape}.json`, import.meta.url)));
  const waves = new Sandbox({ content: 'waves', surveys: files });
  const demo = await Sandbox.demo();
  boxes.push(waves, demo);
  for (const [name, surveyId] of Object.entries(waves.surveyIds)) {
    if (name.startsWith('survey-')) await waves.fill(surveyId, { people: 60, seed: 3 });
    tables.push([name, await waves.client().interviews(surveyId).table()]);
  }
  for (const surveyId of [demo.surveyId, demo.feedbackSurveyId]) tables.push([`demo ${surveyId}`, await demo.client().interviews(surveyId).table()]);
  for (let seed = 0; seed < GENERATED; seed += 1) {
    const { rows, labels } = generated(seed);
    const box = await Sandbox.fromRows(rows, { labels });
    boxes.push(box);
    const query = box.client().interviews(box.surveyId);
    tables.push([`generated ${seed}`, await query.table(), rows]);
    if (seed === 0) tables.push(['nobody', await box.client().interviews(box.surveyId, { updatedSince: new Date('2100-01-01') }).table(), []]);
  }
});

after(() => boxes.forEach((box) => box.stop()));

/** A cell of apache-arrow as a row has it. */
function cell(value, { type }) {
  if (value === null || value === undefined) return null;
  if (type.typeId === Type.Timestamp || type.typeId === Type.Date) return new Date(value);
  if (type.typeId === Type.List) return [...value];
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return value;
}

for (const labels of [false, true, 'both']) {
  test(`rows are those of Arrow, with labels: ${labels}`, () => {
    for (const [survey, codes] of tables) {
      for (const table of [codes, codes.withLists()].map((one) => one.withLabels(labels))) {
        const arrow = tableFromIPC(table.toIPC());
        assert.deepEqual(arrow.schema.fields.map((field) => field.name), table.columns, survey);
        const rows = [...table.rows()];
        assert.equal(rows.length, arrow.numRows, survey);
        for (const field of arrow.schema.fields) {
          const cells = [...arrow.getChild(field.name)].map((value) => cell(value, field));
          assert.deepEqual(rows.map((row) => row[field.name]), cells, `${survey}, ${field.name}`);
        }
      }
    }
  });
}

const DECLARED = { missing: [1, 2, -9, 96], ends: 5, words: 'NA' };

test('rows have the answers that were given, and those that mean a missing one are missing', () => {
  const made = tables.filter(([, , given]) => given);
  assert.equal(made.length, GENERATED + 1);
  for (const [survey, codes, given] of made) {
    const names = Object.keys(given[0] ?? {});
    const plain = (value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value);
    const compare = (rows, expected, where) => {
      for (const name of names) assert.deepEqual(rows.map((row) => plain(row[name])), expected.map((row) => row[name]), `${survey}, ${where}, ${name}`);
    };
    compare([...codes.rows()], given, 'as given');
    const isMissing = (name, value) => [DECLARED[name] ?? []].flat().includes(value);
    for (const show of ['null', 'code', 'reason']) {
      const table = codes.withMissing(DECLARED, { show });
      const answer = ([name, value]) => [name, show !== 'code' && isMissing(name, value) ? null : value];
      const expected = given.map((row) => Object.fromEntries(Object.entries(row).map(answer)));
      compare([...table.rows()], expected, show);
      const arrow = tableFromIPC(table.toIPC());
      const cells = arrow.schema.fields.map((field) => [field.name, [...arrow.getChild(field.name)].map((value) => cell(value, field))]);
      compare(given.map((_, at) => Object.fromEntries(cells.map(([name, values]) => [name, values[at]]))), expected, `${show} in Arrow`);
    }
  }
});

test('labels are those of their codes, in the order of the questionnaire', () => {
  let compared = 0;
  for (const [survey, codes] of tables) {
    const labels = codes.withLabels(true);
    const [rows, labelled, arrow] = [[...codes.rows()], [...labels.rows()], tableFromIPC(labels.toIPC())];
    for (const field of arrow.schema.fields.filter(({ type }) => type.typeId === Type.Dictionary)) {
      const { name } = field;
      const known = new Map(codes.values(name));
      const dictionary = [...(arrow.getChild(name).data[0]?.dictionary ?? [])];
      const order = dictionary.filter((label) => [...known.values()].includes(label));
      assert.deepEqual(order, [...known.values()], `${survey}, ${name}`);
      rows.forEach((row, at) => {
        const label = row[name] === null ? null : (known.get(row[name]) ?? String(row[name]));
        assert.equal(labelled[at][name], label, `${survey}, ${name}, row ${at}`);
      });
      compared += 1;
    }
  }
  assert.ok(compared > 5 * GENERATED, `${compared} columns of labels`);
});
