import { SondageError } from './error.js';
import type { Claim } from './described.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GuardMethods, HookMethods } from './bases.js';
import type { Event } from './webhook_entities.js';
export type { MissedOptions } from './options.js';
import type { Int, JsonValue } from './values.js';
import type { CreateWebHookRequest, EventType } from './web_hook.js';

export * from './webhook_entities.js';

/** What to read of an entity in addition to the service's own columns. */
export interface ConfirmOptions {
  /** Questions and columns of an interview, or fields of a member. */
  columns?: string[] | undefined;
}

/**
 * A request that is not a genuine event. Respond with `Refused.STATUS` and an empty body, whatever the reason, so
 * that a stranger learns nothing.
 */
export declare class Refused extends SondageError {
  /** The status of the response: 401 for every reason. */
  static readonly STATUS: 401;
  static readonly code: 'Refused';
  readonly code: 'Refused';
  /** The reason as a code, the same in every language. */
  readonly reason: string;
  /** The meaning, and what to do about it. */
  readonly explanation: string;
}

/** The headers of a request: `request.rawHeaders`, `request.headers`, a `Headers`, a `Map`, or pairs. */
export type RequestHeaders =
  | readonly string[]
  | Iterable<readonly [string, string | Uint8Array]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook: what is registered, and which requests are accepted. Made by `obscureUrl`, `basic`, `bearer`,
 * `signedUrl` or `fromJSON`. */
export interface Hook extends HookMethods {}
export declare class Hook {
  private constructor();
  /** The arguments of the registration: `client.createWebHook(hook.registration(...))`. `entity`: the survey
   * to watch, or `*` for all. */
  registration(base: string, eventType: EventType, entity?: Int | string): CreateWebHookRequest;
  /** Accepts the previous secret as well, while the registration is being changed to this one. */
  accepting(previous: Hook): Hook;
  /**
   * Reads the body of a request while it arrives: of a `Request` or its `body`, or of a stream of Node.js, such as the request of
   * Express. It stops at one byte more than `largestBody`, which `verify` refuses: `request.arrayBuffer()` would read any amount
   * of data into memory. Answer a refusal with `Connection: close`, so that the server does not read the rest.
   */
  read(from: Request | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Buffer>;
  /**
   * Verifies a request, and returns its event or throws `Refused`.
   *
   * - `url`: the address, complete or path and query: `request.originalUrl` in Express, `request.url` in
   *   Fastify.
   * - `headers`: preferably `request.rawHeaders`, which has all of them.
   * - `body`: the bytes received, before any parser. The output of a parser is refused as an
   *   `InvalidArgument`.
   * - `now`: the current time, for tests.
   */
  verify(
    url: string | URL,
    headers: RequestHeaders,
    body: Uint8Array | ArrayBuffer | undefined,
    options?: { now?: Date | undefined },
  ): Event;
  /** The webhook as data, for `fromJSON`. It contains the secrets in plain text: store it where secrets are
   * stored. */
  settingsWithSecrets(): { [name: string]: JsonValue };
  /** The form for logs, which contains only the strategy. */
  toJSON(): { strategy: string };
}

export type { Claim };

/**
 * Remembers the latest events that were handled, until the process ends. Across restarts and machines, store `event.key` in
 * a unique column of your database, in the transaction that handles the event.
 */
/** Where a guard remembers events. */
export interface GuardOptions {
  /** How many are remembered in memory. Default: the latest 100,000. */
  capacity?: number | undefined;
  /**
   * The folder in which they are remembered, over restarts and for all processes that name it. It is created if it is missing, and only
   * its owner can read it. `prune` removes old events. If it cannot be used, claiming throws: answer with 503, and the service sends
   * the event again.
   */
  folder?: string | URL | undefined;
  /**
   * How many milliseconds an event stays claimed by a process that was killed while it handled it: longer than handling an event ever
   * takes. Default: ten minutes.
   */
  lease?: number | undefined;
}

export interface Guard extends GuardMethods {}
export declare class Guard {
  /** Remembers this many events in memory (default: the latest 100,000), or all in a folder. */
  constructor(options?: number | GuardOptions);
  /**
   * Handles an event unless it was handled before, and resolves to the status to respond with: 204, or 503 if it is
   * being handled elsewhere, so that the service retries. If `handle` throws, the promise is rejected, and the next
   * delivery is new again.
   */
  once(event: Event, handle: (event: Event) => unknown): Promise<204 | 503>;
  /** Claims an event. */
  claim(event: Event): Claim;
}

/**
 * Remembers events somewhere else than in memory or in a folder, for example in a database that several machines share. Every function
 * is atomic, also between processes that share the store. An event has one or two keys, which are texts of at most some hundred characters.
 * An error of a function is the cause of the guard's own: then the delivery is refused (503), and the service sends it again.
 */
export interface EventStore {
  /**
   * Claims an event for an owner, all of its keys or none: `done` if one of the keys is done; `busy` if one of them is claimed, and that
   * lease has not ended; otherwise they are claimed for `lease` milliseconds, and the event is `new`.
   */
  claim(keys: string[], owner: string, lease: number): Promise<'new' | 'done' | 'busy'> | 'new' | 'done' | 'busy';
  /** Marks keys as done, whoever has claimed them. */
  done(keys: string[]): Promise<void> | void;
  /** Gives keys back that this owner has claimed. Those that are done, or claimed by another owner since, stay as they are. */
  release(keys: string[], owner: string): Promise<void> | void;
  /** Whether a key is done. */
  isDone(key: string): Promise<boolean> | boolean;
  /** The keys that are done, the oldest first. */
  keys(): Promise<Iterable<string>> | Iterable<string>;
  /** Forgets keys that were done before a time, and claims whose leases ended before it. Resolves to how many. */
  prune(before: Date): Promise<number> | number;
}

/** Remembers in a store of your own which events were handled: a `Guard` whose functions are asynchronous. */
export declare class StoreGuard {
  /** `lease`: how many milliseconds an event stays claimed by a worker that was killed while it handled it. Default: ten minutes. */
  constructor(store: EventStore, options?: { lease?: number | undefined });
  /**
   * Handles an event unless it was handled before, and resolves to the status to respond with: 204, or 503 if it is
   * being handled elsewhere, so that the service retries. If `handle` throws, the promise is rejected, and the next
   * delivery is new again.
   */
  once(event: Event, handle: (event: Event) => unknown): Promise<204 | 503>;
  /** Whether an event was handled. */
  knows(event: Event): Promise<boolean>;
  /** Marks events as handled, by their keys. */
  remember(keys: Iterable<string>): Promise<void>;
  /** The keys of the events that were handled, the oldest first. */
  keys(): Promise<string[]>;
  /** Forgets events that were handled longer ago than this number of days, and claims that ended then. Resolves to how many. */
  prune(days: number): Promise<number>;
}

/** Options of a receiver. */
export interface ReceiverOptions {
  /** Remembers the events that were handled. Default: a new one in memory, for this receiver alone. */
  guard?: Guard | StoreGuard | undefined;
}

/**
 * A receiver for Express: `app.post(/^\/hooks/, webhooks.express(hook, handle))`, before any `express.json()`. It is a function of
 * Node.js's request and response, so other frameworks can use it too.
 *
 * It reads no more of a request than the hook allows, verifies it, and handles each event once. It answers 401 to strangers, 204 when an
 * event was handled, now or before, and 503 while another worker handles it. An error of `handle` is passed to `next`, and the application
 * answers 500; one of the guard has the status 503. Then the event was not handled, and the service sends it again.
 */
export declare function express(
  hook: Hook,
  handle: (event: Event) => unknown,
  options?: ReceiverOptions
): (request: IncomingMessage & { originalUrl?: string | undefined }, response: ServerResponse, next: (error: unknown) => void) => Promise<void>;
/**
 * A receiver for Fastify: `app.register(webhooks.fastify(hook, handle), { prefix: '/hooks' })`. The same as `express`; errors are passed to
 * Fastify's error handler.
 */
export declare function fastify(
  hook: Hook,
  handle: (event: Event) => unknown,
  options?: ReceiverOptions
): (app: any) => Promise<void>;

/** Options of a credential that expires. */
export interface EndOptions {
  /** The validity in days. Default: 365. Each event says when it expires soon. */
  days?: number | undefined;
  /** When it is issued. Default: now. */
  issuedAt?: Date | undefined;
}

/** Options of a token. */
export interface BearerOptions extends EndOptions {
  /** Issuer (`iss`) of the token. Default: `sondage`. */
  issuer?: string | undefined;
}

/** Options of a signed address. */
export interface SignedUrlOptions extends EndOptions {
  /** The permission. Default: `d` (deliver), or `w` for Azure's rules. */
  permission?: string | undefined;
}

/**
 * An unguessable address. The simplest strategy; but addresses end up in logs. `secret`: the end of the existing
 * address, 32 characters or more. Default: a new one is generated, which `hook.settingsWithSecrets()` contains.
 */
export declare function obscureUrl(secret?: string): Hook;
/** User name and password. */
export declare function basic(user: string, password: string): Hook;
/**
 * A long-lived token, signed with HS256. `key`: 32 bytes or more. `audience`: the audience of the token: a name of your
 * receiver, for example its address.
 */
export declare function bearer(key: string, audience: string, options?: BearerOptions): Hook;
/**
 * A signed address. `key`: 32 bytes or more. `resource`: a name of your own, so that one key can sign for several
 * receivers. Default: `webhook`.
 */
export declare function signedUrl(key: string, options?: SignedUrlOptions & { resource?: string | undefined }): Hook;
/** An address that is signed by the rules of Azure for a blob: an account's key in base64, `/blob/account/container/name`. */
export declare function azureSignedUrl(key: string, resource: string, options?: SignedUrlOptions): Hook;
/** A webhook from stored data: the result of `settingsWithSecrets`, which `sondage webhooks listen --hook`
 * reads as well. */
export declare function fromJSON(settings: { readonly [name: string]: unknown }): Hook;
