import type { Changes, PostgresClient } from './downloads.js';
import type { DeltaOptions, FileOptions, MemberTableOptions, SyncOptions } from './options.js';
import type { Member } from './panel.js';
import type { Crosstab, Estimate, ExportReport, Frequencies, Quality, SyncReport } from './reports.js';
import type { CrosstabOptions, FrequenciesOptions, QualityOptions, Row, Table } from './table.js';

/**
 * A list of any size for `for await`: read page by page, when its rows are requested. It is complete, or ends with an
 * error that says what is missing; it is never silently short.
 */
export declare class List<Row> implements AsyncIterable<Row> {
  protected constructor();
  /** The pages, each an array. */
  pages(): AsyncGenerator<Row[], void, undefined>;
  /**
   * The list as a table: a column for each field of its rows, by its JavaScript name. Arrays and objects are JSON texts.
   * Fields that this version does not know are in the column `extra`, as JSON.
   */
  table(): Promise<Table>;
  /** All rows. */
  toArray(): Promise<Row[]>;
  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined>;
}

/** The members of a panel or sample. */
export declare class Members extends List<Member> {
  private constructor();
  /** All members as a table, a column for each field. */
  table(options?: MemberTableOptions): Promise<Table>;
  /** Downloads all members to a file: see `Interviews.toFile`. */
  toFile(path: string | URL, options?: MemberTableOptions & FileOptions): Promise<ExportReport>;
  /** How many members there are, by the service's count: see `Interviews.count`. */
  count(): Promise<number>;
}

/**
 * The interviews of a survey: `for await` reads them in batches, a table for each page, in constant memory; `table()`
 * returns all of them as one table.
 */
export declare class Interviews implements AsyncIterable<Table> {
  private constructor();
  /** The interviews one by one, each an object with its columns, in constant memory: see `Table.rows`. */
  rows(): AsyncGenerator<Row, void, undefined>;
  /** All interviews as objects. `table()` needs a fraction of the memory. */
  toArray(): Promise<Row[]>;
  /** All interviews: complete, or an error. */
  table(): Promise<Table>;
  /**
   * Downloads to a file, in constant memory. The file is written completely or not at all. Until then, pages are
   * stored in the folder `<path>.part`; after an error, an abort or a crash the same export resumes after the last
   * stored page, within a day.
   */
  toFile(path: string | URL, options?: FileOptions): Promise<ExportReport>;
  /** The cost of a download, estimated from one call for a few rows. */
  estimate(): Promise<Estimate>;
  /** How often each answer was given: see `Table.frequencies`, which needs no call. Only the columns that this needs are downloaded. */
  frequencies(variable: string, options?: FrequenciesOptions): Promise<Frequencies>;
  /**
   * How often each pair of answers was given: see `Table.crosstab`, which needs no call. Only the columns that this needs are downloaded,
   * in constant memory.
   */
  crosstab(variable: string, options: CrosstabOptions): Promise<Crosstab>;
  /** Downloads all interviews, and marks those that may not be worth counting: see `Table.quality`, which needs no call. */
  quality(options?: QualityOptions): Promise<Quality>;
  /** How many interviews there are, by the service's count. If it cannot be right, they are read and counted. */
  count(): Promise<number>;
  /** The first interviews, 5 by default, without reading the others. */
  head(rows?: number): Promise<Table>;
  /**
   * Only the changes since the last load. They count as loaded when `take` succeeds; otherwise they are returned
   * again. `state`: the state file, which records what was loaded. It belongs to this query.
   */
  delta<T>(state: string | URL, take: (changes: Changes) => T | Promise<T>, options?: DeltaOptions): Promise<T>;
  /**
   * Keeps a store equal to this query: reads the changes since the last sync and the ids of all interviews. The rows, the removals and
   * the state of the store change together, or not at all: whenever it is interrupted, the next sync continues from what is stored.
   *
   * `store`: a file that ends in `".parquet"`, which is replaced as a whole; any other path, for a folder of files with a manifest; or a
   * client of the package pg without an open transaction, for a table: that of the option `table`, by default survey_1004 with the id of the survey. Codes, labels and the state are in the
   * tables sondage_values, sondage_labels and sondage_sync beside it.
   */
  sync(store: string | URL | PostgresClient, options?: SyncOptions & { table?: string | undefined }): Promise<SyncReport>;
  [Symbol.asyncIterator](): AsyncGenerator<Table, void, undefined>;
}
