// A survey from its questionnaire to its links, on a survey platform in this process.

import { field, questionnaire as ask, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();
const { workspaceId } = box;

// The questionnaire, in two languages.
const yesNo = { 1: { en: 'Yes', de: 'Ja' }, 2: { en: 'No', de: 'Nein' } };
const back = ask.singleChoice('back', { en: 'Will you come back?', de: 'Kommen Sie wieder?' }, yesNo);
const no = field.question('back').isEqualTo('2');
const why = ask.openQuestion('why', { en: 'Why not?', de: 'Warum nicht?' }, { condition: ask.showWhen(no) });
const end = { en: 'Thank you!', de: 'Danke!' };
const surveyDefinition = ask.questionnaire(['en', 'de'], { Visit: [back, why] }, { end });
const { surveyId } = await client.createSurvey({ workspaceId, name: 'Visitors', surveyDefinition });
if (surveyId === null) throw new Error('the service did not say which survey it made');

// Change it: read, modify, and send back all of it.
const { survey } = await client.readSurvey({ surveyId });
if (survey === null) throw new Error('the survey is gone');
survey.sections[0].elements[1].forceResponse = true;
await client.updateSurvey({ surveyId, surveyDefinition: survey });

// When it is published, it can be answered.
await client.executeWorkflowTransition({ workflow: 'SurveyDesign', surveyId, targetState: 'Published' });
const { anonymousList } = await client.readSurveyLinks({ surveyId });
for (const { language } of anonymousList) console.log('open to everybody:', language);
const { surveys } = await client.readSurveyList({ workspaceId });
for (const { name, status, answers } of surveys) console.log(`${name}: ${status}, ${answers} answers`);

await client.deleteSurvey({ surveyId });
box.stop();
