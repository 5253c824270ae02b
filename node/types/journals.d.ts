/**
 * Keeps the journal of a job somewhere else than in a file, for example in a table of a database: pass it as `journal`. Its
 * functions may return promises, and are called one at a time.
 *
 * A line is text without line breaks. Keep them unchanged and in order: each is sealed together with those before it. What a
 * function throws ends the job before anything more is sent, and is the cause of the error. A blocking client takes paths only.
 */
export interface JournalStore {
  /**
   * Returns every line, in order, and locks the journal, so that no other process runs the same job. If another process has it,
   * throw an error whose `code` is `EBUSY`.
   */
  open(): Promise<Iterable<string>> | Iterable<string>;
  /** Appends lines. When it is done, they survive a power failure. */
  append(lines: readonly string[]): Promise<unknown> | unknown;
  /** Removes the last line. */
  forgetLast(): Promise<unknown> | unknown;
  /** Removes every line: the job is complete and reported. */
  clear(): Promise<unknown> | unknown;
  /** Unlocks the journal, which may be opened again. */
  close(): Promise<unknown> | unknown;
}
