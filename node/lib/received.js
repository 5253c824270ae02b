'use strict';
// Converts the requests of different frameworks to one form.

const { invalid } = require('./fail.js');

const ADVICE = 'Hand over the bytes that arrived: `await hook.read(request)`, before any parser has read it';

/** Pairs of header names and values. Repeated headers are kept: a receiver that reads only one of them can be deceived. */
function pairsOf(headers) {
  const pairs = [];
  const add = (name, value) => {
    if (value === undefined || value === null) return;
    const bytes = typeof value === 'string' ? Buffer.from(value, 'latin1') : buffer(value) ?? Buffer.from(String(value));
    pairs.push([String(name).toWellFormed(), bytes]);
  };
  if (typeof headers !== 'object' || headers === null) {
    throw invalid('headers must be those of the request: an object, `rawHeaders`, or pairs');
  }
  if (Array.isArray(headers) && !Array.isArray(headers[0])) {
    // `rawHeaders`: names and values alternate.
    for (let i = 0; i < headers.length; i += 2) add(headers[i], headers[i + 1]);
  } else {
    for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
      if (Array.isArray(value)) value.forEach((each) => add(name, each));
      else add(name, value);
    }
  }
  return pairs;
}

/** The body as received, or an error that says what has happened to it. */
function bytesOf(body, headers) {
  const bytes = buffer(body);
  if (bytes !== undefined) return bytes;
  if (body !== undefined && body !== null) {
    const what = Array.isArray(body) ? 'an array' : typeof body === 'object' ? 'an object' : `a ${typeof body}`;
    throw invalid(`body is ${what}, not the bytes that arrived: something has parsed it first. ${ADVICE}`);
  }
  // A request without a body has nothing that a parser could have consumed.
  const announced = headers.some(([name, value]) => {
    const lower = name.toLowerCase();
    return lower === 'transfer-encoding' || (lower === 'content-length' && String(value).trim() !== '0');
  });
  if (announced) throw invalid(`body is ${body}: it was not read, or something took it away. ${ADVICE}`);
  return Buffer.alloc(0);
}

function buffer(value) {
  if (Buffer.isBuffer(value)) return value;
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return undefined;
}

/** The chunks of a stream. The rest of a stream of Node.js stays unread, so that a response can be sent. */
async function* chunksOf(from) {
  const stream = typeof from?.getReader !== 'function' && typeof from?.[Symbol.asyncIterator] !== 'function' ? from?.body : from;
  if (stream === null) return;
  if (typeof stream?.getReader === 'function') {
    if (stream.locked) throw invalid('the body was read already, or is being read. Read it before anything else does');
    const reader = stream.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      reader.cancel().catch(() => {});
    }
  } else if (typeof stream?.[Symbol.asyncIterator] === 'function') {
    yield* stream.iterator?.({ destroyOnReturn: false }) ?? stream;
  } else {
    throw invalid('hook.read takes a Request or a stream: bytes that were read go to hook.verify');
  }
}

/** The body of a request up to `most` bytes, and one byte more if it is longer. */
async function readUpTo(most, from) {
  const chunks = [];
  let size = 0;
  for await (const chunk of chunksOf(from)) {
    const bytes = buffer(chunk);
    if (bytes === undefined) throw invalid('the stream gives no bytes: it has an encoding, or a parser before it');
    chunks.push(bytes.subarray(0, most + 1 - size));
    size += chunks.at(-1).length;
    if (size > most) break;
  }
  return Buffer.concat(chunks);
}

Object.assign(exports, { bytesOf, pairsOf, readUpTo });
