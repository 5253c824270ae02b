import type { Table } from './table.js';

/** A result to look at. */
export interface Picture {
  /** A picture as SVG, without scripts, with a title and a description for screen readers, readable in light and dark. */
  toSvg(): string;
  /** A table of HTML with bars, without scripts. */
  toHtml(): string;
  /** Aligned text of at most 24 lines. */
  toText(): string;
  /** The result as a table in long form. */
  toTable(): Table;
}
