import type { TableMethods } from './bases.js';
import type { AnswerCodes, FileOptions } from './options.js';

/** Labels instead of codes (`true`), in addition to them (`'both'`), or none (`false`, the default). */
export type Labels = boolean | 'both';

/** A cell of a table, as an object's property. */
export type Cell = string | number | bigint | boolean | Date | string[] | null;

/** A row of a table, as an object. */
export type Row = Record<string, Cell>;

/** Interviews or members as a table. Its rows stay in Arrow's format until they are requested. */
export interface Table extends TableMethods {}
export declare class Table implements Iterable<Row> {
  private constructor();
  /** The number of rows. */
  readonly numRows: number;
  /** The codebook of all columns, as Markdown. */
  codebook(): string;
  /** The codes of a column with their labels, in the questionnaire's order; empty if the code plan has none. */
  values(column: string): Map<number | bigint | string, string>;
  /** The same rows with labels, without another download. */
  withLabels(labels: Labels): Table;
  /**
   * The same rows, in which these codes mean a missing answer: for all questions (`-99`, `[98, 99]`), but not for open texts, or by
   * column or question, where `'*'` stands for all: `{ income: [98, 99], q7: { from: 96, to: 99 } }`. They become missing values
   * (`null`) or stay (`code`); with `reason`, a column `NAME_missing` beside each question has why, for example `not_asked`.
   */
  withMissing(codes: AnswerCodes | Readonly<Record<string, AnswerCodes>>, options?: { show?: 'null' | 'code' | 'reason' | undefined }): Table;
  /** Writes the table in its current view to a file, completely or not at all. Returns its size in bytes. */
  toFile(path: string | URL, options?: Pick<FileOptions, 'format' | 'shared' | 'spreadsheet' | 'separator'>): Promise<number>;
  /**
   * The rows as an Arrow IPC stream: `tableFromIPC(table.toIPC())` of `apache-arrow` reads it without copying it.
   * Integers are `bigint` there, times have microseconds, labels are dictionaries.
   */
  toIPC(): Buffer;
  /** The table that `toBytes` wrote. */
  static fromBytes(bytes: Uint8Array): Table;
  /** The rows as objects, for a few rows. For many, use `toIPC()`. */
  rows(): Generator<Row, void, undefined>;
  [Symbol.iterator](): Generator<Row, void, undefined>;
}
