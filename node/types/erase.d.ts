import type { PostgresClient } from './downloads.js';
import type { StoreErasure } from './reports.js';

/**
 * Removes the interviews of an erased person from a store that `sync` keeps: those that the receipt of the erasure lists.
 *
 * The rows and the state of the store change together, or not at all, and the next sync finds nothing to remove. A store of another
 * survey or account, or that somebody has altered, is an error, and nothing is removed.
 *
 * @param receipt The receipt that `erasePerson` has written.
 * @param store As for `sync`: the path of a file, or a client of `pg` without an open transaction, with the name of its table.
 */
export declare function eraseFromStore(
  receipt: string | URL,
  store: string | URL | PostgresClient,
  options?: {
    /** The table in the database. Required for a client. */
    table?: string | undefined;
    /** Whether a file gets the process's usual permissions. Otherwise only its owner can read it. */
    shared?: boolean | undefined;
  },
): Promise<StoreErasure>;
