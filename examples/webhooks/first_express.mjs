// The smallest receiver of webhooks, with Express: `node first_express.mjs`.

import express from 'express';
import { webhooks } from 'sondage';

const hook = webhooks.basic('survalyzer', process.env.WEBHOOK_PASSWORD ?? '');
const app = express();

app.post('/hooks', async (request, response) => {
  try {
    const body = await hook.read(request); // no more than the hook allows, whoever sends it
    const event = hook.verify(request.originalUrl, request.rawHeaders, body);
    console.log(event.eventType, event.entity);
    response.sendStatus(204);
  } catch (error) {
    // The caller is not told why, and sends no more.
    response.status(error instanceof webhooks.Refused ? 401 : 500).set('Connection', 'close').end();
  }
});
app.listen(Number(process.env.PORT ?? 8000), '127.0.0.1');
