import type { ImportFacts, MessagePlanFacts, MessageReport, PlanFacts, UpdateReport } from './reports.js';
import type { Table } from './table.js';

/** A value of a member's field. A `Date` becomes its time in UTC. */
export type CellValue = string | number | bigint | boolean | Date | null | undefined;

/**
 * Rows with a column for each field: objects; the bytes of an Arrow stream or file, such as apache-arrow's `tableToIPC`
 * makes; a `Table`; or a CSV file by `{ path }` or a `file:` URL, whose cells are all texts, so that no digit is lost. A bare text
 * opens no file: it may come from elsewhere.
 */
export type Rows = Iterable<Readonly<Record<string, CellValue>>> | Uint8Array | Table | { path: string | URL } | URL;

/** The outcome of each row of `importMembers` or `createMembersFrom`, in the order of the rows. */
export interface ImportReport extends ImportFacts {}
export declare class ImportReport {
  private constructor();
  /** How many rows there are. */
  readonly length: number;
  /**
   * What became of each row: the columns `row` (counted from 0), `status` (`created`, `updated`, `unchanged`, `exists`, `refused`,
   * `unknown` or `not_sent`), `id`, `reason` and `attributed` (by the service's `answer`, or by having `read_back` the members).
   */
  readonly rows: Table;
  /** How many, never who: rows are about people. They are in `rows`. */
  toString(): string;
}

declare abstract class Plan {
  protected constructor();
  /** What would change: the columns `row`, `member`, `field`, `old` and `new`. Values of every type are texts. */
  readonly changes: Table;
  /** How much would change, never what: values are about people. They are in `changes`. */
  toString(): string;
}

/** What rows would change. Nothing is sent before `apply`. */
export interface UpdatePlan extends PlanFacts {}
export declare class UpdatePlan extends Plan {
  private constructor();
  /**
   * Sends what differs, in chunks, and stops at the first that fails. A call whose answer was lost is repeated: a change has
   * the same effect twice. What changed in the panel since the plan is not seen, so apply it soon.
   */
  apply(options?: { signal?: AbortSignal | undefined }): Promise<UpdateReport>;
}

/** What rows would change. Nothing is sent before `apply`, which blocks. */
export interface BlockingUpdatePlan extends PlanFacts {}
export declare class BlockingUpdatePlan extends Plan {
  private constructor();
  /** Sends what differs, in chunks, and stops at the first that fails. Blocks. */
  apply(): UpdateReport;
}

declare abstract class PlannedMessage {
  protected constructor();
  /** How many get the message, why others do not, what it costs, and the token. It names nobody. */
  toString(): string;
}

/** A message that would be sent. Nothing is sent before `run`. */
export interface MessagePlan extends MessagePlanFacts {}
export declare class MessagePlan extends PlannedMessage {
  private constructor();
  /**
   * Reads the audience again, and sends the message to `members` if it is still the same. `confirm` is `token`, given back by
   * whoever agrees. A rejection: nothing was sent. The token is another one, the plan is too old or was run before, the audience
   * has changed (the error says how), or the service refused. Once it may have been sent, the report says so, and the plan does
   * not run again.
   */
  run(options: { confirm: string; signal?: AbortSignal | undefined }): Promise<MessageReport>;
}

/** A message that would be sent. Nothing is sent before `run`, which blocks. */
export interface BlockingMessagePlan extends MessagePlanFacts {}
export declare class BlockingMessagePlan extends PlannedMessage {
  private constructor();
  /** Reads the audience again, and sends the message if it is still the same: see `MessagePlan.run`. Blocks. */
  run(options: { confirm: string }): MessageReport;
}
