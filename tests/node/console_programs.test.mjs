// What the pages of the console say about doing the same in a program: the JavaScript runs.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as sondage from 'sondage';

/** What HTML writes in another way. */
const CHARACTERS = { quot: '"', lt: '<', gt: '>', amp: '&', '#39': "'" };

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

async function programOf(box, page) {
  const text = await (await fetch(`${box.consoleUrl}demo/${page}`)).text();
  const found = /<h3>Node\.js<\/h3><pre[^>]*><code>(.*?)<\/code>/s.exec(text);
  return found?.[1].replace(/&(quot|lt|gt|amp|#39);/g, (_, name) => CHARACTERS[name]);
}

test('the programs of the pages run', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
  await writeFile(join(folder, 'people.csv'), 'Email\nada@example.com\n');
  const before = process.cwd();
  process.chdir(folder);
  t.after(() => (process.chdir(before), rm(folder, { recursive: true })));
  const box = await sondage.Sandbox.demo();
  t.after(() => box.stop());
  const client = box.client();
  const { panelId, surveyId, feedbackSurveyId: survey, messageTemplateId } = box;
  const plan = await client.planInvite({ surveyId: survey, panelId, messageTemplateId });
  await plan.run({ confirm: plan.token });
  const [{ distributorId }] = (await client.readDistributorList({ surveyId: survey })).distributors;
  const pages = [
    'panels/new',
    `panels/${panelId}/import`,
    `panels/${panelId}/invite`,
    `surveys/${surveyId}/results?question=vote&by=PID`,
    `distribution/${distributorId}`,
    'webhooks/new',
  ];
  for (const page of pages) {
    const program = await programOf(box, page);
    assert.ok(program, page);
    const run = new AsyncFunction('client', ...Object.keys(sondage), program);
    await assert.doesNotReject(run(client, ...Object.values(sondage)), `${page}: ${program}`);
  }
});
