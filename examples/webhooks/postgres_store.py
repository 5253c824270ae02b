"""Remembers events of webhooks in PostgreSQL, for workers on any number of machines: `Guard(store=PostgresStore("dbname=acme"))`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import psycopg

TABLE = "CREATE TABLE IF NOT EXISTS webhook_events (key text PRIMARY KEY, owner text, until timestamptz NOT NULL, done timestamptz)"
# Rows that others insert at the same time are waited for, in the order of their keys, so that nobody waits in a circle.
CLAIM = """
    INSERT INTO webhook_events AS known (key, owner, until)
    SELECT key, %s, clock_timestamp() + make_interval(secs => %s) FROM unnest(%s::text[]) AS key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until
    WHERE known.done IS NULL AND known.until <= clock_timestamp()
"""
DONE = """
    INSERT INTO webhook_events AS known (key, until, done)
    SELECT key, clock_timestamp(), clock_timestamp() FROM unnest(%s::text[]) AS key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET done = coalesce(known.done, excluded.done)
"""


class PostgresStore:
    """A connection for each question, so that workers and threads share nothing. Use a pool if that is too slow for you."""

    def __init__(self, address: str) -> None:
        self.address = address
        with self.connect() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(7237)")  # two workers cannot create one table at the same time
            connection.execute(TABLE)

    def connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.address, connect_timeout=5)

    def claim(self, keys: list[str], owner: str, lease: float, /) -> Literal["new", "done", "busy"]:
        with self.connect() as connection:
            if connection.execute(CLAIM, [owner, lease, keys]).rowcount == len(keys):
                return "new"
            connection.rollback()  # all of the keys, or none
            found = connection.execute("SELECT 1 FROM webhook_events WHERE key = ANY(%s) AND done IS NOT NULL", [keys])
            return "done" if found.fetchone() else "busy"

    def done(self, keys: list[str], /) -> None:
        with self.connect() as connection:
            connection.execute(DONE, [keys])

    def release(self, keys: list[str], owner: str, /) -> None:
        with self.connect() as connection:
            connection.execute("DELETE FROM webhook_events WHERE key = ANY(%s) AND owner = %s AND done IS NULL", [keys, owner])

    def is_done(self, key: str, /) -> bool:
        with self.connect() as connection:
            found = connection.execute("SELECT 1 FROM webhook_events WHERE key = %s AND done IS NOT NULL", [key])
            return found.fetchone() is not None

    def keys(self) -> list[str]:
        with self.connect() as connection:
            rows = connection.execute("SELECT key FROM webhook_events WHERE done IS NOT NULL ORDER BY done, key")
            return [key for (key,) in rows]

    def prune(self, before: datetime, /) -> int:
        with self.connect() as connection:
            return connection.execute("DELETE FROM webhook_events WHERE coalesce(done, until) < %s", [before]).rowcount
