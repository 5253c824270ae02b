"""Queries for asyncio: members and interviews, read when their rows are requested."""

from __future__ import annotations

from ._async_exports import AsyncExports
from ._query import InterviewsQuery, MembersQuery
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Any

    from ._delta import AsyncDeltaLoad
    from ._files import Path
    from ._models.panel import Member
    from ._table import Labels


class AsyncTabular(AsyncExports):
    """A query as a table, for asyncio."""

    __slots__ = ()

    async def batches(self, labels: Labels | None = None) -> AsyncIterator[Table]:
        """The rows page by page, each page a table of its own: for lists that are too large for memory.

        After the last page the list is proven complete, or `Incomplete` is raised.
        """
        seen: set[str] = set()
        with self._observed() as told:
            pages = self._query().method("batches", None, told.watch)
            while (page := await told.finish(pages.method("next"))) is not None:
                yield Table(page, seen)._warned().with_labels(self._labels_or(labels))

    async def head(self, rows: int = 5, labels: Labels | None = None) -> Table:
        """The first rows as a table, without reading the others."""
        return Table(await self._query().method("head", rows).start()).with_labels(self._labels_or(labels))


class AsyncMembers(MembersQuery, AsyncTabular):
    """The members of a panel: `async for` reads them page by page, complete or an error; other methods return
    them as a table."""

    __slots__ = ()

    async def __aiter__(self) -> AsyncIterator[Member]:
        pages = self._list()
        while (page := await pages.method("next").start()) is not None:
            for member in page:
                yield member

    async def first(self) -> Member | None:
        """The first member, without reading the others; `None` if there is none."""
        page = await self._with(page_size=1)._list().method("next").start()
        return next(iter(page or ()), None)


class AsyncInterviews(InterviewsQuery, AsyncTabular):
    """The interviews of a survey as a table for asyncio: complete, or an error."""

    __slots__ = ()

    async def first(self) -> dict[str, Any] | None:
        """The first interview, without reading the others; `None` if there is none."""
        return next(iter(await self.head(1)), None)

    def delta(self, state: Path, *, overlap: float | None = None, removed: bool = False) -> AsyncDeltaLoad:
        """Only the changes since the last load: `async with query.delta("s7.state") as new:`.

        The load is committed when the block ends without an exception; otherwise the same changes are
        returned again.

        Args:
            state: The state file, which records what was loaded. It belongs to this query.
            overlap: How many seconds before the last change a load begins, because rows may be written late. Default:
                five minutes. Changes that were returned before are left out.
            removed: Also finds interviews that were deleted or reset, by reading all ids, each time.
        """
        from ._delta import AsyncDeltaLoad

        return AsyncDeltaLoad(*self._load(state, overlap, removed))
