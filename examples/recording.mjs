// Records calls in a file, and answers them from that file without a network.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, ConfigurationError, Sandbox } from 'sondage';

const folder = mkdtempSync(join(tmpdir(), 'sondage-'));
const file = join(folder, 'calls.jsonl');

const box = await Sandbox.demo();
const { panelId } = box;
const recorded = box.client({ record: file });
await recorded.readPanel({ panelId });
const live = new Set((await recorded.members(panelId).toArray()).map(({ id }) => id));
box.stop();

// The platform has stopped. This client knows no account, no secret and no address.
const client = new Client({ replay: file });
const members = await client.members(panelId).toArray();
const same = members.filter(({ id }) => live.has(id)).length;
console.log(`${same} of ${live.size} members are in the recording`);
console.log(`one of them: ${members[0].fields.Email.value}`);
try {
  await client.readPanel({ panelId: 7 });
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.log(error.message.replace(file, 'calls.jsonl'));
}
rmSync(folder, { recursive: true });
