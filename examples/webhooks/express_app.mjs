// Receives webhooks with Express: `PORT=8000 node express_app.mjs`.

import express from 'express';
import { webhooks } from 'sondage';

const hook = webhooks.fromJSON(JSON.parse(process.env.SONDAGE_WEBHOOK ?? ''));
export const guard = new webhooks.Guard({ folder: process.env.WEBHOOK_EVENTS }); // without a folder, until the process ends
export const app = express();
/** @type {{ handle: (event: webhooks.Event) => void | Promise<void> }} */
export const handler = { handle: (event) => console.log(event.eventType, event.entity) };

app.post(/^\/hooks/, webhooks.express(hook, (event) => handler.handle(event), { guard }));

if (process.env.PORT) app.listen(Number(process.env.PORT));
