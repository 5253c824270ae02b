// Counts answers, and shows them: on a survey platform in this process.

import { Sandbox } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();
const interviews = client.interviews(box.surveyId);

// One question. Only its column is downloaded.
console.log((await interviews.frequencies('vote')).toText());

// One question by another; as text, as data, and as a picture.
const crosstab = await interviews.crosstab('vote', { by: 'PID', show: ['col%'] });
console.log(crosstab.toText());
console.log(`${crosstab.base} of ${crosstab.rows} rows, ${crosstab.cells.length} cells, ${crosstab.toSvg().slice(0, 4)}..>`);

// Who answered an invitation, by language.
console.log((await client.fieldReport(box.feedbackSurveyId, { by: 'Language' })).toText());

// Interviews that may not be worth counting.
const quality = await client.interviews(box.surveyId).quality({ speederPercent: 30 });
for (const check of quality.checks) console.log(`${check.name}: ${check.marked} of ${check.examined}`);
box.stop();
