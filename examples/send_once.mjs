// An invitation that is sent once, however often the program is started: its response is stored under a key.
// On a platform in this process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutcomeUnknown, Sandbox } from 'sondage';

const box = await Sandbox.demo();
const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
const { panelId, surveyId, messageTemplateId } = box;

// A real program can omit `folder` and `quiet`.
const client = box.client().sendOnce({ key: 'wave-3', folder, quiet: 0 });
const invitation = { surveyId, panelId, messageTemplateId, channel: 'Email', memberIds: [500_001, 500_002] };
const send = async () => `by distributor ${(await client.inviteMembers(invitation)).distributorId}`;

async function invite() {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    return 'nobody knows';
  }
}

// The response to the first call is lost.
await box.fault({ on: 'InviteMembers', action: { kind: 'cut', at: 'afterEffect' } });
console.log(await invite());
console.log((await invite()) === (await invite()));
const { effects, requests } = await box.ledger();
const sent = effects.filter(({ operation, kind }) => operation === 'InviteMembers' && kind === 'MessagesSent');
console.log('messages:', sent.reduce((sum, { count }) => sum + count, 0));
console.log('calls:', requests.filter(({ operation }) => operation === 'InviteMembers').length);

await rm(folder, { recursive: true });
await box.stop();
