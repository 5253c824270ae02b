/**
 * An integer of 64 bits: a `number` where that holds every digit (up to 2^53 - 1, either way), and otherwise a
 * `bigint`. The same number always comes in the same form, so that `===`, the keys of a `Map` and template strings work
 * as they are. To calculate with one that you know to be small, write `Number(value)`.
 *
 * Where you give one, both forms are fine; a `number` beyond 2^53 - 1 is refused, because it has lost digits already.
 */
export type Int = number | bigint;

/** Any JSON. A number that neither a `number` nor a `bigint` holds without losing digits is a string. */
export type JsonValue = string | number | bigint | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Fields that this version does not know, by their names. */
export type Extra = Record<string, JsonValue>;

/** The value of a member's field: text, a number, a boolean or nothing; anything else is unusual. */
export type FieldValue = JsonValue;

/** What can be different for a single call. */
export interface BlockingCallOptions {
  /** How long the call may take with everything, in milliseconds: waiting, repeats, the token; of a list, each page. */
  deadline?: number | undefined;
  /** Fields for the body that this version does not know. One that it knows is refused here. */
  extra?: Record<string, JsonValue> | undefined;
}

/** What can be different for a single call. */
export interface CallOptions extends BlockingCallOptions {
  /**
   * Gives the call up. The promise is rejected at once with the signal's reason. A read ends; a write that was sent
   * goes on by itself, and `client.pendingWrites()` shows it.
   */
  signal?: AbortSignal | undefined;
}

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
