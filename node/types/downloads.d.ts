import type { Removed, RowProgress } from './reports.js';
import type { Table } from './table.js';

export type { RowProgress as Progress };

/** The formats of files. */
export type FileFormat = 'parquet' | 'csv' | 'jsonl' | 'xlsx' | 'sav' | 'dta';

/** A file that a table was written to. */
export interface SavedFile {
  /** Its size in bytes. */
  size: number;
  /** Warnings: what the format cannot hold, and how it was changed. */
  warnings: string[];
}

/** The changes since the last load. */
export interface Changes {
  /** New and changed interviews, in their current state. */
  table: Table;
  /** Interviews that were deleted or no longer match, if they were requested. */
  removed: Removed[];
  /** The calls, bytes and time of the load. */
  progress: RowProgress;
}

/** What a sync needs of a client of the package `pg`. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
}
