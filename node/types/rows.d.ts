import type { Table } from './table.js';

/** A value of a member's field. A `Date` becomes its time in UTC. */
export type CellValue = string | number | bigint | boolean | Date | null | undefined;

/**
 * Rows with a column for each field: objects; the bytes of an Arrow stream or file, for example from apache-arrow's `tableToIPC`;
 * a `Table`; or a CSV file by `{ path }` or a `file:` URL, whose cells are all texts, so that no digit is lost. A string is never
 * opened as a file, because it may be somebody else's input.
 */
export type Rows = Iterable<Readonly<Record<string, CellValue>>> | Uint8Array | Table | { path: string | URL } | URL;
