// Exports the data held about a person into a folder, then erases them, with a receipt. On a platform in this
// process.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox, newMember } from 'sondage';

const box = await Sandbox.demo();
const here = await mkdtemp(join(tmpdir(), 'sondage-'));
const client = box.client();
const person = { panelIds: [box.panelId], key: 'Email', value: 'ada@example.com' };
await client.createMembers({ panelId: box.panelId, members: [newMember({ Email: person.value, FirstName: 'Ada' })] });

const held = await client.exportPerson({ ...person, folder: join(here, 'ada') });
const read = held.sources.filter(({ outcome }) => outcome === 'read');
const notRead = held.sources.filter(({ outcome }) => outcome === 'not_read');
console.log('read:', read.map(({ name, items }) => `${name} ${items}`).join(', '));
console.log('not read:', notRead.map(({ name }) => name).join(', '));

const erasing = { ...person, keepInterviews: false, files: [join(here, 'ada')] };
const plan = await client.planErasePerson(erasing);
const planned = plan.steps.filter((step) => step.outcome === 'planned');
console.log('to erase:', planned.map(({ what }) => what).join(', '));
const receipt = await client.erasePerson(join(here, 'receipt.json'), { ...erasing, confirm: plan.token });
console.log(`${receipt.erased} erased, ${receipt.left} left`);
console.log('in the receipt:', (await readFile(join(here, 'receipt.json'), 'utf8')).includes(person.value));

await rm(here, { recursive: true });
await box.stop();
