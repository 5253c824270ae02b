import type { BlockingCallOptions } from './described.js';

export type { BlockingCallOptions } from './described.js';

/**
 * A 64-bit integer: a `number` if it holds every digit (up to 2^53 - 1 in either direction), and otherwise a `bigint`.
 * A given integer always has the same type, so that `===`, the keys of a `Map` and template strings work. To calculate
 * with one that you know to be small, write `Number(value)`.
 *
 * In arguments, both types are accepted; a `number` beyond 2^53 - 1 is refused, because it has lost digits
 * already.
 */
export type Int = number | bigint;

/** Any JSON. A number that neither a `number` nor a `bigint` can hold without losing digits is a string. */
export type JsonValue = string | number | bigint | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Fields that this version does not know, by their names. */
export type Extra = Record<string, JsonValue>;

/** The value of a member's field: text, a number, a boolean or `null`; anything else is unusual. */
export type FieldValue = JsonValue;

/** Options of a single call. */
export interface CallOptions extends BlockingCallOptions {
  /**
   * Cancels the call. The promise is rejected immediately with the signal's reason. A read ends; a write that was
   * sent continues, and `client.pendingWrites()` lists it.
   */
  signal?: AbortSignal | undefined;
}

/** Options of each call that reads a page of a list. */
export type ListCallOptions = Pick<BlockingCallOptions, 'deadline' | 'attempts' | 'timeout' | 'headers'>;

/** A typed response together with the HTTP response from which it was decoded. */
export interface Response<T> {
  /** The typed response. */
  value: T;
  /** HTTP status. */
  status: number;
  /** HTTP headers, by their names in lower case. */
  headers: Record<string, string>;
  /** The body as received, decompressed. */
  text: string;
  /** Number of attempts. */
  attempts: number;
}
