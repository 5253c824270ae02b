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

/** Objects with a property that a copy of them does not have. */
const HIDDEN = {
  getter(rest, property, value) {
    class Options {
      constructor() {
        Object.assign(this, rest);
      }
      get [property]() {
        return value;
      }
    }
    return new Options();
  },
  inherited: (rest, property, value) => Object.assign(Object.create({ [property]: value }), rest),
  ofNothing: (rest, property, value) => Object.assign(Object.create(Object.assign(Object.create(null), { [property]: value })), rest),
  notEnumerable: (rest, property, value) => Object.defineProperty({ ...rest }, property, { value }),
};

/** The client, with every argument that has the property hiding it. */
function hiding(client, property, hide) {
  const hidden = (argument) => {
    if (typeof argument !== 'object' || argument === null || !Object.hasOwn(argument, property)) return argument;
    const { [property]: value, ...rest } = argument;
    return hide(rest, property, value);
  };
  return new Proxy({}, { get: (_, name) => (...all) => client[name](...all.map(hidden)) });
}

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

  test(`a hidden ${property} of ${camel(row.call)}`, async () => {
    for (const [how, hide] of Object.entries(HIDDEN)) {
      for (const from of [client, blocking]) {
        const error = await failure(() => callOf(row)(hiding(from, property, hide), { [property]: [1] }));
        assert.ok(error instanceof InvalidArgument && /must be a plain object/.test(error.message) && error.message.includes(property), `${how}: ${error}`);
      }
    }
    assert.deepEqual((await box.ledger()).effects, []);
  });
}

test('a property without a value in a body without a model', async () => {
  const body = { ...INVITE, channel: 'Email' };
  const path = '/publicapi/Distribute/v3/InviteMembers';
  for (const property of ['memberIds', 'conditions']) {
    for (const from of [client, blocking]) {
      const raw = await failure(() => from.raw(path, { ...body, [property]: undefined }, { effect: 'send' }));
      assert.ok(raw instanceof InvalidArgument && raw.message.includes(`\`${property}\` is null: leave it out if you mean everybody`), String(raw));
      const extra = await failure(() => from.inviteMembers(body, { extra: { [property]: undefined } }));
      assert.ok(extra instanceof InvalidArgument && extra.message.includes(`\`${property}\` is an argument of this call`), String(extra));
    }
  }
  assert.deepEqual((await box.ledger()).effects, []);
  await client.raw('/publicapi/Panel/v3/ReadPanel', { panelId: box.panelId, unknown: undefined }, { effect: 'read' });
});
