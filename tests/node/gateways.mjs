// Gateways for receivers that are functions: they convert requests to the function's arguments, as its platform does.

import { Readable } from 'node:stream';

async function bytes(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** An HTTP API of Amazon, with payload format 2.0. */
export const lambda = (receive) => async (request, response) => {
  const { pathname, search } = new URL(request.url, 'http://api');
  const headers = {};
  for (const [name, values] of Object.entries(request.headersDistinct)) headers[name] = values.join(',');
  const body = (await bytes(request)).toString('base64');
  const call = { version: '2.0', rawPath: pathname, rawQueryString: search.slice(1), headers, body, isBase64Encoded: true };
  const { statusCode } = await receive(call);
  response.writeHead(statusCode).end();
};

/** Next.js, for the method POST. */
export const next = (POST) => async (request, response) => {
  const url = `https://${request.headers.host}${request.url}`;
  const body = Readable.toWeb(request);
  const { status } = await POST(new Request(url, { method: 'POST', headers: request.headers, body, duplex: 'half' }));
  // The rest of a body that nobody reads ends with the connection.
  response.writeHead(status, request.complete ? {} : { connection: 'close' }).end();
};
