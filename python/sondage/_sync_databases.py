"""Tables that are kept equal to a query: rows, removals and state in one transaction of the caller's connection."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, contextmanager
from time import monotonic

from ._errors import InvalidArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ._reports import ErasedRows, StoreChanges

_STATE, _VALUES, _LABELS = "sondage_sync", "sondage_values", "sondage_labels"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def of_connection(connection: Any, table: str) -> Database:
    package = type(connection).__module__.partition(".")[0].lstrip("_")
    kinds: dict[str, type[Database]] = {"duckdb": DuckDb, "psycopg": PostgreSql}
    if package not in kinds:
        raise InvalidArgument(
            f"a sync writes to a path that ends in .parquet, or to a connection of duckdb or psycopg, not to {type(connection).__name__}"
        )
    return kinds[package](connection, table)


class Database(ABC):
    """A table of a database, beside it the tables of its state, its codes and its labels."""

    format = ""
    types: dict[str, str] = {}
    parameter = "?"

    def __init__(self, connection: Any, table: str) -> None:
        self.connection, self.begun = connection, monotonic()
        schema, _, name = table.rpartition(".")
        self.table = name
        self.prefix = f"{quoted(schema)}." if schema else ""
        self.place = self.prefix + quoted(name)
        self.name = f"the table `{table}`"

    @abstractmethod
    def run(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Runs a statement, and returns its rows."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """A transaction, which is rolled back by an exception."""

    @abstractmethod
    def load(self, facts: StoreChanges) -> None:
        """Makes the temporary table or view `sondage_changes` of the file."""

    @abstractmethod
    def unload(self) -> None:
        """Removes it."""

    @abstractmethod
    def column_types(self) -> dict[str, str]:
        """The columns of the table in their order, with their types in lower case."""

    def columns(self) -> list[str]:
        return list(self.column_types())

    def id_column(self) -> str | None:
        """The column that identifies a row."""
        return next((name for name in self.columns() if name.lower() == "id"), None)

    @abstractmethod
    def exists(self, table: str) -> bool:
        """Whether there is a table."""

    def own(self, table: str) -> str:
        return self.prefix + quoted(table)

    def read(self) -> tuple[str | None, list[str], list[str]]:
        """The state, the ids of all rows, and the columns."""
        with self.transaction():
            return self._read()

    def _read(self) -> tuple[str | None, list[str], list[str]]:
        state = None
        if self.exists(_STATE):
            found = self.run(f"SELECT state FROM {self.own(_STATE)} WHERE name = {self.parameter}", self.table)
            state = found[0][0] if found else None
        there = self.exists(self.table)
        if state is None and there:
            raise InvalidArgument(
                f"{self.name} exists and was not made by a sync, so it was not changed. Give another name as `table`, or remove it."
            )
        if state is None:
            return None, [], []
        column = self.id_column() if there else None
        if column is None:
            raise InvalidArgument(
                f"{self.name} or its column of ids was removed, and its state was not, so nothing was changed. Restore it, or "
                f"delete its row from {_STATE} and sync again."
            )
        ids = [row[0] for row in self.run(f"SELECT CAST({quoted(column)} AS VARCHAR) FROM {self.place}")]
        return state, ids, self.columns()

    def write(self, facts: StoreChanges) -> None:
        if facts.is_empty:
            return
        with self.transaction():
            self.locked(facts.number)
            typed = [column for column in facts.columns if column.kind != "null"]
            self.load(facts)
            self.shape(facts, typed)
            self.replace(facts, typed)
            self.describe(facts)
            self.unload()

    def erase(self, rows: ErasedRows) -> None:
        """Removes rows, and stores the state."""
        if not rows.removed:
            return
        with self.transaction():
            self.locked(rows.number)
            self.remove(quoted(self.id_column() or "Id"), rows.removed)
            self.run(f"DELETE FROM {self.own(_STATE)} WHERE name = {self.parameter}", self.table)
            self.insert(_STATE, self.table, rows.number + 1, rows.state)

    @abstractmethod
    def remove(self, id: str, removed: list[str]) -> None:
        """Removes the rows with these ids."""

    def locked(self, number: int) -> None:
        """Checks that no other sync has written the table since it was read."""
        for table, columns in [
            (_STATE, "name VARCHAR PRIMARY KEY, number BIGINT NOT NULL, state VARCHAR NOT NULL"),
            (_VALUES, "name VARCHAR, variable VARCHAR, code VARCHAR, label VARCHAR, place BIGINT"),
            (_LABELS, "name VARCHAR, variable VARCHAR, label VARCHAR"),
        ]:
            self.run(f"CREATE TABLE IF NOT EXISTS {self.own(table)} ({columns})")
        found = self.run(f"SELECT number FROM {self.own(_STATE)} WHERE name = {self.parameter}", self.table)
        if (found[0][0] if found else 0) != number:
            raise InvalidArgument(
                f"another sync has written {self.name} meanwhile, so this one has changed nothing. Run it again."
            )

    def shape(self, facts: StoreChanges, typed: list[Any]) -> None:
        """Gives the table its columns."""
        if not self.exists(self.table):
            columns = ", ".join(f"{quoted(one.name)} {self.types[one.kind]}" for one in typed)
            self.run(f"CREATE TABLE {self.place} ({columns}{self.key(facts.id)})")
            return
        for name in facts.dropped:
            self.run(f"ALTER TABLE {self.place} DROP COLUMN {quoted(name)}")
        present = self.column_types()
        for one in typed:
            expected = self.types[one.kind].lower().replace("timestamptz", "timestamp with time zone")
            if present.get(one.name, expected) != expected:
                raise InvalidArgument(
                    f"the column `{one.name}` of {self.name} has the type {present[one.name]}, and the sync made it {expected}: values "
                    "would change, so nothing was changed. Give the column its type again, or sync into another table."
                )
            if one.name not in present:
                self.run(f"ALTER TABLE {self.place} ADD COLUMN {quoted(one.name)} {self.types[one.kind]}")

    def key(self, id: str) -> str:
        return ""

    @abstractmethod
    def replace(self, facts: StoreChanges, typed: list[Any]) -> None:
        """Removes, replaces and adds rows."""

    def describe(self, facts: StoreChanges) -> None:
        """Stores codes, labels and state."""
        for table in (_VALUES, _LABELS, _STATE):
            self.run(f"DELETE FROM {self.own(table)} WHERE name = {self.parameter}", self.table)
        for one in facts.values:
            self.insert(_VALUES, self.table, one.column, one.code, one.label, one.place)
        for column in facts.columns:
            if column.label is not None:
                self.insert(_LABELS, self.table, column.name, column.label)
        self.insert(_STATE, self.table, facts.number + 1, facts.state)

    def insert(self, table: str, *values: Any) -> None:
        places = ", ".join([self.parameter] * len(values))
        self.run(f"INSERT INTO {self.own(table)} VALUES ({places})", *values)

    def refused(self, error: Exception, code: str | None, *, is_lost: bool = False) -> InvalidArgument:
        """`is_lost`: the connection has ended, so nobody knows whether the database has carried out the last statement."""
        # The text of a database's error may repeat a value.
        which = f"{type(error).__name__}{f', SQLSTATE {code}' if code else ''}"
        if is_lost:
            return InvalidArgument(
                f"the connection to the database has ended ({which}), so it is unknown whether {self.name} was changed: it has all of "
                "the changes or none. Sync again: it continues from what is stored."
            )
        return InvalidArgument(f"{self.name} was not changed, because the database refused it ({which})")


class DuckDb(Database):
    """A table of DuckDB."""

    format = "parquet"
    types = {
        "boolean": "BOOLEAN",
        "integer": "BIGINT",
        "number": "DOUBLE",
        "text": "VARCHAR",
        "date": "DATE",
        "time in microseconds": "TIMESTAMPTZ",
        "time in nanoseconds": "TIMESTAMPTZ",
    }

    def run(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = self.connection.execute(statement, list(parameters)).fetchall()
        return rows

    @contextmanager
    def transaction(self) -> Iterator[None]:
        import duckdb

        try:
            self.connection.execute("BEGIN")
        except duckdb.TransactionException:
            raise InvalidArgument(
                f"the connection has an open transaction, so {self.name} was not changed. Commit it or roll it back first."
            ) from None
        except duckdb.Error as error:
            raise self.refused(error, None) from None
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException as error:
            try:
                self.connection.execute("ROLLBACK")
            except duckdb.Error:
                pass  # It has been rolled back already.
            if isinstance(error, duckdb.Error):
                raise self.refused(error, None) from None
            raise

    def exists(self, table: str) -> bool:
        return bool(self._information("tables", "table_name", table))

    def column_types(self) -> dict[str, str]:
        return {name: kind.lower() for name, kind in self._information("columns", "column_name, data_type", self.table)}

    def _information(self, view: str, column: str, table: str) -> list[tuple[Any, ...]]:
        schema = self.prefix.strip('".')
        where = "table_schema = ?" if schema else "table_schema = current_schema()"
        given = [schema] if schema else []
        statement = (
            f"SELECT {column} FROM information_schema.{view} WHERE table_catalog = current_database() AND {where} AND table_name = ?"
        )
        return self.run(statement, *given, table)

    def load(self, facts: StoreChanges) -> None:
        # A view, which takes no parameters: DuckDB would hold a table in memory.
        file = str(facts.file).replace("'", "''")
        self.run(f"CREATE OR REPLACE TEMP VIEW sondage_changes AS SELECT * FROM read_parquet('{file}')")

    def unload(self) -> None:
        self.run("DROP VIEW sondage_changes")

    def replace(self, facts: StoreChanges, typed: list[Any]) -> None:
        id = quoted(facts.id)
        names = [quoted(one.name) for one in typed]
        listed = ", ".join(names)
        add = f"INSERT INTO {self.place} ({listed}) SELECT {listed} FROM sondage_changes"
        if facts.number == 0:
            self.run(add)
            return
        self.remove(id, facts.removed)
        # Rows stay where they are, because columns that somebody has added keep their values.
        if changed := ", ".join(f"{name} = changes.{name}" for name in names if name != id):
            self.run(f"UPDATE {self.place} AS stored SET {changed} FROM sondage_changes AS changes WHERE stored.{id} = changes.{id}")
        self.run(f"{add} WHERE {id} NOT IN (SELECT {id} FROM {self.place})")

    def remove(self, id: str, removed: list[str]) -> None:
        self.run(f"DELETE FROM {self.place} WHERE CAST({id} AS VARCHAR) IN (SELECT unnest(CAST(? AS VARCHAR[])))", removed)


class PostgreSql(Database):
    """A table of PostgreSQL."""

    format = "csv"
    types = {
        "boolean": "boolean",
        "integer": "bigint",
        "number": "double precision",
        "text": "text",
        "date": "date",
        "time in microseconds": "timestamptz",
        "time in nanoseconds": "timestamptz",
    }
    parameter = "%s"

    def run(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        cursor = self.connection.execute(statement, parameters or None)
        rows: list[tuple[Any, ...]] = cursor.fetchall() if cursor.description else []
        return rows

    @contextmanager
    def transaction(self) -> Iterator[None]:
        import psycopg

        if self.connection.closed:
            raise InvalidArgument(f"the connection is closed, so {self.name} was not changed. Give one that is open.")
        if self.connection.info.transaction_status is not psycopg.pq.TransactionStatus.IDLE:
            raise InvalidArgument(
                f"the connection has an open transaction, so {self.name} was not changed. Commit it or roll it back first."
            )
        try:
            with self.connection.transaction():
                yield
        except psycopg.Error as error:
            raise self.refused(error, error.sqlstate, is_lost=bool(self.connection.closed)) from None

    def exists(self, table: str) -> bool:
        return self.run("SELECT to_regclass(%s) IS NOT NULL", self.own(table)) == [(True,)]

    def column_types(self) -> dict[str, str]:
        columns = self.run(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
            "WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            self.place,
        )
        return dict(columns)

    def locked(self, number: int) -> None:
        # Also before the first sync has made a row that could be locked.
        self.run("SELECT pg_advisory_xact_lock(hashtext(%s))", f"sondage {self.place}")
        super().locked(number)

    def load(self, facts: StoreChanges) -> None:
        self.check(facts)
        types = {**self.types, "null": "text"}
        columns = ", ".join(f"{quoted(one.name)} {types[one.kind]}" for one in facts.columns)
        self.run(f"CREATE TEMPORARY TABLE sondage_changes ({columns}) ON COMMIT DROP")
        with self.connection.cursor() as cursor, open(facts.file, "rb") as file:
            with cursor.copy("COPY sondage_changes FROM STDIN WITH (FORMAT csv, HEADER true)") as copy:
                while chunk := file.read(1 << 16):
                    copy.write(chunk)

    def unload(self) -> None:
        self.run("DROP TABLE sondage_changes")

    def check(self, facts: StoreChanges) -> None:
        for one in facts.columns:
            if len(one.name.encode()) > 63:
                raise InvalidArgument(
                    f"the column `{one.name}` has a name beyond the 63 bytes of PostgreSQL, so {self.name} was not changed. Select the "
                    f"columns by `fields`."
                )

    def key(self, id: str) -> str:
        return f", PRIMARY KEY ({quoted(id)})"

    def replace(self, facts: StoreChanges, typed: list[Any]) -> None:
        id = quoted(facts.id)
        kind = self.types[next(one.kind for one in facts.columns if one.name == facts.id)]
        self.run(f"DELETE FROM {self.place} WHERE {id} = ANY(CAST(%s AS {kind}[]))", facts.removed)
        names = ", ".join(quoted(one.name) for one in typed)
        others = [quoted(one.name) for one in typed if one.name != facts.id]
        then = "UPDATE SET " + ", ".join(f"{name} = EXCLUDED.{name}" for name in others) if others else "NOTHING"
        self.run(
            f"INSERT INTO {self.place} ({names}) SELECT {names} FROM sondage_changes ON CONFLICT ({id}) DO {then}"
        )

    def remove(self, id: str, removed: list[str]) -> None:
        self.run(f"DELETE FROM {self.place} WHERE CAST({id} AS text) = ANY(CAST(%s AS text[]))", removed)
