"""Stores of the caller's, and what they are asked."""

from __future__ import annotations

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable
    from datetime import datetime
    from typing import Literal

__all__ = ["EventStore", "JournalStore", "TokenStore"]


class EventStore(Protocol):
    """Remembers events somewhere else than in memory or in a folder, for example in a database that several machines share: pass it as
    `store` to `sondage.webhooks.Guard`.

    Every method is atomic, also between processes that share the store. They are called by the thread that uses the guard, and by
    threads of the library, at the same time. They are not `async`. An event has one or two keys, which are texts of at most some hundred
    characters. An exception of a method is the cause of the guard's own: then the delivery is refused (503), and the service sends it
    again.
    """

    def claim(self, keys: list[str], owner: str, lease: float, /) -> Literal["new", "done", "busy"]:
        """Claims an event for an owner, all of its keys or none: `done` if one of the keys is done; `busy` if one of them is claimed, and
        that lease has not ended; otherwise they are claimed for `lease` seconds, and the event is `new`."""
        ...

    def done(self, keys: list[str], /) -> None:
        """Marks keys as done, whoever has claimed them."""
        ...

    def release(self, keys: list[str], owner: str, /) -> None:
        """Gives keys back that this owner has claimed. Those that are done, or claimed by another owner since, stay as they are."""
        ...

    def is_done(self, key: str, /) -> bool:
        """Whether a key is done."""
        ...

    def keys(self) -> Iterable[str]:
        """The keys that are done, the oldest first."""
        ...

    def prune(self, before: datetime, /) -> int:
        """Forgets keys that were done before a time, and claims whose leases ended before it. Returns how many."""
        ...


class JournalStore(Protocol):
    """Keeps the journal of a job somewhere else than in a file, for example in a table of a database: pass it
    as `journal`.

    The methods may be `async`. They are called one at a time, on a thread of the library; `async` ones run on
    the event loop on which the job was started, if there is one.

    A line is text without line breaks. Keep them unchanged and in order: each is sealed together with those
    before it. An error of a method ends the job before anything more is sent, and is the cause of the job's
    own error.
    """

    def open(self) -> Iterable[str] | Awaitable[Iterable[str]]:
        """Returns every line, in order, and locks the journal, so that no other process runs the same job. If
        another process has it, raise `BlockingIOError`."""
        ...

    def append(self, lines: list[str], /) -> Awaitable[None] | None:
        """Appends lines. When it is done, they survive a power failure."""
        ...

    def forget_last(self) -> Awaitable[None] | None:
        """Removes the last line."""
        ...

    def clear(self) -> Awaitable[None] | None:
        """Removes every line: the job is complete and reported."""
        ...

    def close(self) -> Awaitable[None] | None:
        """Unlocks the journal, which may be opened again."""
        ...


class TokenStore(Protocol):
    """Stores tokens, for example in Redis, a database or a vault. Each key belongs to one identity, so
    entries must be kept apart. They are secret. The methods may be `async`; they then run on the caller's
    event loop."""

    def load(self, key: str, /) -> str | None | Awaitable[str | None]:
        """Returns the entry of a key; nothing if there is none."""
        ...

    def save(self, key: str, tokens: str, /) -> Awaitable[None] | None:
        """Saves the entry of a key, replacing an earlier one."""
        ...

    def forget(self, key: str, /) -> Awaitable[None] | None:
        """Removes the entry of a key, if there is one."""
        ...
