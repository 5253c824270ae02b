import type { Removed } from './reports.js';
import type { Table } from './table.js';

/** The progress of a download. */
export interface Progress {
  /** The number of rows received. */
  rows: number;
  /** The number of calls made. The service allows about 500 a day. */
  calls: number;
  /** Bytes of the responses, after decompression. */
  bytes: number;
  /** The service's count of rows, which may be wrong. */
  total: number | null;
}

/** The formats of files. */
export type FileFormat = 'parquet' | 'csv' | 'jsonl';

/** The changes since the last load. */
export interface Changes {
  /** New and changed interviews, in their current state. */
  table: Table;
  /** Interviews that were deleted or no longer match, if they were requested. */
  removed: Removed[];
  /** The calls, bytes and time of the load. */
  progress: Progress;
}
