"""Delta loads: only changes, committed when the caller has processed them successfully."""

from __future__ import annotations

from ._progress import Observer, Progress
from ._reports import Removed
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from ._native import Handle, Work
    from ._progress import Reporter
    from ._table import Labels


class Changes(Table):
    """New and changed interviews in their current state, as a table."""

    __slots__ = ("removed", "progress")
    removed: list[Removed]
    """Interviews that were deleted or no longer match, if they were requested."""
    progress: Progress
    """The calls, bytes and time of the load."""


class DeltaLoad:
    """An incremental load. `with load as new:` starts it; it is committed when the block ends without an
    exception."""

    __slots__ = ("_begin", "_native", "_labels", "_reporter", "_open")

    def __init__(
        self, begin: Callable[[Handle], Work], native: Handle, labels: Labels, reporter: Reporter[Progress]
    ) -> None:
        self._begin, self._native = begin, native
        self._labels, self._reporter = labels, reporter
        self._open: Handle | None = None

    def _begins(self) -> NoReturn:
        word = "async with" if isinstance(self, AsyncDeltaLoad) else "with"
        raise TypeError(f"a load begins with `{word} load as new:`, and `new` is the table")

    def __len__(self) -> NoReturn:
        self._begins()

    def __iter__(self) -> NoReturn:
        self._begins()

    def __getitem__(self, name: object) -> NoReturn:
        self._begins()

    def __bool__(self) -> bool:
        return True

    def _begun(self, load: Handle, seconds: float) -> Changes:
        self._open = load
        shown = Table(load.method("table")).with_labels(self._labels)
        changes = Changes(shown._native, shown._told)
        changes.removed = [Removed(**one) for one in load.method("removed")]
        changes.progress = Progress(**load.method("progress"), seconds=seconds)
        return changes

    def _ended(self, failed: bool) -> None:
        load, self._open = self._open, None
        if load is not None:
            load.method("drop" if failed else "commit")

    def __enter__(self) -> Changes:
        with Observer(self._reporter, native=self._native) as told:
            return self._begun(told.wait(self._begin(told.watch)), told.seconds)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._ended(kind is not None)


class AsyncDeltaLoad(DeltaLoad):
    """An incremental load for asyncio: `async with load as new:`."""

    __slots__ = ()

    async def __aenter__(self) -> Changes:
        with Observer(self._reporter, native=self._native) as told:
            return self._begun(await told.finish(self._begin(told.watch)), told.seconds)

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._ended(kind is not None)
