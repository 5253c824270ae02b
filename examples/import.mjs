// Imports people from a CSV file into a panel, each once, even if the program is killed and run again, on a
// platform in this process.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox } from 'sondage';

const csv = `Email,FirstName,CellPhoneNumber
ada@example.com,Ada,41791234567
alan@example.com,Alan,
grace@example.com,Grace,0791234567
ALAN@example.com,Alan,
`;

const box = await Sandbox.demo();
const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
const client = box.client();
const people = join(folder, 'people.csv');
await writeFile(people, csv);

// The same call again resumes the import.
const report = await client.importMembers(box.panelId, { path: people }, { key: 'Email', journal: join(folder, 'people.journal') });
console.log(String(report));
for (const { row, status, reason } of report.rows) console.log(`row ${row}: ${status}`, reason === null ? '' : `(${reason})`);

await rm(folder, { recursive: true });
await box.stop();
