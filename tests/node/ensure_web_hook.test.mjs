// A webhook registration that is ensured: created, changed, or left unchanged.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { InvalidArgument, OutcomeUnknown, webhooks } from 'sondage';
import { failure, sandbox } from './support.mjs';

const PASSWORD = 'a password that is in no file';
const asked = { address: 'https://acme.example/hooks', eventType: 'InterviewComplete' };

async function made(box) {
  const { effects } = await box.ledger();
  return effects.filter((effect) => effect.kind === 'WebHookCreated').length;
}

async function folder(context) {
  const path = await mkdtemp(join(tmpdir(), 'sondage-ensure-'));
  context.after(() => rm(path, { recursive: true }));
  return path;
}

test('the same call, repeated, makes one webhook', async (context) => {
  const box = await sandbox();
  const client = box.client();
  const state = join(await folder(context), 'webhook.json');
  const hook = webhooks.basic('survalyzer', PASSWORD);
  const address = 'https://acme.example/hooks';
  const done = await client.ensureWebHook(hook, { address, eventType: 'InterviewComplete', state });
  assert.deepEqual([done.outcome, done.entityIdentifier, done.ends, done.others], ['created', '*', null, []]);
  const again = box.blockingClient().ensureWebHook(hook, { ...asked, state });
  assert.deepEqual([again.outcome, again.webHookId, await made(box)], ['unchanged', done.webHookId, 1]);
  const other = await client.ensureWebHook(webhooks.basic('survalyzer', 'another one'), { ...asked, state });
  assert.deepEqual([other.outcome, await made(box)], ['updated', 1]);
  assert.ok(!(await readFile(state, 'utf8')).includes(PASSWORD));
  const refused = await failure(client.ensureWebHook(hook, asked));
  assert.ok(refused instanceof InvalidArgument && refused.message.includes(done.webHookId), refused.message);
  assert.match((await failure(client.ensureWebHook({}, asked))).message, /`hook` is not a webhook/);
});

test('a lost response causes no second registration', async (context) => {
  const box = await sandbox();
  const state = join(await folder(context), 'webhook.json');
  const hook = webhooks.bearer('worthless-key-for-tests-of-webhooks-0123456789', 'acme', { days: 90 });
  await box.fault({ on: 'CreateWebHook', action: { kind: 'cut', at: 'afterEffect' } });
  const client = box.client();
  assert.ok((await failure(client.ensureWebHook(hook, { ...asked, state }))) instanceof OutcomeUnknown);
  const found = await client.ensureWebHook(hook, { ...asked, state });
  assert.deepEqual([found.outcome, found.ends, await made(box)], ['created', hook.ends, 1]);
});
