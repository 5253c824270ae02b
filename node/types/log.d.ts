/** How grave a record is. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** What is logged: neither secrets nor answers. */
export interface LogRecord {
  level: LogLevel;
  /** The module that logged it, for example `sondage::call::engine`. */
  target: string;
  message: string;
}

/** A logger with a function for each level: `console`, pino, winston. */
export type Logger = Record<LogLevel, (message: string) => unknown>;

/**
 * Forwards what the library does by itself (calls that are repeated, tokens, lists that are read again) to a logger, or to a
 * function that takes records: of all clients of this process, also those of worker threads. A later call replaces the logger;
 * `null` ends it. Without one, warnings are printed on standard error. What it throws is ignored, and records that it cannot keep up with are dropped.
 */
export declare function logTo(
  logger: Logger | ((record: LogRecord) => unknown) | null,
  options?: { level?: LogLevel | undefined },
): void;
