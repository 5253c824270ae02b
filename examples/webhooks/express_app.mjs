// Receives webhooks with Express: `PORT=8000 node express_app.mjs`.

import express from 'express';
import { webhooks } from 'sondage';

const hook = webhooks.fromJSON(JSON.parse(process.env.SONDAGE_WEBHOOK ?? ''));
export const guard = new webhooks.Guard();
export const app = express();
/** @type {{ handle: (event: webhooks.Event) => void | Promise<void> }} */
export const handler = { handle: (event) => console.log(event.eventType, event.entity) };

// Express stops at 100 kB by default; the hook allows more.
const body = express.raw({ type: () => true, limit: hook.largestBody });

app.post(/^\/hooks/, body, async (request, response) => {
  try {
    const event = hook.verify(request.originalUrl, request.rawHeaders, request.body);
    response.status(await guard.once(event, (event) => handler.handle(event))).end();
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error); // the reason: for the log, not for the caller
    response.status(error instanceof webhooks.Refused ? 401 : 500).end();
  }
});

if (process.env.PORT) app.listen(Number(process.env.PORT));
