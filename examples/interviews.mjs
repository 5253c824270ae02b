// Reads interviews, downloads a document, and resets and deletes an interview, on a survey platform in this process.

import { field, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();
const surveyId = box.feedbackSurveyId;

// The completed interviews whose respondents would recommend it.
const isFan = field.column('State').isEqualTo('Completed').and(field.question('nps').isGreaterThan(8));
const fans = await client.interviews(surveyId, { fields: ['Id', 'nps'], where: isFan }).table();
const interviewId = String([...fans][0].Id);

// One interview, with all its data.
const { responseData } = await client.readInterview({ surveyId, interviewId, loadSurveyDefinition: true });
console.log(responseData.State, responseData.nps);

// Its document. The link expires after a while: store the document, not the link.
const { downloadUrl } = await client.downloadAnswers({ surveyId, interviewId, locale: 'de' });
if (downloadUrl === null) throw new Error('there is no document');
const document = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
console.log(document.toString('latin1', 0, 4), document.length > 500 ? 'of an interview' : 'of nothing');

// Reset: the answers are deleted, and the person can answer again.
await client.resetInterview({ surveyId, interviewId });
const again = await client.readInterview({ surveyId, interviewId });
console.log(again.responseData.State, again.responseData.nps ?? 'without an answer');

// Delete: the interview no longer exists.
await client.deleteInterview({ surveyId, interviewId });
box.stop();
