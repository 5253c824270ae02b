// The trace of a client on the channels of `node:diagnostics_channel`.

import type { Client } from './index';

/** A client whose trace is published. */
export interface Published {
  /** Stops publishing, after all entries so far were published. Until then, the process stays alive. */
  close(): Promise<void>;
}

/**
 * Publishes each `TraceEntry` of a client on the channel `sondage:` and its kind, for example `sondage:call`, until the result is
 * closed. Entries that were lost are counted on `sondage:missed`. The setting `traceEntries` must be as large as the number of
 * entries of half a second.
 */
export declare function publish(client: Client): Promise<Published>;
