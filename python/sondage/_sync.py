"""Stores that are kept equal to a query: files, and tables of a database through the caller's connection."""

from __future__ import annotations

from os import PathLike, fsencode
from time import monotonic
from typing import cast

from ._reports import store_changes_of, sync_report_of
from ._warned import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from ._files import Path
    from ._native import Handle
    from ._reports import SyncReport
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

    return of_connection(store, table or f"survey_{survey}")


def stored(database: Database) -> dict[str, Any]:
    """What a database has, for the question what has changed."""
    state, ids = database.read()
    return {"store": database.name, "format": database.format, "state": state, "ids": ids}


def applied(database: Database, changes: Handle) -> SyncReport:
    """Stores the changes in one transaction."""
    try:
        facts = store_changes_of(cast("dict[str, Any]", changes.method("facts")))
        database.write(facts)
    finally:
        changes.method("drop")
    tell(facts.report.warnings, set())
    return facts.report._replace(took=monotonic() - database.begun)
