import type { ErrorCode } from './errors.js';

/** What is known about an error besides its message. */
export interface ErrorDetails {
  operation?: string | null;
  attempts?: number;
  status?: number | null;
  errorCode?: string | null;
  errorMessage?: string | null;
  requestId?: string | null;
  delivery?: 'no' | 'answered' | 'unknown';
  safeToRetry?: boolean;
  retryAfter?: number | null;
  hint?: string | null;
  reconcile?: string | null;
  writeId?: string | null;
  cause?: unknown;
}

/** The base of all errors of this library. Its message says what happened, whether anything was changed, and what to do next. */
export declare abstract class SondageError extends Error {
  constructor(message: string, details?: ErrorDetails);
  /** What kind of error it is, the same word in every language. */
  abstract readonly code: ErrorCode | 'Refused';
  /** The API's name of the operation, for example `CreateMembers`. */
  readonly operation: string | null;
  /** Number of attempts. 0 if the request was never tried. */
  readonly attempts: number;
  /** The HTTP status of the last answer. */
  readonly status: number | null;
  /** The service's `errorCode`. */
  readonly errorCode: string | null;
  /** The service's `errorMessage`. */
  readonly errorMessage: string | null;
  /** The id under which the service may find the request in its own logs. */
  readonly requestId: string | null;
  /** Whether the request reached the service. */
  readonly delivery: 'no' | 'answered' | 'unknown';
  /** Whether the same call can be made again without having its effect twice. */
  readonly safeToRetry: boolean;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfter: number | null;
  /** What to do next. */
  readonly hint: string | null;
  /** After an unknown outcome: how to find out what happened. */
  readonly reconcile: string | null;
  /**
   * After an unknown outcome of an operation that is never repeated: by this id the client's `reconcile` knows what was sent, in
   * this process.
   */
  readonly writeId: string | null;
}
