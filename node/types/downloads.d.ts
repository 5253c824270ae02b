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

/** A file that was written. */
export interface ExportReport {
  /** Where it is. */
  path: string;
  /** Interviews or members in it. */
  rows: number;
  /** Its size in bytes. */
  size: number;
  /** The progress of the download from its first page on, including runs that were interrupted. */
  progress: Progress;
  /** Warnings: values that differ from the code plan, and were kept without loss. */
  warnings: string[];
}

/** What a whole download would cost. The service allows about 500 calls and 500 MB a day. */
export interface Estimate {
  /** Rows, as the service counts them: `null` when it gives no count that can be true. */
  rows: number | null;
  /** Calls, with those that find the ends of the list and the one for a panel's definition. */
  calls: number | null;
  /** Bytes of the answers before compression, were all rows like the first. */
  bytes: number | null;
  /** Minutes, were each call as slow as the one of this estimate. */
  minutes: number | null;
}

/** An interview that was loaded before, and is not among those that are asked for any more. */
export interface Removed {
  id: string;
  /** It is still there, but has lost what the filter asks for, for example because it was reset. Else it was deleted. */
  reset: boolean;
}

/** What has changed since the last load. */
export interface Changes {
  /** New and changed interviews, each as it is now. */
  table: Table;
  /** Interviews that went away, when they were asked for. */
  removed: Removed[];
  /** The calls, bytes and time of the load. */
  progress: Progress;
}
