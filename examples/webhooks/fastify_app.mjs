// Receives webhooks with Fastify: `PORT=8000 node fastify_app.mjs`.

import fastify from 'fastify';
import { webhooks } from 'sondage';

const hook = webhooks.fromJSON(JSON.parse(process.env.SONDAGE_WEBHOOK ?? ''));
export const guard = new webhooks.Guard({ folder: process.env.WEBHOOK_EVENTS }); // without a folder, until the process ends
export const app = fastify();
/** @type {{ handle: (event: webhooks.Event) => void | Promise<void> }} */
export const handler = { handle: (event) => console.log(event.eventType, event.entity) };

app.register(webhooks.fastify(hook, (event) => handler.handle(event), { guard }), { prefix: '/hooks' });

if (process.env.PORT) await app.listen({ port: Number(process.env.PORT) });
