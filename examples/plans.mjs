// Mails, vouchers and a workflow transition: planned, inspected and run, on a platform in this process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox, field } from 'sondage';

const box = await Sandbox.demo();
const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
const client = box.client();

// Mails: one call for each, so a journal records who got one.
const news = () =>
  client.planSendMail(box.panelId, {
    sender: 'us@example.com',
    messageTemplateId: box.messageTemplateId,
    where: field('Language').isEqualTo('de'),
    cap: 5,
    journal: join(folder, 'news.journal'),
  });

let plan = await news();
console.log(String(plan).split('\n')[0]);
await box.fault({ on: 'ExecuteSendMail', skip: 2, action: { kind: 'cut', at: 'afterEffect' } });
let report = await plan.run({ confirm: plan.token });
console.log(`${report.done} done, ${report.unknown} unknown, ${report.notSent} not sent`);

plan = await news(); // calling the same again continues the run
report = await plan.run({ confirm: plan.token });
console.log(`${report.done} done, ${report.unknown} unknown, ${report.notSent} not sent`);

// Vouchers: the plan says what they cost.
const [offer] = (await client.readIncentiveList()).panelIncentives;
const vouchers = await client.planRedeem(offer.id, { count: 2, maxCredits: 1000 });
console.log(String(vouchers).split('\n')[0]);
const codes = (await vouchers.run({ confirm: vouchers.token })).rows.map(({ voucherCode }) => voucherCode);
console.log(`${codes.length} codes`);

// A transition: made only if the state is still the one that was read.
const close = await client.planTransition({ workflow: 'SurveyDesign', targetState: 'Closed', surveyId: box.surveyId });
console.log(String(close).split('\n')[0]);
console.log((await close.run({ confirm: close.token })).complete);

await rm(folder, { recursive: true });
await box.stop();
