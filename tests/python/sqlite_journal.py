"""A journal in a table of SQLite, as a program would keep it in its own database: `open` holds it for one process."""

from __future__ import annotations

import sqlite3
from os import PathLike


class SqliteJournal:
    def __init__(self, path: str | PathLike[str]) -> None:
        # Jobs call it from threads of their own, one at a time.
        self.database = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self.database.execute("CREATE TABLE IF NOT EXISTS journal (number INTEGER PRIMARY KEY, line TEXT NOT NULL)")
        self.is_open = False

    def open(self) -> list[str]:
        if self.is_open:
            raise BlockingIOError("in use")
        self.is_open = True
        return [line for (line,) in self.database.execute("SELECT line FROM journal ORDER BY number")]

    def append(self, lines: list[str], /) -> None:
        self.database.execute("BEGIN IMMEDIATE")
        self.database.executemany("INSERT INTO journal (line) VALUES (?)", [(line,) for line in lines])
        self.database.execute("COMMIT")

    def forget_last(self) -> None:
        self.database.execute("DELETE FROM journal WHERE number = (SELECT max(number) FROM journal)")

    def clear(self) -> None:
        self.database.execute("DELETE FROM journal")

    def close(self) -> None:
        self.is_open = False
