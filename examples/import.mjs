// Imports people into a panel, each once, even if the program is killed and run again, on a
// platform in this process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox } from 'sondage';

const people = [
  { Email: 'ada@example.com', FirstName: 'Ada', CellPhoneNumber: '41791234567' },
  { Email: 'alan@example.com', FirstName: 'Alan' },
  { Email: 'grace@example.com', FirstName: 'Grace', CellPhoneNumber: '0791234567' },
  { Email: 'ALAN@example.com', FirstName: 'Alan' },
];

const box = await Sandbox.demo();
const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
const client = box.client();

// The same call again resumes the import.
const report = await client.importMembers(box.panelId, people, { key: 'Email', journal: join(folder, 'people.journal') });
console.log(String(report));
for (const { row, status, reason } of report.rows) console.log(`row ${row}: ${status}`, reason === null ? '' : `(${reason})`);

await rm(folder, { recursive: true });
await box.stop();
