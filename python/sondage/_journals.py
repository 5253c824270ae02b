"""Journals that the caller provides, called on threads of their own, so that they may block."""

from __future__ import annotations

from os import PathLike, fsencode

from ._convert import wrong
from ._tokens import finished, running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._files import Path
    from ._stores import JournalStore

_METHODS = ("open", "append", "forget_last", "clear", "close")


def journal_of(journal: Path | JournalStore, on_loop: bool = False) -> Any:
    """The core's argument: a path, or a text that names an object. `on_loop`: whether the caller awaits the job."""
    if isinstance(journal, (str, bytes, PathLike)):
        return fsencode(journal)
    missing = next((name for name in _METHODS if not callable(getattr(journal, name, None))), None)
    if missing is not None:
        what = f"`journal` is of the type {type(journal).__name__}, which is no path and has no method `{missing}`"
        raise wrong(what, "Give the path of a file, or an object with the methods of `sondage.JournalStore`.")
    from ._native import offer_journal

    return offer_journal(type(journal).__name__, _Asked(journal, on_loop))


class _Asked:
    """Calls an object in the context of the code that started the job."""

    def __init__(self, journal: Any, on_loop: bool) -> None:
        from contextvars import copy_context

        self.journal = journal
        self.context = copy_context()
        # A blocking client blocks the thread of its loop until the job ends: a method on that loop would never run.
        self.loop = running() if on_loop else None

    def __call__(self, what: str, lines: list[str]) -> list[str]:
        answer = finished(getattr(self.journal, what), (lines,) if what == "append" else (), self.context, self.loop)
        if what != "open":
            return []
        if answer is None or isinstance(answer, (str, bytes)):
            # If this were taken for an empty journal, the job would start over and send everything again.
            raise TypeError(f"`open` returned {'None' if answer is None else 'one text'}, not the lines")
        return list(answer)
