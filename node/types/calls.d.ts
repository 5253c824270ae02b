import type { Settings } from './settings.js';
export type { Settings } from './settings.js';

/** Settings of a `Client`. */
export interface ClientOptions extends Settings {
  /**
   * Gives an access token, without `Bearer`: from a backend that holds the client secret, from a vault. It is asked when a
   * token is needed, by one caller at a time, however many wait. `signal` is aborted when the client is closed. What it
   * throws is the `cause` of the `AuthenticationError`.
   */
  tokenProvider?: (asked: { signal: AbortSignal }) => Promise<string> | string;
  /**
   * Keeps tokens between runs and for several processes, in place of `tokenFile`. When it fails, calls go on with the
   * tokens in memory.
   */
  tokenStore?: TokenStore | undefined;
}

/**
 * A token store of your own: Redis, a table, a vault. It keeps keys apart, because each belongs to an identity. What is saved is
 * secret. The functions may return promises.
 */
export interface TokenStore {
  /** What was saved under the key; nothing if there is nothing. */
  load(key: string): Promise<string | null | undefined> | string | null | undefined;
  /** Saves the tokens of a key. */
  save(key: string, tokens: string): Promise<unknown> | unknown;
  /** Removes what the key has, if it has anything. */
  forget(key: string): Promise<unknown> | unknown;
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

/** What an operation takes. */
export type RequestOf<Operation> = Operation extends (request: infer Request, ...rest: never) => unknown
  ? Request
  : Operation extends (request?: infer Request, ...rest: never) => unknown
    ? Request
    : never;
/** What an operation gives. */
export type ResponseOf<Operation> = Operation extends (...rest: never) => infer Result ? Awaited<Result> : never;
