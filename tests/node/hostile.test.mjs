// Hostile responses, bodies and bytes: the result is a value or an error of the library, and no file is
// opened and no code is run.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { Client, InvalidArgument, OutcomeUnknown, UnexpectedResponse, webhooks } from 'sondage';
import { ROOT, failure, sandbox } from './support.mjs';

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sondage-'));
});
after(() => rm(folder, { recursive: true }));

/** A client of a service that gives the same response to every request. */
async function answering(body, use) {
  const server = createServer((request, response) => request.resume().on('end', () => response.end(body)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  try {
    await use(new Client({ tenant: 'acme', baseUrl, authUrl: baseUrl, token: 't', retryBase: 0.01 }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const interviews = (...rows) => JSON.stringify({ isSuccess: true, interviews: rows, totalCount: rows.length });

test('deep nesting is an error, also after a write', async () => {
  await answering(`{"isSuccess": true, "x": ${'['.repeat(1000)}${']'.repeat(1000)}}`, async (client) => {
    const read = await failure(client.readWorkspaceList());
    assert.ok(read instanceof UnexpectedResponse && /nested deeper than 128 levels/.test(read.message), read.message);
    const write = await failure(client.raw('/publicapi/Panel/v3/Something', {}, { effect: 'create' }));
    assert.ok(write instanceof OutcomeUnknown && /accepted the request.*128 levels/.test(write.message), write.message);
  });
});

test('a column for each row is refused, and names the setting', async () => {
  const rows = Array.from({ length: 6000 }, (_, id) => ({ Id: id, [`q${id}`]: id }));
  await answering(interviews(...rows), async (client) => {
    const error = await failure(client.interviews(7).table());
    assert.ok(error instanceof UnexpectedResponse, error.message);
    assert.match(error.message, /`tableGrowth` is 4 times|`table_growth` is 4 times/);
  });
});

test('files of answers are readable by their owner only, and no spreadsheet runs a formula', { skip: process.platform === 'win32' }, async () => {
  await writeFile(join(folder, 'plain'), '');
  const mode = async (path) => (await stat(path)).mode & 0o777;
  const usual = await mode(join(folder, 'plain'));
  await answering(interviews({ Id: 1, Q1: '=HYPERLINK(1)' }, { Id: 2, Q1: '-5' }), async (client) => {
    const query = client.interviews(7);
    for (const [number, owner] of [query, await query.table()].entries()) {
      const path = join(folder, `${number}.csv`);
      await owner.toFile(path);
      assert.equal(await mode(path), 0o600);
      assert.match(await readFile(path, 'utf8'), /\n1,=HYPERLINK\(1\)\n2,-5\n/);
      await owner.toFile(path, { shared: true, spreadsheet: true });
      assert.equal(await mode(path), usual);
      assert.match(await readFile(path, 'utf8'), /^\ufeffId,Q1\r\n1,'=HYPERLINK\(1\)\r\n2,-5\r\n$/);
      await owner.toFile(path, { separator: ';' });
      assert.match(await readFile(path, 'utf8'), /^Id;Q1\n1;=HYPERLINK\(1\)\n/);
      assert.match((await failure(owner.toFile(path, { separator: ';;' }))).message, /Use ",", ";", "\|" or a tab/);
      assert.match((await failure(owner.toFile(join(folder, 'a.ods')))).message, /Name the file \.xlsx/);
      const error = await failure(owner.toFile(join(folder, `${number}.parquet`), { spreadsheet: true }));
      assert.ok(error instanceof InvalidArgument, error.message);
    }
  });
});

test('a time that a zone does not have is shown', async () => {
  const fine = '2024-07-01T22:30:00.1234567Z';
  const rows = [{ Id: 1, StartDate: '0001-01-01T00:00:00Z', EndDate: fine }, { Id: 2, StartDate: '9999-12-31T23:59:59.999Z', EndDate: null }];
  await answering(interviews(...rows), async (client) => {
    const utc = await client.interviews(7).table();
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
      const table = utc.inTimeZone(zone);
      assert.deepEqual([...table].map((row) => row.StartDate.toISOString()), ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']);
      assert.match(inspect(table), /Table/);
      assert.equal(tableFromIPC(table.toIPC()).numRows, 2);
    }
  });
});

test('invalid Arrow data is an InvalidArgument, wherever it is damaged', async () => {
  const box = await sandbox();
  const client = box.client();
  const good = Buffer.from(tableToIPC(tableFromArrays({ Division: ['ä', 'b', 'a', 'b'], Points: [1, 2, 3, 4] }), 'stream'));
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  let refused = 0;
  for (let i = 0; i < 300; i++) {
    const bytes = Buffer.from(good);
    for (let n = 0; n <= i % 3; n++) bytes[random(bytes.length)] = [0, 1, 0x7f, 0x80, 0xff][random(5)];
    const error = await client.planUpdate(box.panelId, bytes, { key: 'Division', fields: ['Points'] }).then(() => null, (error) => error);
    if (error === null) continue;
    refused += 1;
    assert.ok(error instanceof InvalidArgument, `${i}: ${error.stack}`);
  }
  assert.ok(refused > 100, `${refused}`);
});

test('a receiver reads at most what the hook allows', async () => {
  const hook = webhooks.basic('survalyzer', 'a long password');
  assert.deepEqual([hook.largestBody, hook.maxBody(64).largestBody], [1 << 20, 64]);
  process.env.SONDAGE_WEBHOOK = JSON.stringify(hook.settingsWithSecrets());
  const headers = { authorization: hook.securityToken };
  const large = JSON.stringify({ eventType: 'QuotaReached', x: 'y'.repeat(900_000) });
  const { app } = await import(`${ROOT}examples/webhooks/express_app.mjs?large`);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}/hooks`;
  assert.equal((await fetch(address, { method: 'POST', headers, body: large })).status, 204, 'more than the 100 kB of Express');
  const huge = await fetch(address, { method: 'POST', headers, body: 'y'.repeat(2 << 20) }).then(({ status }) => status, () => 401);
  assert.equal(huge, 401, 'refused without a reason, or the connection is closed');
  server.closeAllConnections();
  server.close();
});
