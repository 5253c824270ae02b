// Receives webhooks in Next.js: `app/hooks/[[...path]]/route.js`. It works in every framework that has `Request` and `Response`.

import { webhooks } from 'sondage';

const hook = webhooks.fromJSON(JSON.parse(process.env.SONDAGE_WEBHOOK ?? ''));
export const guard = new webhooks.Guard();
/** @type {{ handle: (event: webhooks.Event) => void | Promise<void> }} */
export const handler = { handle: (event) => console.log(event.eventType, event.entity) };

/** @param {Request} request */
export async function POST(request) {
  try {
    const event = hook.verify(request.url, request.headers, await hook.read(request));
    return new Response(null, { status: await guard.once(event, (event) => handler.handle(event)) });
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error); // the reason: for the log, not for the caller
    return new Response(null, { status: error instanceof webhooks.Refused ? 401 : 500 });
  }
}
