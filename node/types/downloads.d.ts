import type { Removed } from './reports.js';
import type { Table } from './table.js';

/** The progress of a download. */
export interface Progress {
  /** Rows that have come. */
  rows: number;
  /** Calls that were made. The service allows about 500 a day. */
  calls: number;
  /** Bytes of the answers, after decompression. */
  bytes: number;
  /** How many rows there are, as the service counts: information, not a promise. */
  total: number | null;
}

/** The formats of files. */
export type FileFormat = 'parquet' | 'csv' | 'jsonl';

/** What has changed since the last load. */
export interface Changes {
  /** New and changed interviews, each as it is now. */
  table: Table;
  /** Interviews that went away, when they were asked for. */
  removed: Removed[];
  /** The calls, bytes and time of the load. */
  progress: Progress;
}
