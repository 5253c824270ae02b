// `webhooks` as an application uses it.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { InvalidArgument, SondageError, webhooks } from 'sondage';
import { failure, sandbox } from './support.mjs';

const KEY = 'worthless-key-for-tests-of-webhooks-0123456789';
const BODY = Buffer.from(
  '{"eventType": "HardBounce", "entity": {"interviewId": "5f0c", "panelMemberId": 9007199254740993, "timestamp": "2026-11-21T11:00:00Z"}}',
);
const basic = webhooks.basic('survalyzer', 'a-very-secret-password');
const authorization = basic.securityToken;
const box = await sandbox();

for (const hook of [
  webhooks.obscureUrl(),
  webhooks.basic('survalyzer', 'pass: wörd'),
  webhooks.bearer(KEY, 'receiver', { days: 20 }),
  webhooks.signedUrl(KEY, { resource: 'orders/7' }),
  webhooks.azureSignedUrl('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbg==', '/blob/a/b/c'),
]) {
  test(`the registration by ${hook.strategy} is accepted, and nothing else`, () => {
    const registered = hook.registration('https://acme.example/hooks', 'HardBounce', 7n);
    assert.equal(registered.entityIdentifier, '7');
    const headers = registered.securityToken ? { Authorization: registered.securityToken } : {};
    const event = hook.verify(new URL(registered.webHookUrl), headers, BODY);
    const { kind, ...bounce } = event.entity;
    assert.deepEqual([event.eventType, kind, event.source], ['HardBounce', 'bounce', 'delivered']);
    assert.deepEqual(bounce, { interviewId: '5f0c', panelMemberId: 2n ** 53n + 1n, timestamp: new Date('2026-11-21T11:00:00Z') });
    assert.equal(event.raw.entity.panelMemberId, 2n ** 53n + 1n);
    assert.deepEqual([event.credentialEnds, event.credentialEndsSoon], [hook.ends ?? undefined, hook.strategy === 'bearer']);
    assert.deepEqual(structuredClone(event), event);
    assert.throws(() => hook.verify('https://acme.example/hooks', {}, BODY), webhooks.Refused);
  });
}

test('a refusal has a reason and no secret', () => {
  let refused;
  try {
    basic.verify('/hooks', { authorization: 'Basic eA==' }, BODY);
  } catch (error) {
    refused = error;
  }
  assert.ok(refused instanceof webhooks.Refused && refused instanceof SondageError);
  assert.deepEqual([refused.code, refused.reason, webhooks.Refused.STATUS], ['Refused', 'credentials_wrong', 401]);
  assert.doesNotMatch(`${inspect(basic)} ${inspect(refused)} ${basic}`, /secret-password|c3VydmFseXpl/);
  const messages = [() => webhooks.basic('u', undefined), () => webhooks.basic('u', ''), () => webhooks.bearer('short', 'a'), () => webhooks.obscureUrl('')];
  for (const work of messages) {
    assert.throws(work, (error) => error instanceof InvalidArgument && error.message.split('Nothing was changed.').length === 2, String(work));
  }
  assert.throws(() => webhooks.basic('u', undefined), /`password` of the webhook is missing/);
  assert.throws(() => webhooks.basic('a', 123456), (error) => error instanceof InvalidArgument && !/123456/.test(error.message));
});

test('a body that a parser has already consumed is an error that says so', () => {
  const announced = { authorization, 'content-length': String(BODY.length) };
  for (const body of [{ eventType: 'HardBounce' }, [1], 'text', 7, new Map()]) {
    assert.throws(() => basic.verify('/', announced, body), { code: 'InvalidArgument', message: /parsed it first.*hook\.read\(request\)/ });
  }
  for (const headers of [announced, { authorization, 'Transfer-Encoding': 'chunked' }]) {
    assert.throws(() => basic.verify('/', headers, undefined), { code: 'InvalidArgument', message: /was not read.*hook\.read\(request\)/ });
  }
  assert.throws(() => basic.verify('/', announced, Buffer.alloc(0)), { reason: 'body_consumed' });
  assert.throws(() => basic.verify('/', { authorization }, undefined), { reason: 'body_empty' });
  assert.throws(() => basic.verify('/', announced, Buffer.from('[object Object]')), { reason: 'body_parsed' });
  assert.throws(() => basic.verify('/', announced, Buffer.from(JSON.stringify(JSON.parse(BODY)))), { reason: 'body_reencoded' });
});

test('headers and bodies of every kind', () => {
  const pairs = [['AUTHORIZATION', authorization]];
  for (const headers of [{ authorization }, { Authorization: [authorization] }, pairs, pairs.flat(), new Map(pairs), new Headers(pairs)]) {
    for (const body of [BODY, new Uint8Array(BODY), BODY.buffer.slice(BODY.byteOffset, BODY.byteOffset + BODY.length)]) {
      assert.equal(basic.verify('/', headers, body).entity.kind, 'bounce');
    }
  }
  for (const twice of [{ authorization: [authorization, authorization] }, [...pairs.flat(), 'authorization', authorization]]) {
    assert.throws(() => basic.verify('/', twice, BODY), { reason: 'authorization_doubled' });
  }
  for (const none of [undefined, null, 'authorization']) assert.throws(() => basic.verify('/', none, BODY), InvalidArgument);
  assert.throws(() => basic.verify('/\ud83d', { authorization: 'Basic \ud83d', 'x\ud83d': '\ud83d' }, BODY), webhooks.Refused);
});

test('secrets can be rotated, and expire', () => {
  const next = webhooks.bearer(KEY, 'receiver', { days: 20 });
  const both = next.accepting(basic);
  for (const token of [authorization, next.securityToken]) assert.ok(both.verify('/', { authorization: token }, BODY));
  assert.equal(both.securityToken, next.securityToken);
  const later = { now: new Date(Date.now() + 21 * 86_400_000) };
  assert.throws(() => both.verify('/', { authorization: next.securityToken }, BODY, later), { reason: 'expired' });
  assert.throws(() => webhooks.bearer('short', 'receiver'), { code: 'InvalidArgument', message: /32/ });
  assert.equal(webhooks.bearer(KEY, 'x', { days: 1, issuedAt: new Date('2026-01-01T00:00:00Z') }).ends.toJSON(), '2026-01-02T00:00:00.000Z');
});

test('a hook can supply fields that a body lacks', () => {
  const hook = basic.forEvent('SurveyClosed').maxBody(40);
  const event = hook.verify('/', { authorization }, Buffer.from('{"id": 9007199254740993, "status": "x"}'));
  assert.deepEqual([event.eventType, event.entity], ['SurveyClosed', { kind: 'survey', id: 2n ** 53n + 1n, status: 'x' }]);
  assert.throws(() => hook.verify('/', { authorization }, BODY), { reason: 'body_too_large' });
});

test('after a failed handler the event can be delivered again', async () => {
  const event = basic.verify('/', { authorization }, BODY);
  const guard = new webhooks.Guard();
  assert.equal((await failure(guard.once(event, async () => { throw new Error('not now'); }))).message, 'not now');
  let second;
  assert.equal(await guard.once(event, async () => { second = await guard.once(event, assert.fail); }), 204);
  assert.equal(second, 503);
  assert.equal(await guard.once(event, assert.fail), 204);
  assert.deepEqual([guard.claim(event).state, guard.keys()], ['done', [event.key]]);
  const other = new webhooks.Guard(1);
  const claim = other.claim(event);
  claim.release();
  claim.done();
  assert.ok(other.claim(event).isNew);
  other.remember(['a', 'b']);
  assert.deepEqual(other.keys(), ['b']);
  for (const capacity of [0, -1]) assert.throws(() => new webhooks.Guard(capacity), { code: 'InvalidArgument' });
});

test('an event is confirmed, and missed events are found', async () => {
  const client = box.client();
  const since = await box.now();
  const [{ Id: id }] = await client.interviews(box.feedbackSurveyId, { fields: ['Id'], codePlan: false }).table();
  assert.ok(await box.emit('complete', { id }));
  assert.equal(await box.emit('complete', { id: 'nobody' }), false);
  const guard = new webhooks.Guard();
  const found = await client.missedEvents(box.feedbackSurveyId, { since, columns: ['Language'], unknownTo: guard });
  const event = found.events.find((event) => event.entity.id === id);
  assert.deepEqual([event.source, event.entity.kind, found.until >= since], ['reconciled', 'interview', true]);
  const { holds, current } = await client.confirmEvent(event, { columns: ['Language'] });
  assert.deepEqual([holds, current.State], [true, 'Completed']);
  assert.equal(await guard.once(event, () => {}), 204);
  const blocking = box.blockingClient();
  assert.equal(blocking.missedEvents(box.feedbackSurveyId, { since, unknownTo: guard }).events.length, found.events.length - 1);
  assert.ok(blocking.confirmEvent(event).holds);
  assert.equal((await failure(client.missedEvents(1, {}))).code, 'InvalidArgument');
  const bounce = basic.verify('/', { authorization }, BODY);
  assert.match((await failure(client.confirmEvent(bounce))).message, /bounce.*cannot be read by an id/);
});

test('deliveries are tried five times', async () => {
  const client = box.client();
  await client.createWebHook(webhooks.obscureUrl().registration('http://127.0.0.1:9/hooks', 'SurveyClosed'));
  await box.deliveries.fault({ times: 1, action: { kind: 'delay', seconds: 600 } });
  assert.ok(await box.emit('closeSurvey', { surveyId: box.surveyId }));
  assert.ok(await box.deliveries.settle());
  assert.equal(await box.deliveries.pending(), 1);
  assert.ok(await box.deliveries.drain());
  const log = await box.deliveries.log();
  assert.deepEqual(log.map((attempt) => [attempt.attempt, attempt.outcome]), [1, 2, 3, 4, 5].map((number) => [number, 'failed']));
  assert.ok(log[0].next > log[0].at);
  await box.deliveries.clear();
  assert.deepEqual(await box.deliveries.log(), []);
});

test('a folder remembers events over restarts and workers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sondage-events-'));
  const hook = webhooks.basic('a', 'b');
  const event = hook.verify('/', { authorization: hook.securityToken }, Buffer.from('{"eventType":"X"}'));
  const [first, second] = [new webhooks.Guard({ folder, lease: 60_000 }), new webhooks.Guard({ folder: pathToFileURL(folder) })];
  const claim = first.claim(event);
  assert.deepEqual([claim.state, second.claim(event).state], ['new', 'busy']);
  claim.done();
  assert.deepEqual([second.claim(event).state, second.keys()], ['done', [event.key]]);
  assert.equal(second.prune(1), 0);
  assert.throws(() => new webhooks.Guard({ folder, lease: 10 }), /at least one second/);
  assert.throws(() => new webhooks.Guard({ lease: 1000 }), /`folder`/);
  assert.throws(() => new webhooks.Guard({ file: folder }), /known are capacity, folder, lease/);
  assert.throws(() => new webhooks.Guard({ folder: join(folder, 'lock') }), /folder of events .*cannot be used/);
  rmSync(folder, { recursive: true });
});

test('a receiver says which argument is wrong', () => {
  const hook = webhooks.basic('a', 'b');
  assert.throws(() => webhooks.express({}, () => {}), /not a webhook/);
  assert.throws(() => webhooks.express(hook), /`handle` must be a function/);
  assert.throws(() => webhooks.fastify(hook, () => {}, { guard: {} }), /`guard` is not a Guard/);
  assert.throws(() => webhooks.fastify(hook, () => {}, { guards: 1 }), /known are guard/);
});
