import type { ErrorCode } from './errors.js';
import type { Failure } from './failure.js';

/** The details of an error in addition to its message. */
export interface ErrorDetails extends Partial<Failure> {
  cause?: unknown;
}

/** The base of all errors of this library. Its message says what happened, whether anything was changed, and what to do next. */
export interface SondageError extends Failure {}
export declare abstract class SondageError extends Error {
  constructor(message: string, details?: ErrorDetails);
  /** The kind of error, the same word in every language. */
  abstract readonly code: ErrorCode | 'Refused';
}
