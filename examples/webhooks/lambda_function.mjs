// Receives webhooks in AWS Lambda, behind a function URL or an HTTP API (payload format 2.0). Its handler: `lambda_function.receive`.

import { webhooks } from 'sondage';

const hook = webhooks.fromJSON(JSON.parse(process.env.SONDAGE_WEBHOOK ?? ''));
// Each instance of the function has its own: across them, keep `event.key` in a database.
export const guard = new webhooks.Guard();
/** @type {{ handle: (event: webhooks.Event) => void | Promise<void> }} */
export const handler = { handle: (event) => console.log(event.eventType, event.entity) };

/**
 * @typedef {{ rawPath: string, rawQueryString: string, headers: Record<string, string>, body?: string, isBase64Encoded: boolean }} Call
 * @param {Call} call
 */
export async function receive({ rawPath, rawQueryString, headers, body = '', isBase64Encoded }) {
  try {
    const url = rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath;
    const event = hook.verify(url, headers, Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
    return { statusCode: await guard.once(event, (event) => handler.handle(event)) };
  } catch (error) {
    console.warn(error instanceof Error ? error.message : error); // the reason: for the log, not for the caller
    return { statusCode: error instanceof webhooks.Refused ? 401 : 500 };
  }
}
