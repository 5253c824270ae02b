// A selection that holds nothing is refused by whatever sends, changes or deletes: every property that selects, in every empty form.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Expression, InvalidArgument, webhooks } from 'sondage';
import { failure, ROOT, sandbox } from './support.mjs';

// A number that lost digits would be refused for that.
const small = (_, value) => (typeof value === 'number' && !Number.isSafeInteger(value) ? 1 : value);
const read = (path) => JSON.parse(readFileSync(`${ROOT}tests/${path}`, 'utf8'), small);
const camel = (snake) => snake.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const box = await sandbox();
const client = box.client();
const blocking = box.blockingClient();

const folder = mkdtempSync(join(tmpdir(), 'sondage-'));

const EMPTY = {
  filter: [undefined, null, [], '', {}, new Expression({ and: [] })],
  list: [undefined, null, [], '', {}],
  number: [undefined, null, ''],
  text: [undefined, null, ''],
};

const ROWS = [{ Email: 'a@example.com', Division: 'Sales' }];
const MESSAGE = { messageTemplateId: box.messageTemplateId };
const INVITE = { ...MESSAGE, surveyId: box.surveyId, panelId: box.panelId };
const PERSON = { panelIds: [box.panelId], key: 'Email', value: 'a@example.com', keepInterviews: false };

/** The calls of the methods that select, with everything else that they need. */
const METHODS = {
  archiveAnswers: (from, some) => from.archiveAnswers(box.surveyId, join(folder, 'archive'), some),
  planInvite: (from, some) => from.planInvite({ ...INVITE, ...some }),
  planCreateAndInvite: (from, some) => from.planCreateAndInvite(ROWS, { ...INVITE, key: 'Email', ...some }),
  planRemind: (from, some) => from.planRemind({ ...MESSAGE, distributorId: 1, ...some }),
  planSendMail: (from, some) => from.planSendMail(box.panelId, { ...MESSAGE, sender: 'us@example.com', ...some }),
  planRedeem: (from, some) => from.planRedeem(1, some),
  planErasePerson: (from, some) => from.planErasePerson({ ...PERSON, ...some }),
  erasePerson: (from, some) => from.erasePerson(join(folder, 'receipt.json'), { ...PERSON, confirm: 'none', ...some }),
  ensureWebHook: (from, some) =>
    from.ensureWebHook(webhooks.basic('sender', 'a long password'), { address: 'https://hooks.example.com', eventType: 'InterviewComplete', ...some }),
  planUpdate: (from, some) => from.planUpdate(box.panelId, ROWS, { key: 'Email', ...some }),
};

/** The call of a row. The request of an operation is the smallest of its cases. */
function callOf({ call, area }) {
  if (area === undefined) return METHODS[camel(call)];
  const request = read(`cases/${area}/${call}.json`).cases[1].call;
  return (from, some) => from[camel(call)]({ ...request, ...some });
}

for (const row of read('selections.json').rows) {
  const property = camel(row.property);
  test(`an empty ${property} of ${camel(row.call)}`, async () => {
    const call = callOf(row);
    assert.ok(call, `say in METHODS how ${camel(row.call)} is called`);
    for (const value of EMPTY[row.kind]) {
      for (const from of [client, blocking]) {
        const error = await failure(() => call(from, { [property]: value }));
        const what = `${property}: ${JSON.stringify(value)}: ${error}`;
        assert.ok(error instanceof InvalidArgument, what);
        if (value == null && row.absent !== null) {
          assert.ok(error.message.includes(`${property} must be left out if you mean ${row.absent}, not ${value}`), what);
        }
      }
    }
    assert.deepEqual((await box.ledger()).effects, []);
  });
}
