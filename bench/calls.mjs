// Small calls: `calls.mjs WAY PORT CALLS AT_ONCE` prints the CPU seconds of one call.

const [way, port, calls, concurrency] = process.argv.slice(2);
const address = `http://127.0.0.1:${port}`;
const url = `${address}/publicapi/Panel/v3/ReadPanel`;
const headers = { authorization: 'Bearer t', 'content-type': 'application/json' };
const body = JSON.stringify({ tenant: 'bench', panelId: 1 });

const ways = {
  async sondage() {
    const { Client } = await import('sondage');
    const settings = { tenant: 'bench', baseUrl: address, authUrl: address, clientId: 'bench', clientSecret: 'bench' };
    const client = new Client(settings);
    return async () => (await client.readPanel({ panelId: 1 })).panel.groups;
  },
  async undici() {
    const { request } = await import('undici');
    return async () => {
      const answer = await request(url, { method: 'POST', headers, body });
      return JSON.parse(await answer.body.text()).panel.groups;
    };
  },
  async fetch() {
    return async () => {
      const answer = await fetch(url, { method: 'POST', headers, body });
      return JSON.parse(await answer.text()).panel.groups;
    };
  },
};

const call = await ways[way]();
const some = async (count) => {
  for (let i = 0; i < count; i += 1) await call();
};
const together = (count) => Promise.all(Array.from({ length: Number(concurrency) }, () => some(count)));
const each = Math.floor(Number(calls) / Number(concurrency));
await together(Math.max(5, Math.floor(each / 5)));
const began = process.cpuUsage();
await together(each);
const { user, system } = process.cpuUsage(began);
console.log((user + system) / 1e6 / (each * Number(concurrency)));
process.exit(0);
