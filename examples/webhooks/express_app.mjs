// Receives webhooks with Express: `PORT=8000 node express_app.mjs`.

import express from 'express';
import { webhooks } from 'sondage';

const hook = webhooks.fromJSON(JSON.parse(process.env.SONDAGE_WEBHOOK ?? ''));
export const guard = new webhooks.Guard();
export const app = express();
/** @type {{ handle: (event: webhooks.Event) => void | Promise<void> }} */
export const handler = { handle: (event) => console.log(event.eventType, event.entity) };

app.post(/^\/hooks/, async (request, response) => {
  try {
    const body = await hook.read(request); // no more than the hook allows, whoever sends it
    const event = hook.verify(request.originalUrl, request.rawHeaders, body);
    response.status(await guard.once(event, (event) => handler.handle(event))).end();
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error); // the reason: for the log, not for the caller
    response.status(error instanceof webhooks.Refused ? 401 : 500).set('Connection', 'close').end();
  }
});

if (process.env.PORT) app.listen(Number(process.env.PORT));
