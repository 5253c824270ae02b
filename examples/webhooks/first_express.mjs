// The smallest receiver of webhooks, with Express: `node first_express.mjs`.

import express from 'express';
import { webhooks } from 'sondage';

const hook = webhooks.basic('survalyzer', process.env.WEBHOOK_PASSWORD ?? '');
const app = express();

app.post('/hooks', express.raw({ type: () => true, limit: hook.largestBody }), (request, response) => {
  try {
    const event = hook.verify(request.originalUrl, request.rawHeaders, request.body);
    console.log(event.eventType, event.entity);
    response.sendStatus(204);
  } catch (error) {
    response.status(error instanceof webhooks.Refused ? 401 : 500).end(); // the caller is not told why
  }
});
app.listen(Number(process.env.PORT ?? 8000), '127.0.0.1');
