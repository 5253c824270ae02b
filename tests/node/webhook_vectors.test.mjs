// The shared test vectors for webhooks. The same file is run in every language.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { InvalidArgument, webhooks } from 'sondage';
import { ROOT } from './support.mjs';

const FILE = JSON.parse(readFileSync(`${ROOT}tests/cases/web_hook/vectors.json`, 'utf8'));
const now = new Date(FILE.now);
const hooks = new Map(Object.entries(FILE.hooks).map(([name, settings]) => [name, webhooks.fromJSON(settings)]));
const vectors = new Map(FILE.vectors.map((vector) => [vector.name, vector]));

/** A text, a repeated text, or bytes. */
function read(value) {
  if (typeof value === 'string') return Buffer.from(value);
  if (value.base64 !== undefined) return Buffer.from(value.base64, 'base64');
  return Buffer.from((value.before ?? '') + value.repeat.repeat(value.times) + (value.after ?? ''));
}

function verify({ hook, url, headers, body }) {
  const pairs = headers.map(([name, value]) => [name, read(value)]);
  return hooks.get(hook).verify(read(url).toString(), pairs, read(body), { now });
}

test('every vector holds', (context) => {
  for (const vector of FILE.vectors) {
    if (vector.verdict === 'refused') {
      const refused = (error) => error instanceof webhooks.Refused && error.reason === vector.reason;
      assert.throws(() => verify(vector), refused, `${vector.name} is not refused for ${vector.reason}`);
      continue;
    }
    const event = verify(vector);
    const { eventType, kind } = vector.event ?? { eventType: event.eventType, kind: event.entity.kind };
    assert.deepEqual([event.eventType, event.entity.kind], [eventType, kind], vector.name);
    assert.equal(event.key, vector.key ?? event.key, vector.name);
    assert.equal(event.credentialEndsSoon, vector.ends_soon ?? event.credentialEndsSoon, vector.name);
  }
  context.diagnostic(`node: ${FILE.vectors.length} vectors`);
  assert.ok(FILE.vectors.length >= 250);
});

test('headers of every shape', () => {
  for (const { name, headers, verdict, reason } of FILE.shapes) {
    const event = () => hooks.get('basic').verify('/hooks', headers, Buffer.from('{}'), { now });
    if (verdict === 'accepted') assert.equal(event().entity.kind, 'unknown', name);
    else assert.throws(event, reason === undefined ? InvalidArgument : { code: 'Refused', reason }, name);
  }
});

test('what came before is known', async () => {
  const later = FILE.vectors.filter((vector) => vector.after !== undefined);
  for (const vector of later) {
    const guard = new webhooks.Guard();
    assert.equal(await guard.once(verify(vectors.get(vector.after)), () => {}), 204);
    assert.equal(guard.claim(verify(vector)).state, vector.claim, vector.name);
  }
  assert.ok(later.length >= 7);
});

test('addresses and tokens are made by the rules, and accepted', () => {
  for (const { hook: name, base, error, url, securityToken } of FILE.made) {
    const hook = hooks.get(name);
    if (error !== undefined) {
      assert.throws(() => hook.url(base), { code: error }, base);
      continue;
    }
    assert.deepEqual([hook.url(base), hook.securityToken], [url, securityToken]);
    const headers = securityToken ? { authorization: securityToken } : {};
    assert.equal(hook.verify(url, headers, Buffer.from('{}'), { now }).entity.kind, 'unknown');
    const kept = hook.settingsWithSecrets();
    assert.deepEqual(webhooks.fromJSON(JSON.parse(JSON.stringify(kept))).settingsWithSecrets(), kept);
  }
});

test('what is unsafe is refused', () => {
  for (const settings of FILE.impossible) {
    assert.throws(() => webhooks.fromJSON(settings), InvalidArgument, JSON.stringify(settings));
  }
});
