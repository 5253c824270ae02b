// Receives webhooks with Fastify: `PORT=8000 node fastify_app.mjs`.

import fastify from 'fastify';
import { webhooks } from 'sondage';

const hook = webhooks.fromJSON(JSON.parse(process.env.SONDAGE_WEBHOOK ?? ''));
export const guard = new webhooks.Guard();
export const app = fastify();
/** @type {{ handle: (event: webhooks.Event) => void | Promise<void> }} */
export const handler = { handle: (event) => console.log(event.eventType, event.entity) };

app.removeAllContentTypeParsers();
// No more than the hook allows, whoever sends it.
app.addContentTypeParser('*', (/** @type {fastify.FastifyRequest} */ _, /** @type {import('http').IncomingMessage} */ stream) => hook.read(stream));

app.post('/hooks*', async (request, reply) => {
  try {
    const event = hook.verify(request.url, request.raw.rawHeaders, /** @type {Buffer} */ (request.body));
    return reply.code(await guard.once(event, (event) => handler.handle(event))).send();
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error); // the reason: for the log, not for the caller
    return reply.code(error instanceof webhooks.Refused ? 401 : 500).header('Connection', 'close').send();
  }
});

if (process.env.PORT) await app.listen({ port: Number(process.env.PORT) });
