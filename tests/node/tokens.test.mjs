// Tokens from a provider function.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect, promisify } from 'node:util';
import { AuthenticationError, BlockingClient, Client, Login, newMember } from 'sondage';
import { failure, sandbox, sleep } from './support.mjs';

const box = await sandbox();

async function token() {
  const form = { grant_type: 'client_credentials', client_id: box.clientId, client_secret: box.clientSecret };
  const answer = await fetch(`${box.authUrl}/openid/token`, { method: 'POST', body: new URLSearchParams(form) });
  return (await answer.json()).access_token;
}

const read = (client) => client.readWorkspaceList();

test('a provider gives a token, as a promise or at once', async () => {
  const good = await token();
  for (const tokenProvider of [async () => (await sleep(5), good), () => good]) {
    assert.equal((await read(box.client({ tokenProvider }))).workspaces.length, 1);
  }
});

test('1,000 concurrent callers call the provider once', async () => {
  let asked = 0;
  const tokenProvider = async () => {
    asked += 1;
    await sleep(20);
    return token();
  };
  const client = box.client({ tokenProvider });
  const answers = await Promise.all(Array.from({ length: 1000 }, () => read(client)));
  assert.equal(answers.length, 1000);
  assert.equal(asked, 1);
});

test('1,000 concurrent callers make one token request', async () => {
  await box.clearLedger();
  const client = box.client();
  await Promise.all(Array.from({ length: 1000 }, () => read(client)));
  assert.equal((await box.ledger()).tokenRequests.length, 1);
  await box.advance(1801);
  await Promise.all(Array.from({ length: 1000 }, () => read(client)));
  assert.equal((await box.ledger()).tokenRequests.length, 2);
});

test('a rejected token is requested again, once', async () => {
  let asked = 0;
  const client = box.client({ tokenProvider: () => ((asked += 1), token()) });
  await read(client);
  await box.revokeTokens();
  await read(client);
  assert.equal(asked, 2);
});

test('an exception of the provider is the cause of the error', async () => {
  const boom = new Error('the vault is locked');
  for (const tokenProvider of [
    () => {
      throw boom;
    },
    async () => {
      throw boom;
    },
  ]) {
    const error = await failure(read(box.client({ tokenProvider })));
    assert.ok(error instanceof AuthenticationError);
    assert.match(error.message, /the vault is locked/);
    assert.equal(error.cause, boom);
  }
});

test('clients that are made of another one keep the cause, and end with it', async () => {
  const boom = new Error('the vault is locked');
  const client = box.client({ tokenProvider: () => Promise.reject(boom) });
  const others = [client.withOptions({ deadline: 5000 }), client.withOptions({}).withOptions({ attempts: 2 })];
  for (const other of others) assert.equal((await failure(read(other))).cause, boom);
  const once = client.sendOnce({ key: 'causes', folder: await mkdtemp(join(tmpdir(), 'sondage-once-')) });
  const request = { panelId: box.panelId, members: [newMember({ Email: 'ada@cause.example' })] };
  assert.equal((await failure(once.createMembers(request))).cause, boom);
});

test('rubbish is refused', async () => {
  for (const rubbish of [undefined, null, 5, {}, '', '   ', 'Bearer x', 'line\nbreak', Symbol('x'), ['x']]) {
    const error = await failure(read(box.client({ tokenProvider: () => rubbish })));
    assert.equal(error.code, 'Authentication', String(rubbish));
  }
  for (const thrown of [undefined, null, 'text', 7, { message: 'object' }]) {
    const tokenProvider = () => Promise.reject(thrown);
    assert.equal((await failure(read(box.client({ tokenProvider })))).code, 'Authentication');
  }
});

test('waiting for a provider that hangs ends after a timeout', async () => {
  const client = box.client({ tokenProvider: () => new Promise(() => {}), tokenTimeout: 100 });
  const error = await failure(read(client));
  assert.equal(error.code, 'Authentication');
  assert.match(error.message, /did not answer within/);
});

test('closing the client aborts a running provider', async () => {
  let asked;
  const client = box.client({
    tokenProvider: ({ signal }) =>
      new Promise((_, reject) => {
        asked = true;
        signal.addEventListener('abort', () => reject(new Error('closed meanwhile')));
      }),
  });
  const call = failure(read(client));
  while (!asked) await sleep(5);
  await client.close();
  assert.match((await call).message, /closed meanwhile/);
});

test('a wrong secret, a wrong tenant and a wrong fixed token are different errors', async () => {
  for (const settings of [{ clientSecret: 'wrong' }, { tenant: 'nobody' }]) {
    const error = await failure(read(box.client(settings)));
    assert.equal(error.code, 'Authentication');
    assert.ok(!error.message.includes(box.clientSecret));
  }
  const { baseUrl, authUrl, tenant } = box;
  assert.equal((await failure(read(new Client({ baseUrl, authUrl, tenant, token: 'wrong' })))).code, 'Authentication');
});

test('a user may read only what its rights allow', async () => {
  const client = box.client({ username: box.reader, password: box.password });
  assert.equal((await read(client)).workspaces.length, 1);
  const refused = await failure(client.createMembers({ panelId: box.panelId, members: [newMember({ Email: 'ada@example.com' })] }));
  assert.equal(refused.code, 'PermissionDenied');
});

const { baseUrl, authUrl, tenant, clientSecret } = box;

/** A person with a browser: logs in, and returns the address at which the browser ended up. */
async function browse(url, decision = 'allow', username = box.username) {
  const page = await (await fetch(url)).text();
  const hidden = [...page.matchAll(/name="([^"]+)" value="([^"]*)"/g)].filter(([, name]) => name !== 'decision');
  const form = new URLSearchParams(hidden.map(([, name, value]) => [name, value.replaceAll('&amp;', '&')]));
  for (const [name, value] of Object.entries({ username, password: box.password, decision })) form.set(name, value);
  const answer = await fetch(new URL('/openid/authorize', url), { method: 'POST', body: form, redirect: 'manual' });
  return answer.headers.get('location');
}

test('a person logs in, and the browser is redirected to this program', async () => {
  const login = new Login({ baseUrl, authUrl, tenant, clientSecret });
  assert.equal(login.canListen, true);
  const coming = login.listen();
  await fetch(await browse(login.url));
  const client = await coming;
  assert.ok(client instanceof Client);
  assert.equal((await read(client)).workspaces.length, 1);
});

test('a server passes on the address to which the browser was redirected', async () => {
  const login = new Login({ baseUrl, authUrl, tenant, clientSecret, redirect: 'http://127.0.0.1/back' });
  assert.equal(login.canListen, false);
  const address = await browse(login.url);
  assert.match(address, /^http:\/\/127\.0\.0\.1\/back\?/);
  assert.equal((await read(await login.paste(address))).workspaces.length, 1);
  const another = new Login({ baseUrl, authUrl, tenant, clientSecret, redirect: 'http://127.0.0.1/back' });
  assert.ok((await failure(another.paste(address))).code, 'the state belongs to another login');
  assert.ok((await failure(another.paste(await browse(another.url, 'deny')))).code);
});

test('another process goes on with a login', async () => {
  const given = { baseUrl, authUrl, tenant };
  const begun = new Login({ ...given, redirect: 'http://127.0.0.1/back' });
  const [saved, address] = [begun.saved(), await browse(begun.url)];
  const code = `
    const { Login } = require('sondage');
    const { given, saved, address } = JSON.parse(process.argv[1]);
    Login.resume(saved, given).paste(address).then((client) => client.readWorkspaceList())
      .then(({ workspaces }) => console.log(workspaces.length));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code, JSON.stringify({ given, saved, address })]);
  assert.equal(stdout.trim(), '1');
  const state = new URL(address).searchParams.get('state');
  assert.ok(saved.includes(state) && !inspect(begun, { showHidden: true, getters: true }).replaceAll(begun.url, '').includes(state));
  for (const [wrong, options] of [[`{${state}}`, given], [undefined, given], [saved, { ...given, clientId: 'other_api' }], [saved, { ...given, redirect: 'http://127.0.0.1/back' }]]) {
    const error = await failure(() => Login.resume(wrong, options));
    assert.equal(error.code, 'InvalidArgument');
    assert.doesNotMatch(error.stack, new RegExp(state));
  }
});

test('waiting for a login can be cancelled', async () => {
  const login = new Login({ baseUrl, authUrl, tenant });
  assert.equal((await failure(login.listen({ signal: AbortSignal.timeout(30) }))).name, 'TimeoutError');
  assert.equal((await failure(() => new Login({ redirct: 'x' }))).code, 'Configuration');
});

test('users who share a store keep separate tokens, and a logout removes one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
  const tokenFile = join(folder, 'tokens.json');
  try {
    const logIn = async (username, more) => {
      const login = new Login({ baseUrl, authUrl, tenant, tokenFile, redirect: 'http://127.0.0.1/back', ...more });
      assert.match(login.url, /code_challenge_method=S256/);
      return login.paste(await browse(login.url, 'allow', username));
    };
    const mayWrite = async (client) =>
      (await failure(client.deleteMembers({ panelId: box.panelId, panelMembersIds: [987654321], keepInterviews: true }))).code !== 'PermissionDenied';
    const admin = await logIn(box.username);
    const reader = await logIn(box.reader, { identity: 'reader' });
    const of = (identity) => new Client({ baseUrl, authUrl, tenant, tokenFile, identity });
    const identity = admin.config.explain().find(({ setting }) => setting === 'identity').value;
    assert.equal(identity, `sub:${box.username}`);
    const clients = [admin, reader, of(identity), of('reader')];
    assert.deepEqual(await Promise.all(clients.map(mayWrite)), [true, false, true, false]);
    assert.match((await failure(() => of(undefined))).message, /identity/);

    await of('reader').logout();
    assert.match((await failure(read(of('reader')))).message, /nobody is logged in/);
    await read(of(identity));
    const blocking = new BlockingClient({ baseUrl, authUrl, tenant, tokenFile, identity });
    blocking.logout();
    assert.match((await failure(() => blocking.readWorkspaceList())).message, /nobody is logged in/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a different password goes to the service and is refused, not served from the store', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sondage-'));
  const given = { baseUrl, authUrl, tenant, username: box.username, tokenFile: join(folder, 'tokens.json') };
  try {
    await read(new Client({ ...given, password: box.password }));
    assert.equal((await failure(read(new Client({ ...given, password: 'wrong' })))).code, 'Authentication');
  } finally {
    await rm(folder, { recursive: true });
  }
});

const secret = { tenant: box.tenant, baseUrl: box.baseUrl, authUrl: box.authUrl, clientSecret: box.clientSecret };

test('a token store of the program keeps tokens between clients', async () => {
  for (const wrap of [(value) => value, async (value) => (await sleep(1), value)]) {
    const kept = new Map();
    const tokenStore = {
      load: (key) => wrap(kept.get(key)),
      save: (key, tokens) => wrap(void kept.set(key, tokens)),
      forget: (key) => wrap(void kept.delete(key)),
    };
    await box.clearLedger();
    for (let i = 0; i < 2; i++) assert.equal((await read(new Client({ ...secret, tokenStore }))).workspaces.length, 1);
    assert.equal((await box.ledger()).tokenRequests.length, 1);
    assert.equal(kept.size, 1);
    assert.ok([...kept.values()].every((text) => text.includes('token')));
    await new Client({ ...secret, tokenStore }).logout();
    assert.equal(kept.size, 0);
  }
});

test('a token store that fails fails no call, and one without a function is refused', async () => {
  const broken = () => {
    throw new Error('no store');
  };
  for (const load of [broken, async () => broken(), () => 5, () => '{"accessToken": 5', () => null]) {
    const tokenStore = { load, save: broken, forget: async () => broken() };
    assert.equal((await read(new Client({ ...secret, tokenStore }))).workspaces.length, 1);
  }
  const wrong = await failure(() => new Client({ ...secret, tokenStore: { load: () => null, save: () => {} } }));
  assert.match(wrong.message, /tokenStore has no function `forget`/);
  const blocks = await failure(() => new BlockingClient({ ...secret, tokenStore: new Map() }));
  assert.match(blocks.message, /a BlockingClient takes no tokenStore/);
});
