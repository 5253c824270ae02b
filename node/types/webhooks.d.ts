import { SondageError } from './error.js';
import type { GuardMethods, HookMethods } from './bases.js';
import type { Event } from './webhook_entities.js';
export type { MissedOptions } from './options.js';
import type { Int, JsonValue } from './values.js';
import type { CreateWebHookRequest, EventType } from './web_hook.js';

export * from './webhook_entities.js';

/** What to read of an entity besides the service's own columns. */
export interface ConfirmOptions {
  /** Questions and columns of an interview, or fields of a member. */
  columns?: string[] | undefined;
}

/**
 * A request that is not an event of ours. Answer it with `Refused.STATUS` and an empty body, whatever the reason: a
 * stranger learns nothing from it.
 */
export declare class Refused extends SondageError {
  /** The status of the answer: 401 for every reason. */
  static readonly STATUS: 401;
  static readonly code: 'Refused';
  readonly code: 'Refused';
  /** Why, in one word: the same in every language. */
  readonly reason: string;
  /** Its meaning, and what to do about it. */
  readonly explanation: string;
}

/** The headers of a request: `request.rawHeaders`, `request.headers`, a `Headers`, a `Map`, or pairs. */
export type RequestHeaders =
  | readonly string[]
  | Iterable<readonly [string, string | Uint8Array]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook: what is registered, and what is accepted. Made by `obscureUrl`, `basic`, `bearer`, `signedUrl` or `fromJSON`. */
export interface Hook extends HookMethods {}
export declare class Hook {
  private constructor();
  /** What subscribes: `client.createWebHook(hook.registration(...))`. `entity`: the survey to watch, or `*` for all. */
  registration(base: string, eventType: EventType, entity?: Int | string): CreateWebHookRequest;
  /** Accepts the secret from before as well, while the registration is moved to this one. */
  accepting(previous: Hook): Hook;
  /**
   * Judges a request, and gives its event or throws `Refused`.
   *
   * - `url`: the whole address, or path and query: `request.originalUrl` in Express, `request.url` in Fastify.
   * - `headers`: best `request.rawHeaders`, in which nothing was thrown away.
   * - `body`: the bytes that arrived, before any parser. Whatever a parser made of them is refused as an `InvalidArgument`.
   * - `now`: another time than now, for tests.
   */
  verify(
    url: string | URL,
    headers: RequestHeaders,
    body: Uint8Array | ArrayBuffer | undefined,
    options?: { now?: Date | undefined },
  ): Event;
  /** The webhook as data, for `fromJSON`. Its secrets are readable in it: keep it where secrets are kept. */
  settingsWithSecrets(): { [name: string]: JsonValue };
  /** What a log may hold of it: its strategy. */
  toJSON(): { strategy: string };
}

/** What a guard knows about an event. */
export interface Claim {
  /** `new`: handle it. `done`: it was handled before. `busy`: another worker is handling it, and may fail. */
  readonly state: 'new' | 'done' | 'busy';
  /** Whether the event is to be handled now. */
  readonly isNew: boolean;
  /** The status to answer with afterwards: 204, or 503 so that the service tries again. */
  readonly status: 204 | 503;
  /** The event was handled: it will not be handed out again. */
  done(): void;
  /** It was not handled, and the next delivery is new again. After `done` it does nothing. `using` calls it. */
  release(): void;
  [Symbol.dispose](): void;
}

/**
 * Remembers which events were handled, the last ones, until the process ends. Across restarts and machines keep `event.key`
 * in your database, unique, in the transaction that handles the event.
 */
export interface Guard extends GuardMethods {}
export declare class Guard {
  /** Remembers so many events: 100,000 by default. */
  constructor(capacity?: number);
  /**
   * Handles an event unless it was handled before, and promises the status to answer with: 204, or 503 when it is being
   * handled at this moment. When `handle` throws, so does this, and the next delivery is new again.
   */
  once(event: Event, handle: (event: Event) => unknown): Promise<204 | 503>;
  /** Asks for the right to handle an event. */
  claim(event: Event): Claim;
}

/** Options of a credential that expires. */
export interface EndOptions {
  /** For how many days it is good. 365 by default. Each event says when it ends soon. */
  days?: number | undefined;
  /** When it is made. Now by default. */
  issuedAt?: Date | undefined;
}

/** Options of a token. */
export interface BearerOptions extends EndOptions {
  /** Issuer (`iss`) of the token. `sondage` by default. */
  issuer?: string | undefined;
}

/** Options of a signed address. */
export interface SignedUrlOptions extends EndOptions {
  /** What it allows. `d` (deliver) by default, `w` for Azure's rules. */
  permission?: string | undefined;
}

/**
 * An address that nobody can guess. The simplest; but addresses end up in logs. `secret`: the end of the address, 32
 * characters or more, from the last time. Without it a new one is made: `hook.settingsWithSecrets()` has it.
 */
export declare function obscureUrl(secret?: string): Hook;
/** User name and password. */
export declare function basic(user: string, password: string): Hook;
/**
 * A token with a long life, signed with HS256. `key`: 32 bytes or more. `audience`: who is to accept the token, a name of
 * your receiver, for example its address.
 */
export declare function bearer(key: string, audience: string, options?: BearerOptions): Hook;
/**
 * An address that carries its own signature. `key`: 32 bytes or more. `resource`: what the address is for, a name of your
 * own, so that one key can sign for several receivers; `webhook` by default.
 */
export declare function signedUrl(key: string, options?: SignedUrlOptions & { resource?: string | undefined }): Hook;
/** An address that is signed by the rules of Azure for a blob: an account's key in base64, `/blob/account/container/name`. */
export declare function azureSignedUrl(key: string, resource: string, options?: SignedUrlOptions): Hook;
/** A webhook that was kept as data: what `settingsWithSecrets` gives, and what `sondage webhooks listen --hook` reads. */
export declare function fromJSON(settings: { readonly [name: string]: unknown }): Hook;
