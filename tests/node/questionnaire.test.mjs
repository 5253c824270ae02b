// Questionnaires from helpers: the same as in the other languages, and accepted by the sandbox.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { field, InvalidArgument, questionnaire as ask } from 'sondage';
import { ROOT, sandbox } from './support.mjs';

/** One of each, as `tests/questionnaire.json` has it. */
function everything() {
  const yesNo = { 1: { en: 'Yes', de: 'Ja' }, 2: { en: 'No', de: 'Nein' } };
  const other = ask.choice('9', { en: 'Other', de: 'Anderes' }, { allowTextEntry: true });
  const when = { forceResponse: true, condition: ask.showWhen(field.question('back').isEqualTo('2')) };
  const visit = [
    ask.singleChoice('back', { en: 'Will you come back?', de: 'Kommen Sie wieder?' }, yesNo),
    ask.openQuestion('why', { en: 'Why?', de: 'Warum?' }, when),
    ask.pageBreak(),
    ask.multipleChoice('seen', { en: 'What did you see?' }, [ask.choice('1', { en: 'Owls' }), other]),
    ask.dropdown('from', { en: 'Where are you from?' }, [['ch', { en: 'Switzerland' }], ['at', { en: 'Austria' }]]),
  ];
  const rating = [
    ask.date('day', { en: 'When?' }),
    ask.nps('nps', { en: 'Would you recommend us?' }),
    ask.slider('warmth', { en: 'How warm was it?' }, -10, 40),
    ask.matrix('staff', { en: 'Our staff' }, { a: { en: 'was kind' }, b: { en: 'was quick' } }, yesNo),
    ask.textBlock({ en: 'That is all.' }),
  ];
  const end = { en: 'Thank you!', de: 'Danke!' };
  return ask.questionnaire(['en', 'de'], { Visit: visit, Rating: rating }, { end });
}

test('the questionnaire is the same as in the other languages', async () => {
  const expected = JSON.parse(await readFile(join(ROOT, 'tests/questionnaire.json'), 'utf8'));
  assert.deepEqual(JSON.parse(JSON.stringify(everything())), expected);
});

test('a survey can be created from the questionnaire', async () => {
  const box = await sandbox();
  const client = box.client();
  const request = { workspaceId: box.workspaceId, name: 'Visitors', surveyDefinition: everything() };
  const { surveyId } = await client.createSurvey(request);
  const { survey } = await client.readSurvey({ surveyId });
  assert.deepEqual(survey.sections[1].elements.map((element) => element.code).slice(0, 3), ['day', 'nps', 'warmth']);
});

test('an element can be used twice', () => {
  const why = ask.openQuestion('why', { en: 'Why?' });
  const made = ask.questionnaire(['en'], { One: [why], Two: [why] }, { allowMultipleParticipation: true });
  assert.deepEqual(made.sections.map((section) => section.elements[0].id), [2, 4]);
  assert.equal(why.id, 0);
  assert.ok(made.allowMultipleParticipation);
});

test('a condition that cannot be expressed is an error', () => {
  assert.throws(() => ask.showWhen(field('a').isIn(['one, two'])), InvalidArgument);
});
