import type { Settings } from './settings.js';
import type { TokenStore } from './stores.js';
export type { Settings } from './settings.js';

/** Settings of a `Client`. */
export interface ClientOptions extends Settings {
  /**
   * Returns an access token, without `Bearer`, for example from a backend that holds the client secret, or from a vault.
   * It is called when a token is needed, by one caller at a time, however many wait. `signal` is aborted when the client
   * is closed. An exception becomes the `cause` of the `AuthenticationError`.
   */
  tokenProvider?: (asked: { signal: AbortSignal }) => Promise<string> | string;
  /**
   * Stores tokens between runs and for several processes, instead of `tokenFile`. If it fails, calls continue with
   * the tokens in memory.
   */
  tokenStore?: TokenStore | undefined;
}

/** A setting as the client uses it. */
export interface Setting {
  /** The setting. */
  setting: string;
  /** The value, masked where it is secret; `null` when it is not set. */
  value: string | null;
  /** The source; `null` when it is not set. */
  source: string | null;
}

/** The settings of a client. */
export interface Config {
  /** Every setting and its source; secrets are masked. As a string, it is a table. */
  explain(): Setting[];
}

/** The effect of a call. It decides what happens after an unknown outcome. */
export type Effect = 'read' | 'idempotent_write' | 'create' | 'schema_change' | 'send';

/** The arguments of an operation. */
export type RequestOf<Operation> = Operation extends (request: infer Request, ...rest: never) => unknown
  ? Request
  : Operation extends (request?: infer Request, ...rest: never) => unknown
    ? Request
    : never;
/** The result of an operation. */
export type ResponseOf<Operation> = Operation extends (...rest: never) => infer Result ? Awaited<Result> : never;
