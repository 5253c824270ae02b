"""Stores of the caller's, and what they are asked."""

from __future__ import annotations

from typing import Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

__all__ = ["JournalStore", "TokenStore"]


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
