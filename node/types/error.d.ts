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
  /** All details with name and message, without cause and stack: for logs, and to send the error to another thread. */
  toJSON(): { name: string; message: string; code: ErrorCode | 'Refused' } & Failure;
  /** The error again, of the same class: `SondageError.fromJSON(message.error)`. */
  static fromJSON(json: unknown): SondageError;
}
