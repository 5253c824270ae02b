// Reads interviews as tables, on a survey platform in this process.

import { tableFromIPC } from 'apache-arrow';
import { Sandbox } from 'sondage';

const box = await Sandbox.demo();
const client = box.client();
const interviews = client.interviews(box.surveyId, { fields: ['age', 'PID', 'vote'], labels: true });
const people = await interviews.table();

// A few rows, as objects.
for (const vote of ['Clinton', 'Dole']) {
  const voters = [...people].filter((person) => person.vote === vote);
  const mean = voters.reduce((sum, { age }) => sum + Number(age), 0) / voters.length;
  console.log(`${vote}: ${voters.length} people, mean age ${mean.toFixed(1)}`);
}

// Many rows stay in Arrow's columns.
const arrow = tableFromIPC(people.toIPC());
console.log(arrow.numRows, 'rows of', arrow.schema.names.join(', '));
console.log([...people.withLabels(false).values('vote')].map(([code, label]) => `${code} is ${label}`).join(', '));
box.stop();
