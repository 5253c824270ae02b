import type { TableMethods } from './bases.js';
import type { SavedFile } from './downloads.js';
import type { AnswerCodes, FileOptions } from './options.js';
import type { Comparison, Crosstab, Frequencies, Quality } from './reports.js';
import type { Int } from './values.js';

/** Labels instead of codes (`true`), in addition to them (`'both'`), or none (`false`, the default). */
export type Labels = boolean | 'both';

/** How answers are counted. */
export interface FrequenciesOptions {
  /** A column of numbers. Rows in which it is missing or 0 are left out and counted. */
  weight?: string | undefined;
  /** Whether the reasons for which answers are missing follow the answers. */
  missing?: boolean | undefined;
}

/** How pairs of answers are counted. */
export interface CrosstabOptions extends FrequenciesOptions {
  /** The column whose answers are the columns, or the code of a question of several choices. */
  by: string;
  /** What text and HTML show. Default: counts, or with a weight their weights, and `col%`. */
  show?: readonly ('n' | 'weighted' | 'row%' | 'col%' | 'total%' | 'expected')[] | undefined;
}

/** How interviews that may not be worth counting are found. */
export interface QualityOptions {
  /** The column of how long an interview took, in seconds. Default: the time from `StartDate` to `EndDate`. */
  duration?: string | undefined;
  /** Who was faster than this share of the median duration is marked. Default: 40. */
  speederPercent?: number | undefined;
  /** How many rows of a matrix must have an answer for it to be examined for straight-lining. Default: 5. */
  matrixRows?: number | undefined;
  /** How many characters an open answer must have to be compared with those of other interviews. Default: 20. */
  textLength?: number | undefined;
  /** Who has this share of closed questions that are not available is marked. Default: 50. */
  notAvailablePercent?: number | undefined;
}

/** A cell of a table, as an object's property. */
export type Cell = string | number | bigint | boolean | Date | string[] | null;

/** A row of a table, as an object. */
export type Row = Record<string, Cell>;

/**
 * Interviews or members as a table. Its rows stay in Arrow's format until they are requested.
 *
 * Its methods that return no promise work on the event loop: for tables of more than some ten thousand rows, call `rows()`, `withLabels()`,
 * `toIPC()` and `toBytes()` in a worker thread (`Table.fromBytes`), or read batches.
 */
export interface Table extends TableMethods {}
export declare class Table implements Iterable<Row> {
  private constructor();
  /** The number of rows. */
  readonly numRows: number;
  /**
   * The codebook of all columns: questions, codes and labels.
   *
   * - `format`: `'markdown'` (the default), or `'html'`: a page without scripts.
   * - `frequencies`: whether to count how often each code was answered; with `weight`, a column of weights.
   */
  codebook(options?: {
    format?: 'markdown' | 'html' | undefined;
    frequencies?: boolean | undefined;
    weight?: string | undefined;
  }): string;
  /**
   * The text of a column's question, with the row of a matrix and the choice of a multiple choice, or one of these parts; `null` if the
   * code plan has none.
   */
  label(column: string, part?: 'question' | 'row' | 'choice'): string | null;
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
  /** How often each answer of a column was given, or of a question of several choices by its code. Numbers are summarised. */
  frequencies(variable: string, options?: FrequenciesOptions): Frequencies;
  /** How often each pair of answers to two questions was given, with margins, bases and a test of independence. */
  crosstab(variable: string, options: CrosstabOptions): Crosstab;
  /** Marks complete interviews that may not be worth counting, and counts where others were broken off. */
  quality(options?: QualityOptions): Quality;
  /**
   * Writes the table in its current view to a file, completely or not at all. Files of SPSS and Stata have codes, labels and declared
   * missing codes, whatever the view is; `withMissing(codes, { show: 'code' })` declares codes.
   */
  toFile(path: string | URL, options?: Pick<FileOptions, 'format' | 'shared' | 'spreadsheet' | 'separator' | 'decimal' | 'bom'>): Promise<SavedFile>;
  /**
   * The rows as an Arrow IPC stream: `tableFromIPC(table.toIPC())` of `apache-arrow` reads it without copying it.
   * Integers are `bigint` there, times have microseconds, labels are dictionaries.
   */
  toIPC(): Buffer;
  /**
   * How the questions of this table differ from those of a later one: columns, types, texts, codes and labels. A change is breaking if
   * numbers of both must not be compared before somebody has looked at it. The rows are not looked at: `query.head(1)` is enough.
   */
  compare(later: Table): Comparison;
  /**
   * One table of several waves, with a column `wave` in front: `Table.stack({ 2025: earlier, 2026: later })`. Answers are aligned by their
   * labels: if a label had another code in an earlier wave, it gets that code, so that a code means the same in every row. A column that a
   * wave does not have is missing in its rows, and a warning says so. What does not fit is an error that lists all of it.
   *
   * `crosswalk`: what is the same although it looks different. For each wave, its columns with their name in the table, or with their codes
   * and those of the table: `{ 2026: { Q1_new: 'Q1', Q2: { 3: 1 } } }`.
   */
  static stack(
    waves: { readonly [wave: string]: Table },
    options?: { crosswalk?: { readonly [wave: string]: { readonly [column: string]: string | { readonly [code: string]: Int | string } } } | undefined }
  ): Table;
  /** The table that `toBytes` wrote. */
  static fromBytes(bytes: Uint8Array): Table;
  /** The rows as objects, for a few rows. For many, use `toIPC()`. */
  rows(): Generator<Row, void, undefined>;
  [Symbol.iterator](): Generator<Row, void, undefined>;
}
