// The text of errors: the library's names are spelled as in JavaScript, the user's own words stay unchanged. Objects that are
// logged automatically show no secret.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as sondage from 'sondage';
import { Client, field, webhooks } from 'sondage';
import { ROOT, failure, sandbox } from './support.mjs';

const box = await sandbox();
const client = box.client();

test('an error of the sandbox names the words that it knows, and ends once', async () => {
  const field = await failure(() => box.fault({ on: 'ReadPanel', delay: 1 }));
  assert.match(field.message, /delay is not known here; known are .*action\. Nothing was changed\./);
  const call = await failure(() => box.fault({ on: 'ReadPanle', delayMs: 1 }));
  assert.match(call.message, /did you mean `ReadPanel`\?.*`\*`\. Nothing was changed\./);
});

test('names of settings are spelled as in JavaScript', async () => {
  const missing = await failure(() => new Client({ account: 'https://acme.survalyzer-eu.app', grant: 'client_credentials' }));
  assert.match(missing.message, /`clientSecret` is missing, which the grant `client_credentials` needs/);
  const both = await failure(() => new Client({ account: 'https://acme.survalyzer-eu.app', refreshToken: 'a', username: 'u' }));
  assert.match(both.message, /`refreshToken` and `username` are both set/);
  const slip = await failure(() => new Client({ account: 'acme.survalyzer-eu.app', clientSecret: 'x', retryAttempts: 99 }));
  assert.match(slip.message, /`retryAttempts` \(explicit\) must be from 1 to 20/);
  const commas = await failure(() => client.members(1001, { where: field('email_address').isIn(['a,b']) }).toArray());
  assert.match(commas.message, /`email_address`.*`isEqualTo`.*join them with `\.or\(\)`/);
  assert.doesNotMatch(commas.hint, /`\|`/);
});

// A field, a column or a tenant may have the name of one of our settings: such a name is not converted.
test("a user's own words stay as they are", async () => {
  for (const name of ['email_address', 'client_secret', 'q_1_open', 'e`mail_address']) {
    const unknown = await failure(() => client.planUpdate(box.panelId, [{ [name]: 'x', Email: 'a@b.example' }], { key: 'Email' }));
    assert.ok(unknown.message.includes(name), unknown.message);
    assert.ok(!/emailAddress|clientSecret|q1Open|mailAddress/.test(unknown.message), unknown.message);
  }
  const twice = await failure(() => client.planUpdate(box.panelId, [{ first_page: 'x', e_mail: 'y' }], { key: 'e_mail' }));
  assert.ok(twice.message.includes('e_mail') && !twice.message.includes('eMail'), twice.message);
  await box.fault({
    on: 'ReadPanel', action: { kind: 'notSuccess', errorCode: 'no_field', errorMessage: 'the field `email_address` of `page_size`' },
  });
  const said = await failure(() => client.readPanel({ panelId: 1 }));
  assert.ok(said.message.includes('the field `email_address` of `page_size`'), said.message);
  assert.deepEqual([said.errorCode, said.errorMessage], ['no_field', 'the field `email_address` of `page_size`']);
  const tenant = new Client({
    tenant: 'acme_corp', baseUrl: box.baseUrl, authUrl: box.authUrl, clientSecret: 'wrong', retryAttempts: 1,
  });
  const refused = await failure(() => tenant.readPanel({ panelId: 1 }));
  assert.ok(refused.message.includes('`acme_corp_api`'), refused.message);
  assert.ok(!/acmeCorp|invalidClient/.test(refused.message), refused.message);
});

test('a webhook that is logged shows no secret', () => {
  const secret = 'canary0123456789abcdef0123456789abcdef';
  const hooks = [
    webhooks.obscureUrl(secret), webhooks.basic('user', secret), webhooks.bearer(secret, 'me'), webhooks.signedUrl(secret),
  ];
  for (const hook of hooks) {
    const shown = JSON.stringify({ hook }) + inspect({ hook }) + String(hook);
    assert.ok(!shown.includes('canary') && shown.includes(hook.strategy), shown);
    const kept = JSON.parse(JSON.stringify(hook.settingsWithSecrets()));
    assert.equal(webhooks.fromJSON(kept).url('https://app.example'), hook.url('https://app.example'));
    assert.throws(() => webhooks.fromJSON(JSON.parse(JSON.stringify(hook))), { code: 'InvalidArgument' });
  }
});

// A minifier renames every class, and Sentry and pino group errors by their name.
test('an error keeps its name when its class has another one', () => {
  const require = createRequire(`${ROOT}node/lib/`);
  const modules = { './error.js': {}, './errors.js': {} };
  let renamed = 0;
  const minified = (text) => text.replace(/\bclass \w+/g, () => ((renamed += 1), 'class a'));
  for (const [name, exports] of Object.entries(modules)) {
    const text = minified(readFileSync(require.resolve(name), 'utf8').replace(/named\('SondageError', SondageError\)/, "named('SondageError', a)"));
    new Function('require', 'exports', text)((wanted) => modules[wanted] ?? require(wanted), exports);
  }
  assert.ok(renamed > 10);
  for (const [name, Class] of Object.entries(modules['./errors.js'])) {
    const error = new Class('what happened');
    assert.equal(Class.name, 'a');
    assert.deepEqual([error.name, String(error), error.stack.split('\n')[0]], [name, `${name}: what happened`, `${name}: what happened`]);
    assert.equal(new sondage[name]('x').name, name);
  }
  assert.equal(new webhooks.Refused('late', 'Look.').name, 'Refused');
  assert.deepEqual(Object.keys(new sondage.ApiError('x')).filter((key) => key === 'name'), []);
});
