// The day's budget: what is used, what is left, and a stop at the limit. On a platform in this process.

import { BudgetSpent, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const { panelId } = box;
// Calls to a sandbox are not counted by default; `budgetLoopback` counts them. A limit of 10 calls stands for
// the 500 of a real day.
const client = box.client({ budget: 'stop', budgetCalls: 10, budgetLoopback: true });

await client.readPanel({ panelId });
const used = client.budget();
console.log(`${used.calls} of ${used.callsLimit} calls are used, ${used.callsLeft} are left`);

try {
  for (;;) await client.readPanel({ panelId });
} catch (error) {
  if (!(error instanceof BudgetSpent)) throw error;
  console.log(error.message.split('. ')[0]);
}
const { requests } = await box.ledger();
console.log('arrived:', requests.filter((request) => request.operation === 'ReadPanel').length);
await box.stop();
