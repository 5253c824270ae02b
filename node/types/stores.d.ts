/**
 * Keeps the journal of a job somewhere else than in a file, for example in a table of a database: pass it as
 * `journal`.
 *
 * The methods may return promises, and are called one at a time. A blocking client takes paths only.
 *
 * A line is text without line breaks. Keep them unchanged and in order: each is sealed together with those
 * before it. An error of a method ends the job before anything more is sent, and is the cause of the job's
 * own error.
 */
export interface JournalStore {
  /**
   * Returns every line, in order, and locks the journal, so that no other process runs the same job. If
   * another process has it, throw an error whose `code` is `EBUSY`.
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

/**
 * Stores tokens, for example in Redis, a database or a vault. Each key belongs to one identity, so entries
 * must be kept apart. They are secret. The methods may return promises.
 */
export interface TokenStore {
  /** Returns the entry of a key; nothing if there is none. */
  load(key: string): Promise<string | null | undefined> | string | null | undefined;
  /** Saves the entry of a key, replacing an earlier one. */
  save(key: string, tokens: string): Promise<unknown> | unknown;
  /** Removes the entry of a key, if there is one. */
  forget(key: string): Promise<unknown> | unknown;
}
