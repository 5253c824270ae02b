'use strict';
// Tables of PostgreSQL that are kept equal to a query: rows, removals and state in one transaction of the caller's connection.

const { createReadStream } = require('node:fs');
const { createInterface } = require('node:readline');

const { invalid } = require('./fail.js');

const STATE = 'sondage_sync';
const VALUES = 'sondage_values';
const LABELS = 'sondage_labels';
const LINES = 1000;

const TYPES = {
  boolean: 'boolean',
  integer: 'bigint',
  number: 'double precision',
  text: 'text',
  date: 'date',
  'time in microseconds': 'timestamptz',
  'time in nanoseconds': 'timestamptz',
};

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

/** A table of PostgreSQL, beside it the tables of its state, its codes and its labels. */
class PostgreSql {
  #client;
  #table;
  #prefix;

  constructor(client, table) {
    const [, schema, name] = /^(?:(.*)\.)?([^.]*)$/s.exec(table);
    this.#client = client;
    this.#table = name;
    this.#prefix = schema === undefined ? '' : `${quoted(schema)}.`;
    this.name = `the table \`${table}\``;
  }

  get #place() {
    return this.#own(this.#table);
  }

  #own(table) {
    return this.#prefix + quoted(table);
  }

  async #run(statement, ...values) {
    const { rows } = await this.#client.query(statement, values);
    return rows;
  }

  async #transaction(work) {
    // Outside of a transaction, each statement is one of its own.
    const { rows } = await this.#client.query('SELECT now() <> statement_timestamp() AS open');
    if (rows[0].open) {
      throw invalid(`the connection has an open transaction, so ${this.name} was not changed. Commit it or roll it back first`);
    }
    try {
      await this.#run('BEGIN');
      const result = await work();
      await this.#run('COMMIT');
      return result;
    } catch (error) {
      let isLost = false;
      try {
        await this.#run('ROLLBACK');
      } catch {
        isLost = true;
      }
      if (!isLost && typeof error?.severity !== 'string') throw error;
      // The text of a database's error may repeat a value.
      const which = typeof error?.severity === 'string' ? `SQLSTATE ${error.code}` : (error?.code ?? error?.name);
      if (isLost) {
        throw invalid(
          `the connection to the database has ended (${which}), so it is unknown whether ${this.name} was changed: it has all of the ` +
            'changes or none. Sync again: it continues from what is stored',
        );
      }
      throw invalid(`${this.name} was not changed, because the database refused it (${which})`);
    }
  }

  async #exists(table) {
    const [{ found }] = await this.#run('SELECT to_regclass($1) IS NOT NULL AS found', this.#own(table));
    return found;
  }

  /** The columns of the table in their order, with their types. */
  async #columnTypes() {
    const rows = await this.#run(
      'SELECT attname, format_type(atttypid, atttypmod) AS type FROM pg_attribute ' +
        'WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum',
      this.#place,
    );
    return new Map(rows.map(({ attname, type }) => [attname, type]));
  }

  async #columns() {
    return [...(await this.#columnTypes()).keys()];
  }

  /** The state, the ids of all rows, and the columns. */
  read() {
    return this.#transaction(async () => {
      const found = (await this.#exists(STATE))
        ? await this.#run(`SELECT state FROM ${this.#own(STATE)} WHERE name = $1`, this.#table)
        : [];
      const there = await this.#exists(this.#table);
      if (found.length === 0) {
        if (!there) return { ids: [] };
        throw invalid(
          `${this.name} exists and was not made by a sync, so it was not changed. Give another name as \`table\`, or remove it`,
        );
      }
      const columns = await this.#columns();
      const id = columns.find((name) => name.toLowerCase() === 'id');
      if (id === undefined) {
        throw invalid(
          `${this.name} or its column of ids was removed, and its state was not, so nothing was changed. Restore it, or delete its ` +
            `row from ${STATE} and sync again`,
        );
      }
      const rows = await this.#run(`SELECT ${quoted(id)}::text AS id FROM ${this.#place}`);
      return { state: found[0].state, ids: rows.map((row) => row.id), columns };
    });
  }

  /** Stores changes. */
  async write(facts) {
    if (facts.isEmpty) return;
    const typed = facts.columns.filter(({ kind }) => kind !== 'null');
    await this.#transaction(async () => {
      await this.#lock(facts.number);
      await this.#load(facts);
      await this.#shape(facts, typed);
      await this.#replace(facts, typed);
      await this.#describe(facts);
    });
  }

  /** Removes rows, and stores the state. */
  async erase({ removed, number, state }) {
    if (removed.length === 0) return;
    await this.#transaction(async () => {
      await this.#lock(number);
      const id = (await this.#columns()).find((name) => name.toLowerCase() === 'id');
      await this.#run(`DELETE FROM ${this.#place} WHERE ${quoted(id)}::text = ANY($1::text[])`, removed);
      await this.#run(`UPDATE ${this.#own(STATE)} SET number = $2, state = $3 WHERE name = $1`, this.#table, Number(number) + 1, state);
    });
  }

  async #lock(number) {
    // Also before the first sync has made a row that could be locked.
    await this.#run('SELECT pg_advisory_xact_lock(hashtext($1))', `sondage ${this.#place}`);
    const tables = [
      [STATE, 'name VARCHAR PRIMARY KEY, number BIGINT NOT NULL, state VARCHAR NOT NULL'],
      [VALUES, 'name VARCHAR, variable VARCHAR, code VARCHAR, label VARCHAR, place BIGINT'],
      [LABELS, 'name VARCHAR, variable VARCHAR, label VARCHAR'],
    ];
    for (const [table, columns] of tables) await this.#run(`CREATE TABLE IF NOT EXISTS ${this.#own(table)} (${columns})`);
    const found = await this.#run(`SELECT number FROM ${this.#own(STATE)} WHERE name = $1`, this.#table);
    if (Number(found[0]?.number ?? 0) !== Number(number)) {
      throw invalid(`another sync has written ${this.name} meanwhile, so this one has changed nothing. Run it again`);
    }
  }

  async #load({ columns, file }) {
    const long = columns.find(({ name }) => Buffer.byteLength(name) > 63);
    if (long !== undefined) {
      throw invalid(
        `the column \`${long.name}\` has a name beyond the 63 bytes of PostgreSQL, so ${this.name} was not changed. Select the ` +
          'columns by `fields`',
      );
    }
    const types = columns.map(({ name, kind }) => `${quoted(name)} ${TYPES[kind] ?? 'text'}`);
    await this.#run(`CREATE TEMPORARY TABLE sondage_changes (${types.join(', ')}) ON COMMIT DROP`);
    const insert = (lines) =>
      this.#run(
        'INSERT INTO sondage_changes SELECT * FROM json_populate_recordset(NULL::sondage_changes, $1)',
        `[${lines.join(',')}]`,
      );
    let lines = [];
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (lines.push(line) === LINES) {
        await insert(lines);
        lines = [];
      }
    }
    if (lines.length > 0) await insert(lines);
  }

  /** Gives the table its columns. */
  async #shape({ id, dropped }, typed) {
    if (!(await this.#exists(this.#table))) {
      const columns = typed.map(({ name, kind }) => `${quoted(name)} ${TYPES[kind]}`);
      await this.#run(`CREATE TABLE ${this.#place} (${columns.join(', ')}, PRIMARY KEY (${quoted(id)}))`);
      return;
    }
    for (const name of dropped) await this.#run(`ALTER TABLE ${this.#place} DROP COLUMN ${quoted(name)}`);
    const present = await this.#columnTypes();
    for (const { name, kind } of typed) {
      const expected = TYPES[kind].replace('timestamptz', 'timestamp with time zone');
      const type = present.get(name) ?? expected;
      if (type !== expected) {
        throw invalid(
          `the column \`${name}\` of ${this.name} has the type ${type}, and the sync made it ${expected}: values would change, so ` +
            'nothing was changed. Give the column its type again, or sync into another table',
        );
      }
      if (!present.has(name)) await this.#run(`ALTER TABLE ${this.#place} ADD COLUMN ${quoted(name)} ${TYPES[kind]}`);
    }
  }

  async #replace({ id, columns, removed }, typed) {
    const { kind } = columns.find(({ name }) => name === id);
    await this.#run(`DELETE FROM ${this.#place} WHERE ${quoted(id)} = ANY($1::${TYPES[kind]}[])`, removed);
    const names = typed.map(({ name }) => quoted(name));
    const others = names.filter((name) => name !== quoted(id)).map((name) => `${name} = EXCLUDED.${name}`);
    const then = others.length > 0 ? `UPDATE SET ${others.join(', ')}` : 'NOTHING';
    await this.#run(
      `INSERT INTO ${this.#place} (${names.join(', ')}) SELECT ${names.join(', ')} FROM sondage_changes ` +
        `ON CONFLICT (${quoted(id)}) DO ${then}`,
    );
  }

  /** Stores codes, labels and state. */
  async #describe({ values, columns, number, state }) {
    for (const table of [VALUES, LABELS, STATE]) {
      await this.#run(`DELETE FROM ${this.#own(table)} WHERE name = $1`, this.#table);
    }
    const insert = (table, ...cells) =>
      this.#run(`INSERT INTO ${this.#own(table)} VALUES (${cells.map((_, i) => `$${i + 1}`).join(', ')})`, ...cells);
    for (const { column, code, label, place } of values) await insert(VALUES, this.#table, column, code, label, Number(place));
    for (const { name, label } of columns) {
      if (label !== undefined && label !== null) await insert(LABELS, this.#table, name, label);
    }
    await insert(STATE, this.#table, Number(number) + 1, state);
  }
}

/** The table that a client of `pg` leads to; nothing for a path. */
exports.tableIn = function tableIn(store, table, usual) {
  if (typeof store?.query !== 'function') {
    if (table !== undefined) throw invalid('options.table is for a database, not for a file');
    return undefined;
  }
  if (typeof store.totalCount === 'number') {
    throw invalid('a sync needs one connection: pass a client of the pool, from `await pool.connect()`');
  }
  return new PostgreSql(store, table ?? usual);
};
