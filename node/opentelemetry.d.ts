// Calls of a client as spans of OpenTelemetry.

import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { Client } from './index';

/** The destinations of spans and metrics. */
export interface Providers {
  /** Default: the global one. */
  tracerProvider?: TracerProvider;
  /** Default: the global one. */
  meterProvider?: MeterProvider;
}

/** An instrumented client. */
export declare class Instrumentation {
  private constructor();
  /** Stops instrumenting, after everything so far was exported. Until then, the process stays alive. */
  close(): Promise<void>;
}

/**
 * Instruments a client until the result is closed: docs/trace.md says what becomes a span and what a metric. The setting
 * `traceEntries` must be as large as the number of entries of half a second.
 */
export declare function instrument(client: Client, providers?: Providers): Promise<Instrumentation>;
