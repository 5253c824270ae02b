// Journals that the caller provides: an object instead of a file. Its functions may return promises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as soon, setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError, InvalidArgument } from 'sondage';
import { failure, sandbox } from './support.mjs';

const people = Array.from({ length: 30 }, (_, number) => ({ Email: `j${number}@journal.example` }));

/** A journal in memory. */
class Lines {
  lines = [];
  asked = [];
  isOpen = false;
  failsAt = Infinity;

  async open() {
    await soon();
    if (this.isOpen) throw Object.assign(new Error('in use'), { code: 'EBUSY' });
    this.asked.push('open');
    this.isOpen = true;
    return this.lines;
  }

  async append(lines) {
    await soon();
    if (this.lines.length >= this.failsAt) throw new RangeError('the table is full');
    this.lines = [...this.lines, ...lines];
  }

  forgetLast() {
    this.lines.pop();
  }

  clear() {
    this.lines = [];
  }

  async close() {
    await sleep(50);
    this.asked.push('close');
    this.isOpen = false;
  }
}

const effects = async (box, name) => (await box.ledger()).effects.filter(({ operation }) => operation === name);
const taken = (box, journal, more = {}) =>
  box.client().importMembers(box.panelId, people, { key: 'Email', chunkSize: 10, quiet: 0, journal, ...more });

async function there(box) {
  const emails = [];
  for await (const member of box.client().members(box.panelId, { fields: ['Email'] })) emails.push(`${member.fields.Email?.value}`);
  return emails.filter((email) => email.endsWith('@journal.example')).sort();
}

test('an import goes on from an object, each person is there once', async () => {
  const box = await sandbox();
  const journal = new Lines();
  await box.fault({ on: 'CreateMembers', skip: 1, action: { kind: 'status', status: 403 } });
  const first = await taken(box, journal);
  assert.deepEqual([first.complete, first.created, journal.asked], [false, 10, ['open']]);
  const second = await taken(box, journal);
  const close = () => Promise.reject(new Error('no close'));
  assert.equal((await taken(box, Object.assign(new Lines(), { lines: journal.lines, close }))).complete, true);
  assert.deepEqual([second.complete, second.resumed, second.created, second.journal], [true, true, 30, 'Lines']);
  assert.deepEqual(journal.asked.slice(0, 3), ['open', 'close', 'open'], 'a job waits until the journal was closed');
  assert.deepEqual(await there(box), people.map(({ Email }) => Email).sort());
  assert.ok(journal.lines.every((line) => !line.includes('@journal.example')), 'a journal holds no values');
});

test('a plan that sends goes on from an object', async () => {
  const box = await sandbox();
  const journal = new Lines();
  const order = { sender: 'us@example.com', subject: 'News', body: 'There is news.', language: 'en', cap: 4, journal };
  const plan = await box.client().planSendMail(box.panelId, order);
  await box.fault({ on: 'ExecuteSendMail', skip: 1, action: { kind: 'cut', at: 'afterEffect' } });
  const first = await plan.run({ confirm: plan.token });
  assert.deepEqual([first.done, first.unknown, first.notSent, first.journal], [1, 1, 2, 'Lines']);
  const again = await box.client().planSendMail(box.panelId, order);
  const second = await again.run({ confirm: again.token });
  assert.deepEqual([second.done, second.unknown, second.notSent], [3, 1, 0]);
  assert.equal((await effects(box, 'ExecuteSendMail')).length, 4);
});

test('what a journal throws ends the job, and is the cause', async () => {
  const box = await sandbox();
  const full = Object.assign(new Lines(), { failsAt: 0 });
  const error = await failure(taken(box, full));
  assert.ok(error instanceof ConfigurationError && error.cause instanceof RangeError, `${error}`);
  assert.match(error.message, /the journal Lines cannot be used \(the table is full\)/);
  assert.equal((await effects(box, 'CreateMembers')).length, 0);
  const later = Object.assign(new Lines(), { failsAt: 3 });
  const report = await taken(box, later);
  assert.match(`${report.stopped}`, /the table is full/);
  later.failsAt = Infinity;
  assert.equal((await taken(box, later)).complete, true);
  assert.deepEqual(await there(box), people.map(({ Email }) => Email).sort());
});

test('a journal in use, one that is none, and a blocking client', async () => {
  const box = await sandbox();
  const busy = await failure(taken(box, Object.assign(new Lines(), { isOpen: true })));
  assert.ok(busy instanceof InvalidArgument);
  assert.match(busy.message, /another run uses the journal Lines/);
  assert.match((await failure(taken(box, { open() {} }))).message, /journal has no function `append`: it needs open, append, forgetLast/);
  const foreign = Object.assign(new Lines(), { lines: ['a line of somebody else'] });
  assert.match((await failure(taken(box, foreign))).message, /Lines is not a journal/);
  assert.equal(foreign.lines.length, 1);
  for (const open of [() => undefined, () => '']) {
    const nothing = Object.assign(new Lines(), { open });
    nothing.close = () => Promise.reject(new Error('a close that fails ends nothing'));
    assert.ok((await failure(taken(box, nothing))).cause instanceof TypeError, 'nothing is no empty journal');
  }
  const blocking = () => box.blockingClient().importMembers(box.panelId, people, { key: 'Email', journal: new Lines() });
  assert.throws(blocking, /a blocking client takes the path of a journal/);
  assert.equal((await effects(box, 'CreateMembers')).length, 0);
});
