// Receives webhooks without native code, also where there is neither a file system nor `process`: the rules are those of the core,
// compiled to WebAssembly. Only what receives is here: an address is registered with `sondage` itself.

import { compiled } from '#webhooks';

const { exports: core } = await WebAssembly.instantiate(await compiled());
const text = new TextEncoder();
const ADVICE = 'Hand over the bytes that arrived: `await hook.read(request)`, before any parser has read it';

/** Writes the bytes, calls a function of the core, and reads its JSON. */
function ask(what, bytes, ...given) {
  // The memory may move whenever the core is called.
  const to = core.place(bytes.length);
  new Uint8Array(core.memory.buffer, to, bytes.length).set(bytes);
  const length = core[what](...given);
  const from = core.place(0);
  const answer = parsed(new TextDecoder().decode(new Uint8Array(core.memory.buffer, from, length)));
  if (answer.error !== undefined) throw new InvalidArgument(answer.error);
  return answer;
}

export class InvalidArgument extends Error {
  static code = 'InvalidArgument';
  name = 'InvalidArgument';
  code = 'InvalidArgument';
}

export class Refused extends Error {
  static STATUS = 401;
  static code = 'Refused';
  name = 'Refused';
  code = 'Refused';

  constructor(reason, explanation) {
    super(`The request was refused (${reason}). ${explanation}`);
    this.reason = reason;
    this.explanation = explanation;
  }
}

export class Hook {
  #settings;

  constructor(settings) {
    const about = ask('hook', text.encode(JSON.stringify(settings) ?? 'null'));
    this.#settings = settings;
    this.strategy = about.strategy;
    this.largestBody = about.largestBody;
  }

  read(from) {
    return readUpTo(this.largestBody, from);
  }

  verify(url, headers, body, { now = new Date() } = {}) {
    const pairs = pairsOf(headers);
    const bytes = bytesOf(body, pairs);
    // Lone surrogates do not occur in a genuine address or header.
    const request = { hook: this.#settings, url: wellFormed(url), headers: pairs.map(([name, value]) => [name, base64(value)]), now: now.getTime() };
    const json = text.encode(JSON.stringify(request));
    const whole = new Uint8Array(json.length + bytes.length);
    whole.set(json);
    whole.set(bytes, json.length);
    const verdict = ask('judge', whole, json.length);
    if (verdict.event === undefined) throw new Refused(verdict.reason, verdict.explanation);
    const { event, times } = verdict;
    if (event.credentialEnds !== undefined) event.credentialEnds = new Date(event.credentialEnds);
    for (const name of times) if (event.entity[name] !== undefined) event.entity[name] = new Date(event.entity[name]);
    return event;
  }

  // Called by JSON.stringify, and so by every logger that writes JSON.
  toJSON() {
    return { strategy: this.strategy };
  }
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WIDEST = 2n ** 127n;

/** Reads JSON without losing a digit: numbers that are no small integers become texts with a mark before they are parsed. */
function parsed(json) {
  const marked = json.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return token.startsWith('"\\u0000') ? `"\\u0000s${token.slice(1)}` : token;
    return /^(?:0|-?[1-9]\d{0,14})$/.test(token) ? token : `"\\u0000n${token}"`;
  });
  return JSON.parse(marked, (_, value) => {
    if (typeof value !== 'string' || !value.startsWith('\0')) return value;
    return value[1] === 's' ? value.slice(2) : numberOf(value.slice(2));
  });
}

/** A number if it can hold every digit, otherwise a bigint. What neither can hold stays text. */
function numberOf(digits) {
  if (/^-?\d+$/.test(digits)) {
    const integer = BigInt(digits);
    if (Number.isSafeInteger(Number(integer))) return Number(integer);
    if (integer >= -WIDEST && integer < WIDEST) return integer;
  }
  const significant = digits.split(/e/i)[0].replace(/[^0-9]/g, '').replace(/^0+/, '').length;
  return significant <= 17 && Number.isFinite(Number(digits)) ? Number(digits) : digits;
}

const wellFormed = (value) => new TextDecoder().decode(text.encode(String(value)));
const latin1 = (value) => Uint8Array.from(value, (character) => character.charCodeAt(0));

function base64(bytes) {
  let characters = '';
  for (const byte of bytes) characters += String.fromCharCode(byte);
  return btoa(characters);
}

function bytes(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]' ? new Uint8Array(value) : undefined;
}

/** Pairs of header names and values. Repeated headers are kept: a receiver that reads only one of them can be deceived. */
function pairsOf(headers) {
  const pairs = [];
  const add = (name, value) => {
    if (value === undefined || value === null) return;
    pairs.push([wellFormed(name), typeof value === 'string' ? latin1(value) : bytes(value) ?? text.encode(String(value))]);
  };
  if (typeof headers !== 'object' || headers === null) {
    throw new InvalidArgument('headers must be those of the request: an object, `rawHeaders`, or pairs');
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
  const found = bytes(body);
  if (found !== undefined) return found;
  if (body !== undefined && body !== null) {
    const what = Array.isArray(body) ? 'an array' : typeof body === 'object' ? 'an object' : `a ${typeof body}`;
    throw new InvalidArgument(`body is ${what}, not the bytes that arrived: something has parsed it first. ${ADVICE}`);
  }
  // A request without a body has nothing that a parser could have consumed.
  const announced = headers.some(([name, value]) => {
    const lower = name.toLowerCase();
    return lower === 'transfer-encoding' || (lower === 'content-length' && new TextDecoder().decode(value).trim() !== '0');
  });
  if (announced) throw new InvalidArgument(`body is ${body}: it was not read, or something took it away. ${ADVICE}`);
  return new Uint8Array();
}

/** The body of a request up to `most` bytes, and one byte more if it is longer. */
async function readUpTo(most, from) {
  const stream = typeof from?.getReader === 'function' ? from : from?.body;
  if (stream === null) return new Uint8Array();
  if (typeof stream?.getReader !== 'function') throw new InvalidArgument('hook.read takes a Request or its body: bytes that were read go to hook.verify');
  if (stream.locked) throw new InvalidArgument('the body was read already, or is being read. Read it before anything else does');
  const reader = stream.getReader();
  const chunks = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done && size <= most; next = await reader.read()) {
      const chunk = bytes(next.value);
      if (chunk === undefined) throw new InvalidArgument('the stream gives no bytes: it has an encoding, or a parser before it');
      chunks.push(chunk.subarray(0, most + 1 - size));
      size += chunks.at(-1).length;
      if (size > most) break;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

export const fromJSON = (settings) => new Hook(settings);
const of = (strategy, settings) => fromJSON({ strategy: { strategy, ...settings } });
export const obscureUrl = (secret) => of('obscureUrl', { secret });
export const basic = (user, password) => of('basic', { user, password });
export const bearer = (key, audience, options = {}) => of('bearer', { ...options, key, audience });
export const signedUrl = (key, options = {}) => of('signedUrl', { ...options, key });
export const azureSignedUrl = (key, resource, options = {}) => of('signedUrl', { ...options, profile: 'azure', key, resource });
