// The cells of the campaign through the client for Node.js. `cargo xtask test campaign` runs it next to the hostile
// service, which hands out the cells and judges the reports.

import http from 'node:http';
import { Client, SondageError } from 'sondage';

const CONTROL = process.env.CAMPAIGN_CONTROL;
const AT_ONCE = 16;

function ask(path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${CONTROL}/${path}`, { method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => (text += piece));
      answer.on('end', () => resolve(text === '' ? undefined : JSON.parse(text)));
    });
    request.on('error', reject);
    const text = body === undefined ? '' : JSON.stringify(body);
    request.setHeader('content-length', Buffer.byteLength(text));
    request.end(text);
  });
}

function settings(cell) {
  const given = {
    tenant: 'acme',
    baseUrl: cell.baseUrl,
    authUrl: cell.baseUrl,
    token: cell.token,
    retryAttempts: cell.attempts,
    retryBase: cell.retryBaseMs,
    retryCap: cell.retryCapMs,
    retryAfterCap: cell.retryAfterCapMs,
    deadline: cell.deadlineMs,
    answerBytes: cell.answerBytes,
  };
  if (cell.proxy) given.proxy = cell.proxy;
  if (cell.caFile) given.caFile = cell.caFile;
  return given;
}

async function call(cell) {
  try {
    const client = new Client(settings(cell));
    const body = { text: 'x'.repeat(cell.size - '{"text":""}'.length) };
    const answer = await client.raw(cell.path, body, { effect: cell.effect });
    return { echo: typeof answer?.echo === 'string' ? answer.echo : undefined };
  } catch (error) {
    if (!(error instanceof SondageError)) throw error;
    const { delivery, safeToRetry, attempts, status, errorCode, retryAfter, message } = error;
    // Date.now() has a resolution of one millisecond.
    const wait = typeof retryAfter === 'number' ? retryAfter / 1000 : undefined;
    return { kind: error.name, delivery, safeToRetry, attempts, status, errorCode, retryAfter: wait, message };
  }
}

async function work() {
  for (let cell = await ask('next'); cell !== undefined; cell = await ask('next')) {
    const report = await call(cell);
    // The calls that follow the first one, all at once, each by a client of its own.
    report.others = await Promise.all(cell.others.map((path) => call({ ...cell, path })));
    await ask(`report-${cell.id}`, report);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
