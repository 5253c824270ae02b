"""Delta loads: only what is new, counted as loaded when the caller has succeeded with it."""

from __future__ import annotations

from typing import NamedTuple

from ._progress import Observer, Progress
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any

    from ._native import OpenLoad, Query
    from ._progress import Reporter
    from ._table import Labels


class Removed(NamedTuple):
    """An interview that was loaded before, and is not among those that are asked for any more."""

    id: str
    """Its id."""
    reset: bool
    """It is still there, but has lost what the filter asks for, for example because it was reset. Else it was deleted."""


class Changes(Table):
    """New and changed interviews, each as it is now: a table like any other."""

    __slots__ = ("removed", "progress")
    removed: list[Removed]
    """Interviews that went away, when they were asked for."""
    progress: Progress
    """What the load took."""


class Load:
    """A load of what is new. `with load as new:` begins it; it counts when the block ends without an exception."""

    __slots__ = ("_query", "_choices", "_labels", "_reporter", "_open")

    def __init__(
        self, query: Query, choices: tuple[str, float | None, bool], labels: Labels, reporter: Reporter
    ) -> None:
        self._query, self._choices = query, choices
        self._labels, self._reporter = labels, reporter
        self._open: OpenLoad | None = None

    def _begun(self, told: tuple[Any, ...]) -> Changes:
        self._open, native, removed, numbers = told
        shown = Table(native).with_labels(self._labels)
        changes = Changes(shown._native)
        changes.removed = [Removed(*one) for one in removed]
        changes.progress = Progress(*numbers)
        return changes

    def _ended(self, failed: bool) -> None:
        load, self._open = self._open, None
        if load is not None:
            load.drop() if failed else load.commit()

    def __enter__(self) -> Changes:
        with Observer(self._reporter) as told:
            return self._begun(told.wait(self._query.delta(*self._choices, told.watch)))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended(kind is not None)


class AsyncLoad(Load):
    """A load of what is new, for asyncio: `async with load as new:`."""

    __slots__ = ()

    async def __aenter__(self) -> Changes:
        with Observer(self._reporter) as told:
            return self._begun(await told.finish(self._query.delta(*self._choices, told.watch)))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended(kind is not None)
