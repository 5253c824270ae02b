import type { LogRecord } from './described.js';

export type { LogRecord } from './described.js';

/** The severity of a record. */
export type LogLevel = LogRecord['level'];

/** A logger with a function for each level: `console`, pino, winston. */
export type Logger = Record<LogLevel, (message: string) => unknown>;

/**
 * Forwards the log of the library (retried calls, tokens, lists that are read again) to a logger, or to a function that takes
 * records: for all clients of this process, including those of worker threads. The main thread and each worker thread have a logger of
 * their own, and each gets the records of all; one ends with its thread. A later call in the same thread replaces it, `null`
 * removes it. Without any, warnings are printed to standard error. Exceptions and rejections of a logger are ignored, and records
 * that it cannot keep up with are dropped.
 */
export declare function logTo(
  logger: Logger | ((record: LogRecord) => unknown) | null,
  options?: { level?: LogLevel | undefined },
): void;
