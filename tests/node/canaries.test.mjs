// Secrets and personal data are sent through every operation and every kind of failure, and must not appear in anything that
// may reach a log. The campaign (`testing/campaign/src/canaries`) does the same to the core.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { Client } from 'sondage';
import { ROOT, failure } from './support.mjs';

const CORE = 'QzvxKw';
const NUMBER = 49170555019283;
const ACCESS = `${CORE}.access~1${CORE}`;
const SECRET = `${CORE}/client+2 ü&=${CORE}`;
const SECRETS = new Set(['password', 'securityToken', 'webHookUrl', 'headers']);
const PERSONAL = new Set(
  'value email cellPhone subject body from fromName to toName replyTo replyToName'.split(' '),
);

/** A call of a case, with a marker in place of each secret and all personal data. */
function marked(value, name = '') {
  if (Array.isArray(value)) return value.map((inner) => marked(inner, name));
  if (typeof value === 'object' && value !== null) {
    const below = (key) => (SECRETS.has(key) || PERSONAL.has(key) ? key : name);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner, below(key))]));
  }
  if (typeof value === 'number' && PERSONAL.has(name)) return NUMBER;
  if (typeof value !== 'string') return value;
  if (name === 'webHookUrl') return `https://app.example/hooks/${CORE}0123456789${CORE}?sig=${CORE}abcdef%2F${CORE}`;
  if (SECRETS.has(name)) return `${CORE}%2F${name} "&${CORE}`;
  if (PERSONAL.has(name)) return `${CORE} Adä/${name} <O'Hara>, "${CORE}`;
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value;
}

/** JavaScript numbers cannot hold 64-bit integers. */
const read = (text) => JSON.parse(text.replace(/([:[]\s*)-?\d{16,}/g, '$17'));
const calls = readdirSync(`${ROOT}tests/cases`).flatMap((area) =>
  readdirSync(`${ROOT}tests/cases/${area}`)
    .filter((name) => name !== 'vectors.json')
    .map((name) => read(readFileSync(`${ROOT}tests/cases/${area}/${name}`, 'utf8')))
    .map(({ operation, cases }) => [operation[0].toLowerCase() + operation.slice(1), marked(cases[0].call)]),
);

/** The text of a request in encodings that a service may echo: every character other than a letter escaped,
 * or only some of them. */
function said(head, body) {
  const sent = head.split('\r\n').map((line) => line.slice(line.indexOf(': ') + 2));
  sent.push(...new URLSearchParams(head.split(' ')[1].split('?')[1]).values());
  const leaves = (value) =>
    typeof value === 'object' && value !== null ? Object.values(value).forEach(leaves) : sent.push(String(value));
  try {
    leaves(JSON.parse(body));
  } catch {
    sent.push(...new URLSearchParams(body).values());
  }
  const words = [...new Set(sent)].filter((text) => text.includes(CORE) || text.includes(String(NUMBER))).sort();
  const escape = (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const encoded = words.map((text) => [...text].map((sign, at) => (/\w/.test(sign) && at % 3 ? sign : escape(sign))).join(''));
  const offset = body.length % Math.max(encoded.length, 1);
  return [...encoded.slice(offset), ...encoded].slice(0, 3).join(', ');
}

const answer = (status, headers, body, missing = 0) =>
  `HTTP/1.1 ${status} Said\r\n${headers}connection: close\r\ncontent-length: ${Buffer.byteLength(body) + missing}\r\n\r\n${body}`;
const refused = (status) => (words) => {
  const body = { isSuccess: false, errorCode: words, errorMessage: words, error: words, error_description: words };
  return answer(status, `x-request-id: ${words}\r\nlocation: http://127.0.0.1:1/${encodeURI(words)}\r\n`, JSON.stringify(body));
};
const FAULTS = {
  302: refused(302),
  400: refused(400),
  401: refused(401),
  500: refused(500),
  'not a success': refused(200),
  'broken JSON': (words) => answer(200, '', `{"isSuccess": true, ${words}: "${words}"`),
  'wrong types': (words) => answer(200, '', JSON.stringify({ isSuccess: words, [words]: words })),
  cut: (words) => answer(200, '', `{"isSuccess": true, "a": "${words}`, 9),
  'no HTTP': (words) => `${words}\r\n\r\n${words}`,
  reset: () => '',
};

let fault = '400';
const server = createServer((socket) => {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    const end = bytes.indexOf('\r\n\r\n');
    const head = bytes.subarray(0, Math.max(end, 0)).toString();
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (end >= 0 && bytes.length >= end + 4 + length) socket.end(FAULTS[fault](said(head, bytes.subarray(end + 4).toString())));
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const address = `http://127.0.0.1:${server.address().port}`;
const settings = { tenant: 'acme', baseUrl: address, authUrl: address, clientSecret: SECRET, retryAttempts: 1, retryBase: 0.01 };

/** Where a text contains a marker, in any encoding. */
function find(text) {
  for (let layer = 0; layer < 3; layer += 1) {
    const base64 = [0, 1, 2].map((before) => Buffer.from('\0'.repeat(before) + CORE).toString('base64').slice(-8, -2));
    const forms = [CORE.slice(0, 5), CORE.slice(1), Buffer.from(CORE).toString('hex'), String(NUMBER).slice(0, -2), ...base64];
    const small = text.toLowerCase();
    const at = forms.map((form) => small.indexOf(form.toLowerCase())).find((place) => place >= 0);
    if (at !== undefined) return text.slice(Math.max(at - 80, 0), at + 80);
    const code = (_, percent, escape) => String.fromCharCode(parseInt(percent ?? escape, 16));
    text = text.replace(/%([0-9a-f]{2})|\\+u([0-9a-f]{4})/gi, code);
  }
  return undefined;
}

/** The forms in which consoles, loggers and crash reporters write an error. */
function clean(error) {
  const own = Object.fromEntries(Object.getOwnPropertyNames(error).map((name) => [name, error[name]]));
  const texts = [
    inspect(error, { depth: null, showHidden: true }), JSON.stringify(error), JSON.stringify(own), String(error), error.stack,
    inspect(error.cause, { depth: null, showHidden: true }), String(error.cause?.stack),
    [error.errorCode, error.errorMessage, error.requestId, error.hint, error.reconcile].join(' '),
  ];
  for (const text of texts) assert.equal(find(text ?? ''), undefined);
}

for (const name of Object.keys(FAULTS)) {
  test(`nothing shows what was sent: ${name}`, async () => {
    fault = name;
    const client = new Client({ ...settings, token: ACCESS });
    assert.equal(find(inspect(client, { depth: null, showHidden: true }) + JSON.stringify(client)), undefined);
    const ended = await Promise.allSettled(calls.map(([method, call]) => client[method](call)));
    const failed = ended.filter((each) => each.status === 'rejected').map((each) => each.reason);
    assert.ok(failed.length >= calls.length - 2, `${failed.length} of ${calls.length}`);
    failed.forEach(clean);
  });

  test(`no token request shows a secret: ${name}`, async () => {
    fault = name;
    const password = { username: 'somebody', password: `${CORE} pass?3 "x\\${CORE}` };
    for (const grant of [{}, password, { refreshToken: `${CORE}~refresh${CORE}` }]) {
      const client = new Client({ ...settings, ...grant });
      clean(await failure(() => client.readWorkspaceList()));
    }
  });
}
