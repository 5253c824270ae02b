// Languages, missing answers, names of the service's columns, states, filters and keyrings.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Client, KeyringStore, field, newMember, questionnaire as ask } from 'sondage';
import { failure, sandbox } from './support.mjs';

const box = await sandbox();
const client = box.client();

/** A survey in two languages: one refuses, one is not asked, one has not begun. */
const surveyId = await (async () => {
  const again = { 1: { en: 'Yes', de: 'Ja' }, 2: { en: 'No', de: 'Nein' }, 99: { en: 'Refused', de: 'Keine Angabe' } };
  const topics = { a: { en: 'Food', de: 'Essen' }, b: { en: 'Music', de: 'Musik' } };
  const surveyDefinition = ask.questionnaire(['en', 'de'], {
    Visit: [
      ask.singleChoice('again', { en: 'Again?', de: 'Wieder?' }, again),
      ask.multipleChoice('topics', { en: 'Which?', de: 'Welche?' }, topics),
      ask.openQuestion('Id', { en: 'Card?', de: 'Ausweis?' }),
    ],
  });
  const { workspaceId, messageTemplateId } = box;
  const { surveyId } = await client.createSurvey({ workspaceId, name: 'Visit', surveyDefinition });
  await client.executeWorkflowTransition({ workflow: 'SurveyDesign', surveyId, targetState: 'Published' });
  const { id: panelId } = await client.createPanel({ workspaceId, name: 'Visitors', panelType: 'Basic' });
  const members = [0, 1, 2].map((number) => newMember({ Email: `p${number}@example.com` }));
  await client.createMembers({ panelId, members });
  await client.inviteMembers({ surveyId, panelId, messageTemplateId, channel: 'Email' });
  const ids = [...(await client.interviews(surveyId, { fields: ['Id'] }).table())].map((row) => row.Id);
  await box.changeProfile({ acceptedAnswers: 'any' });
  await box.emit('complete', { id: ids[0], answers: { again: 99, topics_a: 1, topics_b: 0, Id: 'card' } });
  await box.emit('complete', { id: ids[1], answers: { again: 1, Id: 'card' } });
  return surveyId;
})();

test('labels speak every language of the survey', async () => {
  const table = await client.interviews(surveyId, { fields: ['again', 'topics'], language: 'de', labels: true }).table();
  assert.deepEqual([...table].map((row) => row.again), ['Keine Angabe', 'Ja', null]);
  assert.equal(table.metadata('again')['sondage.label'], 'Wieder?');
  assert.deepEqual(table.languages, ['en', 'de']);
  const english = table.inLanguage('en');
  assert.deepEqual([...english].map((row) => row.again), ['Refused', 'Yes', null]);
  assert.deepEqual([...english.withLists()].map((row) => row.topics), [['Food'], null, null]);
  const wrong = await failure(client.interviews(surveyId, { language: 'it' }).table());
  assert.equal(wrong.code, 'InvalidArgument');
  assert.match(wrong.message, /no language "it"; there is en, de/);
  assert.match((await failure(() => table.inLanguage('it'))).message, /there is en, de/);
  const plain = await client.interviews(surveyId, { fields: ['again'] }).table();
  assert.match((await failure(() => plain.inLanguage('de'))).message, /option `language`/);
});

test('missing answers have their reasons', async () => {
  const table = await client.interviews(surveyId, { fields: ['State', 'again', 'topics'] }).table();
  const gone = table.withMissing({ again: [99] });
  assert.deepEqual([...gone].map((row) => row.again), [null, 1, null]);
  assert.deepEqual([...gone.values('again')], [[1, 'Yes'], [2, 'No']]);
  const reasons = [...table.withMissing({ again: [99] }, { show: 'reason' })];
  assert.deepEqual(reasons.map((row) => row.again_missing), ['Refused', null, 'not_asked']);
  assert.deepEqual(reasons.map((row) => row.topics_a_missing), [null, 'not_asked', 'not_asked']);
  const kept = table.withMissing({ again: [99] }, { show: 'code' });
  assert.equal([...kept][0].again, 99);
  assert.equal(kept.metadata('again')['sondage.missing'], '[{"id":"99","value":"Refused"}]');
  assert.match(table.withMissing({ again: [98] }).warnings.at(-1), /no answer has the code 98/);
  assert.match((await failure(() => table.withMissing({ agian: [99] }))).message, /agian/);
  assert.match((await failure(() => table.withMissing({}, { show: 'none' }))).message, /null, code or reason/);
});

test('codes are declared in every form, and anything else is refused', async () => {
  const table = await client.interviews(surveyId, { fields: ['again', 'topics'] }).table();
  const range = { from: 98, to: 100 };
  for (const codes of [99, 99n, '99', [99], new Set([99]), [range], range, { '*': 99 }, { '*': range }, { again: [99] }, { again: range }]) {
    assert.deepEqual([...table.withMissing(codes)].map((row) => row.again), [null, 1, null]);
  }
  assert.deepEqual(table.withMissing([99, range]).warnings, []);
  assert.deepEqual(table.withMissing(-99).warnings, ['no column has the code -99']);
  const wrong = [null, undefined, true, NaN, Symbol('99'), () => 99, 2n ** 70n, [[99]], [null], { again: null }, { again: true }, { again: { from: 9 } }];
  for (const codes of [...wrong, { again: { from: 9, to: 1 } }, { again: new Set([99]) }, { again: [() => 99] }, new Map([['again', 99]]), { from: 9, to: 1 }]) {
    assert.equal((await failure(() => table.withMissing(codes))).code, 'InvalidArgument');
  }
  assert.match((await failure(() => table.withMissing(null))).message, /a number or a text for all columns, a list of these, or codes by column/);
});

test('no word of Rust reaches a caller', async () => {
  const query = client.interviews(surveyId, { fields: ['again'] });
  const table = await query.table();
  const rust = /\b([iu](8|16|32|64|128|size)|f64|string "|sequence|invalid type|newtype|unit value|boolean `|integer `|expected|Utf8|deserializ\w*)\b/;
  const file = join(tmpdir(), `sondage-words-${process.pid}`);
  const calls = {
    codes: (value) => table.withMissing(value),
    'codes by name': (value) => table.withMissing({ again: value }),
    'codes in a list': (value) => table.withMissing([value]),
    show: (value) => table.withMissing(1, { show: value }),
    labels: (value) => table.withLabels(value),
    select: (value) => table.select(value),
    zone: (value) => table.inTimeZone(value),
    language: (value) => table.inLanguage(value),
    values: (value) => table.values(value),
    frequencies: (value) => table.frequencies(value),
    weight: (value) => table.frequencies('again', { weight: value }),
    codebook: (value) => table.codebook({ frequencies: value }),
    spreadsheet: (value) => table.toFile(`${file}.csv`, { spreadsheet: value }),
    separator: (value) => table.toFile(`${file}.csv`, { separator: value }),
    head: (value) => query.head(value),
    fields: (value) => client.interviews(surveyId, { fields: value }).head(1),
    pageSize: (value) => client.interviews(surveyId, { pageSize: value }).head(1),
    notAvailable: (value) => client.interviews(surveyId, { notAvailable: value }).head(1),
  };
  const wrong = [null, undefined, 7, 2n ** 70n, -(2n ** 70n), 1.5, NaN, Infinity, true, '', 'no such', [], [[1]], [null], {}, { a: { b: 1 } }, () => 1, Symbol('x'), new Date()];
  const said = {};
  for (const [name, call] of Object.entries(calls)) {
    for (const [place, value] of wrong.entries()) {
      try {
        await call(value);
      } catch (error) {
        if (rust.test(error.message)) said[`${name} ${place}`] = error.message;
      }
    }
  }
  await rm(`${file}.csv`, { force: true });
  assert.deepEqual(said, {});
});

test('a question called Id hides nothing', async () => {
  const table = await client.interviews(surveyId, { fields: ['Id'] }).table();
  assert.deepEqual(table.columns, ['Id', 'answers.Id']);
  assert.deepEqual([...table].map((row) => row['answers.Id']), ['card', 'card', null]);
  assert.equal(new Set([...table].map((row) => row.Id)).size, 3);
});

test('a state that no interview has is refused', async () => {
  const wrong = await failure(async () => client.interviews(surveyId, { state: 'Complete' }).table());
  assert.equal(wrong.code, 'InvalidArgument');
  assert.match(wrong.message, /did you mean Completed.*NotResponded/);
});

test('conditions stand where a filter stands, and a filter can be read', async () => {
  const german = field('Language').isEqualTo('de');
  const expected = await client.members(box.panelId, { where: german }).count();
  assert.ok(expected > 0);
  assert.equal(await client.members(box.panelId, { where: german.compile() }).count(), expected);
  assert.match((await failure(async () => client.members(box.panelId, { where: [] }).count())).message, /no test/);
  const text = '(Division = "Sales" or question(NPS) < 7) and Language in ["de", "at"]';
  const filter = field('Division').isEqualTo('Sales').or(field.question('NPS').isLessThan(7)).and(field('Language').isIn(['de', 'at']));
  assert.equal(String(filter), text);
  assert.equal(inspect(filter), `Expression ${text}`);
});

test('tokens are kept in the keyring', async () => {
  assert.match((await failure(() => new KeyringStore())).message, /npm install @napi-rs\/keyring/);
  const kept = new Map();
  class AsyncEntry {
    constructor(service, name) {
      this.key = `${service}/${name}`;
    }
    getPassword = async () => kept.get(this.key);
    setPassword = async (text) => void kept.set(this.key, text);
    deletePassword = async () => {
      if (!kept.delete(this.key)) throw new Error('no entry');
    };
  }
  const load = Module._load;
  Module._load = (name, ...rest) => (name === '@napi-rs/keyring' ? { AsyncEntry } : load(name, ...rest));
  try {
    const { baseUrl, authUrl, tenant, clientSecret, panelId } = box;
    const settings = { baseUrl, authUrl, tenant, clientSecret, tokenStore: new KeyringStore() };
    await box.clearLedger();
    for (let i = 0; i < 2; i++) assert.ok((await new Client(settings).readPanel({ panelId })).panel);
    assert.equal((await box.ledger()).tokenRequests.length, 1);
    assert.match([...kept.keys()][0], /^sondage\//);
    const first = [...kept.values()][0];
    await box.revokeTokens(); // renewed, and saved again
    assert.ok((await new Client(settings).readPanel({ panelId })).panel);
    assert.notEqual([...kept.values()][0], first);
    await new Client(settings).logout();
    assert.equal(kept.size, 0);
    await new KeyringStore({ service: 'other' }).forget('nothing is there');
  } finally {
    Module._load = load;
  }
});
