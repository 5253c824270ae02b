import type { Table } from './table.js';

/** A value of a member's field. A `Date` becomes its time in UTC. */
export type CellValue = string | number | bigint | boolean | Date | null | undefined;

/** A row: an object, or a `Map` of its fields. */
export type GivenRow = Readonly<Record<string, CellValue>> | ReadonlyMap<string, CellValue>;

/**
 * A CSV file. Its separator (a sign, or `"tab"`), its encoding and its decimal sign are recognised, and can be named. `guarded` says whether
 * texts have the sign `'` before them that a file with `spreadsheet` has; without it a file with such texts is refused.
 */
export interface CsvFile {
  path: string | URL;
  separator?: string;
  encoding?: string;
  decimal?: '.' | ',';
  guarded?: boolean;
}

/**
 * A sheet of a workbook (.xlsx). Default: the first that is shown. `decimal` is the sign of numbers in cells of text; default: it is
 * recognised, or the rows are refused.
 */
export interface Workbook {
  path: string | URL;
  sheet?: string;
  decimal?: '.' | ',';
}

/**
 * Rows with a column for each field: objects; the bytes of an Arrow stream or file, for example from apache-arrow's `tableToIPC`;
 * a `Table`; or a CSV file or a workbook (.xlsx) by `{ path }` or a `file:` URL, whose cells are all texts, so that no digit is lost. A string is never
 * opened as a file, because it may be somebody else's input.
 */
export type BlockingRows = Iterable<GivenRow> | Uint8Array | Table | CsvFile | Workbook | URL;

/** The same, or rows of an async iterable: a cursor of a database, a stream of objects. All are read before the first call. */
export type Rows = BlockingRows | AsyncIterable<GivenRow>;
