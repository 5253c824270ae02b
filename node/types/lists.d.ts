import type { Expression } from './condition.js';
import type { Changes, DeltaOptions, Estimate, Exported, FileOptions, Progress } from './downloads.js';
import type { Member } from './panel.js';
import type { Labels, Table } from './table.js';

/**
 * A list of any size for `for await`: read page by page, when its rows are asked for. It is complete, or it ends in an
 * error that says what is missing; it is never silently short.
 */
export declare class List<Row> implements AsyncIterable<Row> {
  protected constructor();
  /** The pages, each an array. */
  pages(): AsyncGenerator<Row[], void, undefined>;
  /**
   * The list as a table: a column for each field of its rows, by its name here. Arrays and objects are JSON texts. Fields
   * that this version does not know are in the column `extra`, as JSON.
   */
  table(): Promise<Table>;
  /** All rows. */
  toArray(): Promise<Row[]>;
  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined>;
}

/** A list of any size for `for`. Each page blocks the event loop. */
export declare class BlockingList<Row> implements Iterable<Row> {
  protected constructor();
  /** The pages, each an array. */
  pages(): Generator<Row[], void, undefined>;
  /** The list as a table: a column for each field of its rows. Arrays and objects are JSON texts. */
  table(): Table;
  /** All rows. */
  toArray(): Row[];
  [Symbol.iterator](): Generator<Row, void, undefined>;
}

/** What can be chosen about a list of members. */
export interface BlockingMembersOptions {
  /** Only these fields. Naming them makes broad panels much faster. */
  fields?: readonly string[] | undefined;
  /** Only members who pass this test. */
  where?: Expression | undefined;
  /** Each member with its interviews. */
  interviews?: boolean | undefined;
  /** Rows on a page. Calls are scarce, so large pages are better. Default: the client's `pageSize`. */
  pageSize?: number | undefined;
  /** Whether the service's own count can put the list in doubt. Default: yes. */
  checkCount?: boolean | undefined;
}

/** What can be chosen about a list of members. */
export interface MembersOptions extends BlockingMembersOptions {
  /** For a table or a file: is told how far it is. What it throws ends the download. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Gives the reading up. */
  signal?: AbortSignal | undefined;
}

/** What can be chosen about a table of members. */
export interface MemberTableOptions {
  /** Types and labels from the definition of the panel, by one more call. */
  definition?: boolean | undefined;
  /** In which language the labels are. */
  language?: string | undefined;
  /** Whether to show labels. They need `definition`. */
  labels?: Labels | undefined;
}

/** The members of a panel or sample. */
export declare class Members extends List<Member> {
  private constructor();
  /** All members as a table, a column for each field. */
  table(options?: MemberTableOptions): Promise<Table>;
  /** Downloads all members to a file: see `Interviews.toFile`. */
  toFile(path: string | URL, options?: MemberTableOptions & FileOptions): Promise<Exported>;
}

/** The members of a panel or sample. */
export declare class BlockingMembers extends BlockingList<Member> {
  private constructor();
  /** All members as a table, a column for each field. */
  table(options?: MemberTableOptions): Table;
}

/** What can be chosen about the interviews of a survey. */
export interface BlockingInterviewsOptions {
  /** The questions and columns to return. Should always be given: it saves time and volume. */
  fields?: readonly string[] | undefined;
  /** Only interviews that pass this test. */
  where?: Expression | undefined;
  /** Only interviews in this state, for example `Completed`. */
  state?: string | undefined;
  /** Only interviews that changed at this time or later. */
  updatedSince?: Date | undefined;
  /** Whether to show labels, and where. */
  labels?: Labels | undefined;
  /** Whether to download what the columns mean. For recurring jobs: `false`. Default: yes. */
  codePlan?: boolean | undefined;
  /** Reads the structured form in the place of the compact one. The table is the same. */
  structured?: boolean | undefined;
  /** Rows on a page. Calls are scarce, so large pages are better. Default: the client's `pageSize`. */
  pageSize?: number | undefined;
  /** The number of the first page. Default: what the client has found out, or its setting. */
  firstPage?: number | undefined;
  /** In the order of this column. Default: in the order of the ids, in which interviews keep their places. */
  orderBy?: string | undefined;
  /** Whether that order is a descending one. */
  descending?: boolean | undefined;
  /** Whether the service's own count can put the list in doubt. Default: yes. */
  checkCount?: boolean | undefined;
}

/** What can be chosen about the interviews of a survey. */
export interface InterviewsOptions extends BlockingInterviewsOptions {
  /** Is told how far a download is. What it throws ends the download. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Gives the reading up. */
  signal?: AbortSignal | undefined;
}

/**
 * The interviews of a survey: `for await` reads them in batches, a table for each page, so that memory does not grow with
 * the survey; `table()` gives all of them as one table.
 */
export declare class Interviews implements AsyncIterable<Table> {
  private constructor();
  /** All interviews: complete, or an error. */
  table(): Promise<Table>;
  /**
   * Downloads to a file, in memory that does not grow with the survey. The file is there whole or not at all. Until it is,
   * pages wait in the folder `<path>.part`; after an error, an abort or a crash the same export goes on from the page after
   * the last one, within a day.
   */
  toFile(path: string | URL, options?: FileOptions): Promise<Exported>;
  /** What a download would cost, from one call for a few rows. */
  estimate(): Promise<Estimate>;
  /**
   * Only what changed since the last load. It counts as loaded when `take` succeeds; else the same changes come again.
   * `state`: the file that remembers what was loaded. It belongs to this query.
   */
  delta<T>(state: string, take: (changes: Changes) => T | Promise<T>, options?: DeltaOptions): Promise<T>;
  [Symbol.asyncIterator](): AsyncGenerator<Table, void, undefined>;
}

/** The interviews of a survey, as `Interviews` has them. Each page blocks the event loop. */
export declare class BlockingInterviews implements Iterable<Table> {
  private constructor();
  /** All interviews: complete, or an error. */
  table(): Table;
  [Symbol.iterator](): Generator<Table, void, undefined>;
}
