// The day's budget: what is used, what is left, and a stop at the limit. On a platform in this process.

import { BudgetSpent, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const { panelId } = box;
// A sandbox is no account: its calls count only when asked. Ten of them stand for the 500 of a day.
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
