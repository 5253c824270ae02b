// `sondage/webhooks`, which has the core's rules without native code: the shared vectors, beside the package itself.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { webhooks as whole } from 'sondage';
import * as webhooks from 'sondage/webhooks';
import { ROOT } from './support.mjs';

const run = promisify(execFile);
const FILE = JSON.parse(readFileSync(`${ROOT}tests/cases/web_hook/vectors.json`, 'utf8'));
const now = new Date(FILE.now);

/** A text, a repeated text, or bytes. */
function read(value) {
  if (typeof value === 'string') return Buffer.from(value);
  if (value.base64 !== undefined) return Buffer.from(value.base64, 'base64');
  return Buffer.from((value.before ?? '') + value.repeat.repeat(value.times) + (value.after ?? ''));
}

/** What a module says about a request: an event, or the code of an error. */
function said(hook, url, headers, body) {
  try {
    return hook.verify(url, headers, body, { now });
  } catch (error) {
    return { code: error.code, reason: error.reason, explanation: error.explanation };
  }
}

test('every vector has the verdict of the package itself', (context) => {
  const hooks = new Map(Object.entries(FILE.hooks).map(([name, settings]) => [name, [webhooks, whole].map((one) => one.fromJSON(settings))]));
  let accepted = 0;
  for (const { name, hook, url, headers, body, verdict, reason } of FILE.vectors) {
    const request = [read(url).toString(), headers.map(([header, value]) => [header, read(value)]), read(body)];
    const [own, other] = hooks.get(hook).map((one) => said(one, ...request));
    assert.deepEqual(own, other, name);
    assert.equal(own.reason, reason, name);
    accepted += verdict === 'accepted';
  }
  for (const { name, headers } of FILE.shapes) {
    const [own, other] = hooks.get('basic').map((one) => said(one, '/hooks', headers, Buffer.from('{}')));
    assert.deepEqual(own, other, name);
  }
  for (const settings of FILE.impossible) {
    const [own, other] = [webhooks, whole].map((one) => {
      try {
        return one.fromJSON(settings);
      } catch (error) {
        return { code: error.code, message: error.message };
      }
    });
    assert.equal(own.code, other.code);
    // The package itself adds that nothing was changed.
    assert.ok(other.message.startsWith(own.message.split('. ')[0]), own.message);
  }
  assert.ok(accepted > 50 && FILE.vectors.length >= 521);
  context.diagnostic(`node: ${FILE.vectors.length} vectors`);
});

test('values that JSON does not have', () => {
  const [key, audience] = ['k'.repeat(32), 'a'];
  const made = whole.bearer(key, audience, { issuedAt: now });
  const body = Buffer.from(
    JSON.stringify({ eventType: 'PanelMemberUpdated', member: { id: 1, createdAt: '2024-01-02', fields: { Age: { name: 'Age', fieldType: 'Number', value: 1.5, unit: [-0.5, '\0n7'] } } } }).replace(
      '"id":1,',
      '"id":9007199254740993,"more":[-0,1e400,0.10000000000000000555,170141183460469231731687303715884105728,"\\u0000s","\\"1234567890123456789\\""],',
    ),
  );
  const [own, other] = [webhooks.bearer(key, audience), made].map((hook) => hook.verify('/', { authorization: made.securityToken }, body, { now }));
  assert.deepEqual(own, other);
  assert.equal(own.entity.id, 9007199254740993n);
  assert.ok(own.entity.createdAt instanceof Date && own.credentialEnds instanceof Date);
});

test('a body is read up to the limit', async () => {
  const hook = webhooks.fromJSON({ ...FILE.hooks.basic, maxBody: 10 });
  const request = (body) => new Request('https://acme.example/hooks', { method: 'POST', body });
  assert.equal((await hook.read(request('x'.repeat(10)))).length, 10);
  const long = await hook.read(request('x'.repeat(100_000)));
  assert.equal(long.length, 11);
  const headers = { authorization: whole.fromJSON(FILE.hooks.basic).securityToken };
  assert.throws(() => hook.verify('/hooks', headers, long), { code: 'Refused', reason: 'body_too_large' });
  assert.equal(JSON.stringify(hook), '{"strategy":"basic"}');
});

const PROGRAM = `
  import { Refused, basic } from 'sondage/webhooks';
  const hook = basic('survalyzer', 'a long password of your own');
  const authorization = 'Basic ' + btoa('survalyzer:a long password of your own');
  const body = new TextEncoder().encode('{"eventType": "SurveyClosed", "entity": {"id": 7}}');
  const { eventType, entity } = hook.verify('https://acme.example/hooks', { authorization }, body);
  let refused;
  try { hook.verify('/hooks', { authorization: 'Basic guess' }, body); } catch (error) { refused = error instanceof Refused && error.reason; }
  console.log(JSON.stringify([eventType, entity.id, refused]));
`;
const EXPECTED = '["SurveyClosed",7,"credentials_wrong"]\n';

test('without addons, and in runtimes that compile nothing', async () => {
  const node = async (...options) => (await run('node', [...options, '--input-type=module', '--eval', PROGRAM], { cwd: ROOT })).stdout;
  assert.equal(await node('--no-addons'), EXPECTED);
  // What their modules of WebAssembly are: the compiled module. Neither has Node's own globals.
  const loader = `data:text/javascript,${encodeURIComponent(`
    export async function load(url, context, next) {
      const place = new URL(url);
      if (!place.pathname.endsWith('.wasm')) return next(url, context);
      place.search = '';
      const source = \`import { readFileSync } from 'node:fs'; export default new WebAssembly.Module(readFileSync(new URL('\${place}')));\`;
      return { format: 'module', shortCircuit: true, source };
    }
  `)}`;
  const register = `data:text/javascript,${encodeURIComponent(`import { register } from 'node:module'; register(${JSON.stringify(loader)});`)}`;
  for (const condition of ['workerd', 'edge-light']) {
    assert.equal(await node('--no-addons', `--conditions=${condition}`, '--import', register), EXPECTED, condition);
  }
});
