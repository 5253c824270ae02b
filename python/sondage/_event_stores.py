"""Stores of events: what the core asks of one that the caller provides, and one in a file of SQLite."""

from __future__ import annotations

from contextlib import closing, contextmanager
from os import PathLike, fspath

from ._convert import wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from sqlite3 import Connection
    from typing import Any, Literal

    from ._stores import EventStore

_METHODS = ("claim", "done", "release", "is_done", "keys", "prune")
_STATES = ("new", "done", "busy")


class AskedEvents:
    """Calls a store of the caller's, and checks what it answers: an unclear answer must not count as permission."""

    def __init__(self, store: EventStore) -> None:
        missing = next((name for name in _METHODS if not callable(getattr(store, name, None))), None)
        if missing is not None:
            what = f"`store` is of the type {type(store).__name__}, which has no method `{missing}`"
            raise wrong(what, "Give an object with the methods of `sondage.webhooks.EventStore`.")
        self.store = store

    def __call__(self, what: str, keys: list[str], owner: str, number: float) -> Any:
        method = getattr(self.store, what)
        if what == "claim":
            state = method(keys, owner, number)
            return state if state in _STATES else _unclear(what, state, "one of `new`, `done` and `busy`")
        if what == "is_done":
            known = method(keys[0])
            return known if isinstance(known, bool) else _unclear(what, known, "a truth value")
        if what == "keys":
            return list(method())
        if what == "prune":
            from datetime import datetime, timezone

            return method(datetime.fromtimestamp(number, timezone.utc))
        none = method(keys, owner) if what == "release" else method(keys)
        return True if none is None else _unclear(what, none, "nothing")


def _unclear(what: str, answer: object, expected: str) -> None:
    close = getattr(answer, "close", None)
    if hasattr(answer, "__await__") and close is not None:
        close()  # a coroutine that nobody awaits warns about that
    raise TypeError(f"`{what}` returned a value of the type {type(answer).__name__}, not {expected}")


class SqliteStore:
    """Remembers events in a file of SQLite, which all workers of one machine share: `Guard(store=SqliteStore("events.sqlite"))`.

    It needs nothing but Python. The file is created if it is missing, and only its owner can read it. It has a table `sondage_events`, so it
    can be a database that has other tables too.

    Args:
        path: The file.
        timeout: How many seconds to wait for other workers.
    """

    def __init__(self, path: str | PathLike[str], *, timeout: float = 30) -> None:
        self._path = fspath(path)
        self._timeout = timeout
        with self._transaction():  # whether it can be used shows now, not when the first event arrives
            pass

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """A connection for each transaction: it belongs to one thread, survives no fork, and a file that comes back is found."""
        import os
        import sqlite3

        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(sqlite3.connect(self._path, timeout=self._timeout, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS sondage_events (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL, done REAL)"
            )
            yield connection
            connection.execute("COMMIT")  # without it, closing rolls back

    def claim(self, keys: list[str], owner: str, lease: float, /) -> Literal["new", "done", "busy"]:
        """Claims all of the keys, or none."""
        from time import time

        now = time()
        with self._transaction() as connection:
            found = [connection.execute("SELECT done, until FROM sondage_events WHERE key = ?", [key]).fetchone() for key in keys]
            if any(row is not None and row[0] is not None for row in found):
                return "done"
            if any(row is not None and row[1] > now for row in found):
                return "busy"
            rows = [(key, owner, now + lease) for key in keys]
            connection.executemany("INSERT OR REPLACE INTO sondage_events (key, owner, until) VALUES (?, ?, ?)", rows)
            return "new"

    def done(self, keys: list[str], /) -> None:
        """Marks keys as done."""
        from time import time

        now = time()
        with self._transaction() as connection:
            connection.executemany(
                "INSERT INTO sondage_events (key, owner, until, done) VALUES (?, '', 0, ?)"
                " ON CONFLICT (key) DO UPDATE SET done = coalesce(done, excluded.done)",
                [(key, now) for key in keys],
            )

    def release(self, keys: list[str], owner: str, /) -> None:
        """Gives keys back that this owner has claimed."""
        with self._transaction() as connection:
            given = [(key, owner) for key in keys]
            connection.executemany("DELETE FROM sondage_events WHERE key = ? AND owner = ? AND done IS NULL", given)

    def is_done(self, key: str, /) -> bool:
        """Whether a key is done."""
        with self._transaction() as connection:
            return connection.execute("SELECT 1 FROM sondage_events WHERE key = ? AND done IS NOT NULL", [key]).fetchone() is not None

    def keys(self) -> list[str]:
        """The keys that are done, the oldest first."""
        with self._transaction() as connection:
            rows = connection.execute("SELECT key FROM sondage_events WHERE done IS NOT NULL ORDER BY done, key")
            return [key for (key,) in rows]

    def prune(self, before: datetime, /) -> int:
        """Forgets what was done, and claims that ended, before a time."""
        with self._transaction() as connection:
            return connection.execute("DELETE FROM sondage_events WHERE coalesce(done, until) < ?", [before.timestamp()]).rowcount
