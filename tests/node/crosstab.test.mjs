// Crosstabs of a table and of a query, and results to look at.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { InvalidArgument, Sandbox } from 'sondage';

let box;
let table;

before(async () => {
  box = await Sandbox.demo();
  table = await box.client().interviews(box.surveyId).table();
});

after(() => box.stop());

test('pairs of answers are counted', async () => {
  const found = table.crosstab('vote', { by: 'PID' });
  assert.deepEqual([found.base, found.rowCategories.length, found.columnCategories.length], [944, 2, 7]);
  const counts = new Map();
  for (const { vote, PID } of table.rows()) counts.set(`${vote} ${PID}`, (counts.get(`${vote} ${PID}`) ?? 0) + 1);
  for (const { row, column, n } of found.cells) {
    assert.equal(n, counts.get(`${found.rowCategories[row].code} ${found.columnCategories[column].code}`) ?? 0);
  }
  assert.deepEqual([found.test.method, found.test.df], ['pearson', 6]);
  assert.deepEqual(await box.client().interviews(box.surveyId).crosstab('vote', { by: 'PID' }), found);
  assert.deepEqual(box.blockingClient().interviews(box.surveyId).crosstab('vote', { by: 'PID' }), found);
  const weighted = table.crosstab('vote', { by: 'PID', weight: 'educ', show: ['weighted', 'row%'] });
  assert.equal(weighted.test.method, 'rao_scott');
  assert.ok(weighted.effectiveBase < weighted.base);
});

test('results can be looked at', () => {
  for (const found of [table.crosstab('vote', { by: 'PID' }), table.frequencies('vote'), table.frequencies('age')]) {
    assert.match(found.toSvg(), /^<svg [^>]*role="img".*<title>.*<desc>/s);
    assert.doesNotMatch(found.toSvg(), /<script/);
    assert.match(found.toHtml(), /^<table>/);
    assert.ok(found.toText().split('\n').length <= 50);
    // What draws is no part of the data.
    assert.deepEqual(JSON.parse(JSON.stringify(found)), { ...found });
  }
  assert.equal(table.crosstab('vote', { by: 'PID' }).toTable().numRows, 14);
  assert.match(table.frequencies('vote').toText(), /Clinton +551 .*█/);
});

test('wrong arguments are refused', async () => {
  assert.throws(() => table.crosstab('vote', { by: 'party' }), InvalidArgument);
  assert.throws(() => table.crosstab('vote', { by: 'PID', show: ['percent'] }), /show/);
  assert.throws(() => table.crosstab('vote', { by: 'PID', weights: 'educ' }), /weights/);
  await assert.rejects(box.client().interviews(box.surveyId).crosstab('vote', { by: 'PID', show: ['percent'] }), InvalidArgument);
});
