import type { SondageError } from './error.js';
import type { Table } from './table.js';
import type { Int } from './values.js';

/** A value of a member's field. A `Date` becomes its time in UTC. */
export type CellValue = string | number | bigint | boolean | Date | null | undefined;

/**
 * Rows with a column for each field: objects; the bytes of an Arrow stream or file, such as apache-arrow's `tableToIPC`
 * makes; a `Table`; or a CSV file by `{ path }` or a `file:` URL, whose cells are all texts, so that no digit is lost. A bare text
 * opens no file: it may come from elsewhere.
 */
export type Rows = Iterable<Readonly<Record<string, CellValue>>> | Uint8Array | Table | { path: string | URL } | URL;

/** The outcome of each row of `importMembers` or `createMembersFrom`, in the order of the rows. */
export declare class ImportReport {
  private constructor();
  /** How many rows there are. */
  readonly length: number;
  /** The panel. */
  readonly panelId: Int;
  /** Rows whose members were created. */
  readonly created: number;
  /** Rows whose members were there and got their values. */
  readonly updated: number;
  /** Rows whose members were there and had their values already. */
  readonly unchanged: number;
  /** Rows whose members were there and were left as they are. */
  readonly exists: number;
  /** Rows with which nothing was done: the table `rows` says why. */
  readonly refused: number;
  /**
   * Rows of which it is not known. The same `importMembers` again finds out before it sends anything; rows of
   * `createMembersFrom` have to be looked up in the panel first.
   */
  readonly unknown: number;
  /** Rows that were not sent, because the run was stopped before. Run the same `importMembers` again to resume. */
  readonly notSent: number;
  /** Whether it is known of every row what became of it, and nothing is left to send. */
  readonly complete: boolean;
  /** Whether an earlier run had begun. */
  readonly resumed: boolean;
  /** The path of the journal, from which the same import resumes; `null` when it is not needed any more. */
  readonly journal: string | null;
  /**
   * Members that were created from rows whose status is `unknown`: the service's answer did not say from which.
   * `importMembers` reads the members back instead, and has none.
   */
  readonly unattributed: Int[];
  /** What stopped the run; `null` when all rows are decided. */
  readonly stopped: SondageError | null;
  /**
   * What became of each row: the columns `row` (counted from 0), `status` (`created`, `updated`, `unchanged`, `exists`, `refused`,
   * `unknown` or `not_sent`), `id`, `reason` and `attributed` (by the service's `answer`, or by having `read_back` the members).
   */
  readonly rows: Table;
  /** How many, never who: rows are about people. They are in `rows`. */
  toString(): string;
}

/** A row that is left out. */
export interface SkippedRow {
  /** The row, counted from 0. */
  row: number;
  /** It has no key, no member has its key, another row has it too, or several members have it. */
  reason: 'no_key' | 'unknown' | 'twice_in_rows' | 'twice_in_panel';
}

/** What became of the members of a plan, by their numbers. Each is in one of the four lists. */
export interface UpdateReport {
  /** They have the values of their rows. */
  applied: Int[];
  /** The service did not take their values: see `issues`. */
  refused: Int[];
  /** It is not known whether they have them. Plan the same rows again: the plan shows what is left to do. */
  unknown: Int[];
  /** They were left as they were, because the run was stopped before. */
  left: Int[];
  /** Why members were refused. An issue names neither the member nor the field. */
  issues: (string | null)[];
  /** What stopped the run; `null` when everything was sent. */
  stopped: SondageError | null;
}

declare abstract class Plan {
  protected constructor();
  /** The panel. */
  readonly panelId: Int;
  /** How many rows there were. */
  readonly rows: number;
  /** The members who would change. */
  readonly members: number;
  /** Rows whose member has all their values already. */
  readonly unchanged: number;
  /** Rows that are left out, in their order. */
  readonly skipped: SkippedRow[];
  /** What would change: the columns `row`, `member`, `field`, `old` and `new`. Values of every type are texts. */
  readonly changes: Table;
  /** How much would change, never what: values are about people. They are in `changes`. */
  toString(): string;
}

/** What rows would change. Nothing is sent before `apply`. */
export declare class UpdatePlan extends Plan {
  private constructor();
  /**
   * Sends what differs, in chunks, and stops at the first that fails. A call whose answer was lost is repeated: a change has
   * the same effect twice. What changed in the panel since the plan is not seen, so apply it soon.
   */
  apply(options?: { signal?: AbortSignal | undefined }): Promise<UpdateReport>;
}

/** What rows would change. Nothing is sent before `apply`, which blocks. */
export declare class BlockingUpdatePlan extends Plan {
  private constructor();
  /** Sends what differs, in chunks, and stops at the first that fails. Blocks. */
  apply(): UpdateReport;
}

/** How far a run is. */
export interface ArchiveProgress {
  /** Interviews of the survey that belong into the archive. */
  interviews: number;
  /** Documents that were there before. */
  kept: number;
  /** Documents that this run has stored. */
  stored: number;
  /** Documents that could not be had. */
  failed: number;
  /** Bytes that this run has stored. */
  bytes: number;
}

/** What a run did. */
export interface ArchiveReport {
  /** The file that lists the documents, a line of JSON for each. */
  manifest: string;
  /** The numbers at the end. */
  progress: ArchiveProgress;
  /** The documents that could not be had, and why. Another run tries them again. */
  failed: { interview: string; error: SondageError }[];
}
