// Remembers events of webhooks in PostgreSQL, for workers on any number of machines:
// `new webhooks.StoreGuard(await postgresStore(new pg.Pool({ ... })))`.

const TABLE = 'CREATE TABLE IF NOT EXISTS webhook_events (key text PRIMARY KEY, owner text, until timestamptz NOT NULL, done timestamptz)';
// Rows that others insert at the same time are waited for, in the order of their keys, so that nobody waits in a circle.
const CLAIM = `
  INSERT INTO webhook_events AS known (key, owner, until)
  SELECT key, $1, clock_timestamp() + make_interval(secs => $2) FROM unnest($3::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until
  WHERE known.done IS NULL AND known.until <= clock_timestamp()`;
const DONE = `
  INSERT INTO webhook_events AS known (key, until, done)
  SELECT key, clock_timestamp(), clock_timestamp() FROM unnest($1::text[]) AS key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET done = coalesce(known.done, excluded.done)`;

/**
 * What is used of a pool of the package pg, and of its clients.
 *
 * @typedef {{ query(text: string, values?: unknown[]): Promise<{ rowCount: number | null, rows: any[] }> }} Queries
 * @typedef {Queries & { on(event: 'error', listener: () => void): unknown }} Source
 * @typedef {Source & { off(event: 'error', listener: () => void): unknown, release(destroy?: boolean): void }} PoolClient
 * @typedef {Source & { connect(): Promise<PoolClient> }} Pool
 */

/**
 * @param {Pool} pool
 * @returns {Promise<import('sondage').webhooks.EventStore>}
 */
export async function postgresStore(pool) {
  // A connection that the server ends is replaced; without a listener, Node.js would end the process. The query fails by itself.
  const lost = () => {};
  pool.on('error', lost);
  /** Does something in a transaction: all of it, or nothing. @template T @param {(client: PoolClient) => Promise<T>} work */
  const transaction = async (work) => {
    const client = await pool.connect();
    client.on('error', lost);
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      client.off('error', lost);
      client.release();
      return result;
    } catch (error) {
      client.release(true); // the connection ends, and with it the transaction
      throw error;
    }
  };
  await transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(7237)'); // two workers cannot create one table at the same time
    await client.query(TABLE);
  });
  return {
    claim: (keys, owner, lease) =>
      transaction(async (client) => {
        const claimed = await client.query(CLAIM, [owner, lease / 1000, keys]);
        if (claimed.rowCount === keys.length) return 'new';
        await client.query('ROLLBACK'); // all of the keys, or none
        await client.query('BEGIN');
        const done = await client.query('SELECT 1 FROM webhook_events WHERE key = ANY($1) AND done IS NOT NULL', [keys]);
        return done.rowCount ? 'done' : 'busy';
      }),
    async done(keys) {
      await pool.query(DONE, [keys]);
    },
    async release(keys, owner) {
      await pool.query('DELETE FROM webhook_events WHERE key = ANY($1) AND owner = $2 AND done IS NULL', [keys, owner]);
    },
    async isDone(key) {
      return (await pool.query('SELECT 1 FROM webhook_events WHERE key = $1 AND done IS NOT NULL', [key])).rowCount === 1;
    },
    async keys() {
      const { rows } = await pool.query('SELECT key FROM webhook_events WHERE done IS NOT NULL ORDER BY done, key');
      return rows.map(({ key }) => key);
    },
    async prune(before) {
      return (await pool.query('DELETE FROM webhook_events WHERE coalesce(done, until) < $1', [before])).rowCount ?? 0;
    },
  };
}
