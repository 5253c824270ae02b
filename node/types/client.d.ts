import type { BlockingList, List } from './lists.js';
import type { BlockingMethods, Methods } from './methods.js';
import type { BlockingOperations, Operations, PagedRows } from './operations/index.js';
import type { PendingWrite } from './reports.js';
import type { Settings } from './settings.js';
import type { Response, BlockingCallOptions, CallOptions, Int, JsonValue } from './values.js';
import type { Confirmation, Event } from './webhook_entities.js';
import type { ConfirmOptions } from './webhooks.js';

/** Settings of a `Client`. */
export interface ClientOptions extends Settings {
  /**
   * Provides an access token, without `Bearer`: from a backend that holds the client secret, or from a vault. It is called
   * when a token is needed, by one caller at a time, however many wait. `signal` is aborted when the client is closed. Its
   * exceptions become the `cause` of the `AuthenticationError`.
   */
  tokenProvider?: (asked: { signal: AbortSignal }) => Promise<string> | string;
}

/** A setting as the client uses it. */
export interface Setting {
  /** The setting. */
  setting: string;
  /** Its value, masked where it is secret; `null` when it is not set. */
  value: string | null;
  /** Its source; `null` when it is not set. */
  source: string | null;
}

/** The settings of a client. */
export interface Config {
  /** Every setting and its source; secrets are masked. As a string, it is a table. */
  explain(): Setting[];
}

/** The effect of a call. It decides what happens after an unknown outcome. */
export type Effect = 'read' | 'idempotent_write' | 'create' | 'schema_change' | 'send';

type RequestOf<Operation> = Operation extends (request: infer Request, ...rest: never) => unknown
  ? Request
  : Operation extends (request?: infer Request, ...rest: never) => unknown
    ? Request
    : never;
type ResponseOf<Operation> = Operation extends (...rest: never) => infer Result ? Awaited<Result> : never;

/**
 * A client of one account. Every operation of the API has a method that returns a promise of the response.
 *
 * Nothing is sent before the first call. A client without calls in progress does not keep the process alive.
 */
export declare class Client {
  /** A client with these settings; all others come from the environment and a profile file. */
  constructor(options?: ClientOptions);
  /** The settings. */
  readonly config: Config;
  /** The rows of a complete list: `client.pages('readSurveyList', { workspaceId: 3 })`. */
  pages<Name extends keyof PagedRows>(
    operation: Name,
    request?: RequestOf<Operations[Name]>,
    options?: { signal?: AbortSignal | undefined },
  ): List<PagedRows[Name]>;
  /** Makes a call and returns its full response: `(await client.withResponse('readPanel', { panelId: 5
   * })).headers`. */
  withResponse<Name extends keyof Operations>(
    operation: Name,
    request?: RequestOf<Operations[Name]>,
    options?: CallOptions,
  ): Promise<Response<ResponseOf<Operations[Name]>>>;
  /** Calls an operation that this version does not know. The body is sent unchanged: if the operation needs a
   * tenant, the body must contain it. */
  raw(path: string, body: JsonValue, options: CallOptions & { effect: Effect }): Promise<JsonValue>;
  /**
   * Reads the entity of a webhook event from the API: a callback can be forged or late, the API's data cannot. Bounces and
   * opt-outs cannot be read by an id.
   */
  confirmEvent(event: Event, options?: ConfirmOptions & { signal?: AbortSignal | undefined }): Promise<Confirmation>;
  /**
   * Rejects new calls, and waits for writes in progress, 30 seconds unless `timeout` says otherwise (in
   * milliseconds). Writes that are still in progress afterwards continue, and are returned.
   */
  close(options?: { timeout?: number }): Promise<PendingWrite[]>;
  /** `await using` closes the client. */
  [Symbol.asyncDispose](): Promise<void>;
}
export interface Client extends Operations, Methods {}

/**
 * A client of one account whose calls BLOCK THE EVENT LOOP until their responses have arrived: nothing else of the
 * program runs meanwhile. It is for scripts and worker threads. In a server, use `Client`.
 */
export declare class BlockingClient {
  /** A client with these settings. A token provider is refused: while it blocks, no JavaScript can run. */
  constructor(options?: Settings);
  /** The settings. */
  readonly config: Config;
  /** The rows of a complete list. Each page blocks. */
  pages<Name extends keyof PagedRows>(
    operation: Name,
    request?: RequestOf<Operations[Name]>,
  ): BlockingList<PagedRows[Name]>;
  /** Makes a call and returns its full response. Blocks. */
  withResponse<Name extends keyof Operations>(
    operation: Name,
    request?: RequestOf<Operations[Name]>,
    options?: BlockingCallOptions,
  ): Response<ResponseOf<Operations[Name]>>;
  /** Calls an operation that this version does not know. Blocks. */
  raw(path: string, body: JsonValue, options: BlockingCallOptions & { effect: Effect }): JsonValue;
  /**
   * Reads the entity of a webhook event from the API: a callback can be forged or late, the API's data cannot. Bounces and
   * opt-outs cannot be read by an id. Blocks.
   */
  confirmEvent(event: Event, options?: ConfirmOptions): Confirmation;
  /** Rejects new calls, and waits for writes in progress. Blocks. */
  close(options?: { timeout?: number }): PendingWrite[];
  /** `using` closes the client. */
  [Symbol.dispose](): void;
}
export interface BlockingClient extends BlockingOperations, BlockingMethods {}
