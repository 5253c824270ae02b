"""Stores that are kept equal to a query: files, and tables of a database through the caller's connection."""

from __future__ import annotations

from os import PathLike, fsencode
from time import monotonic
from typing import cast

from ._reports import erased_rows_of, store_changes_of, store_erasure_of, sync_report_of
from ._warned import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from ._files import Path
    from ._native import Handle
    from ._reports import StoreErasure, SyncReport
    from ._sync_databases import Database

    Store = Union[Path, Any]


def place(store: object) -> bytes:
    """The path of a file."""
    return fsencode(cast("Path", store))


def synced(told: dict[str, Any]) -> SyncReport:
    report = sync_report_of(told)
    tell(report.warnings, set())
    return report


def database(store: Store, table: str | None, survey: int) -> Database | None:
    """The database that a connection leads to; `None` for a path."""
    if isinstance(store, (str, PathLike)):
        if table is not None:
            from ._errors import InvalidArgument

            raise InvalidArgument("`table` is for a database, not for a file")
        return None
    from ._sync_databases import of_connection

    if table == "":
        from ._errors import InvalidArgument

        raise InvalidArgument("`table` is empty: name a table, or leave it out")
    return of_connection(store, table or f"survey_{survey}")


def stored(database: Database) -> dict[str, Any]:
    """What a database has, for the question what has changed."""
    state, ids, columns = database.read()
    return {"store": database.name, "format": database.format, "state": state, "ids": ids, "columns": columns}


def applied(database: Database, changes: Handle) -> SyncReport:
    """Stores the changes in one transaction."""
    try:
        facts = store_changes_of(cast("dict[str, Any]", changes.method("facts")))
        database.write(facts)
    finally:
        changes.method("drop")
    tell(facts.report.warnings, set())
    return facts.report._replace(took=monotonic() - database.begun)


def erase_from_store(receipt: Path, store: Store, *, table: str | None = None, shared: bool = False) -> StoreErasure:
    """Removes the interviews of an erased person from a store that `sync` keeps: those that the receipt of the erasure lists.

    The rows and the state of the store change together, or not at all, and the next sync finds nothing to remove. A store of another
    survey or account, or that somebody has altered, is an error, and nothing is removed.

    Args:
        receipt: The receipt that `erase_person` has written.
        store: As for `sync`: the path of a file, or a connection of duckdb or psycopg without an open transaction.
        table: The table in the database. Required for a connection.
        shared: Whether a file gets the process's usual permissions. Otherwise only its owner can read it.
    """
    from ._native import make

    if table is None and not isinstance(store, (str, PathLike)):
        from ._errors import InvalidArgument

        raise InvalidArgument("`table` is required for a database: the table that a sync has made. Nothing was removed.")
    to = database(store, table, 0)
    if to is None:
        return store_erasure_of(make("erase_from_store", {"receipt": place(receipt), "path": place(store), "shared": shared}))
    state, ids, _ = to.read()
    rows = erased_rows_of(make("erased_rows", {"receipt": place(receipt), "store": to.name, "state": state, "ids": ids}))
    to.erase(rows)
    return rows.report
