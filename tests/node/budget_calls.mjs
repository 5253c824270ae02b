// Makes calls as one of several processes that share a budget: `cargo xtask jobs` runs it. Ends when the
// budget is spent.

import { BudgetSpent, Client } from 'sondage';

const [panelId, calls] = process.argv.slice(2).map(Number);
const client = new Client();
try {
  for (let made = 0; made < calls; made += 5) await Promise.all(Array.from({ length: 5 }, () => client.readPanel({ panelId })));
} catch (error) {
  if (!(error instanceof BudgetSpent)) throw error;
}
await client.close();
