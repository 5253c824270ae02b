import type { Table } from './table.js';

/** A value of a member's field. A `Date` becomes its time in UTC. */
export type CellValue = string | number | bigint | boolean | Date | null | undefined;

/**
 * Rows with a column for each field: objects; the bytes of an Arrow stream or file, such as apache-arrow's `tableToIPC`
 * makes; a `Table`; or a CSV file by `{ path }` or a `file:` URL, whose cells are all texts, so that no digit is lost. A bare text
 * opens no file: it may come from elsewhere.
 */
export type Rows = Iterable<Readonly<Record<string, CellValue>>> | Uint8Array | Table | { path: string | URL } | URL;
