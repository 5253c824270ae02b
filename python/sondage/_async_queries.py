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
    from ._reports import SyncReport
    from ._sync import Store
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

    def delta(
        self, state: Path, *, overlap: float | None = None, removed: bool = False, evolve: bool = False
    ) -> AsyncDeltaLoad:
        """Only the changes since the last load: `async with query.delta("s7.state") as new:`.

        The load is committed when the block ends without an exception; otherwise the same changes are
        returned again.

        Args:
            state: The state file, which records what was loaded. It belongs to this query.
            overlap: How many seconds before the last change a load begins, because rows may be written late. Default:
                five minutes. Changes that were returned before are left out.
            removed: Also finds interviews that were deleted or reset, by reading all ids, each time.
            evolve: Goes on if the questionnaire has changed in a breaking way since the last load, such as a label that belongs to
                another code now. Otherwise that is an error which lists the changes, and nothing is loaded.
        """
        from ._delta import AsyncDeltaLoad

        return AsyncDeltaLoad(*self._load(state, overlap, removed, evolve))

    async def sync(
        self,
        store: Store,
        *,
        table: str | None = None,
        evolve: bool = False,
        overlap: float | None = None,
        shared: bool = False,
    ) -> SyncReport:
        """Keeps a store equal to this query: `await query.sync("s7.parquet")`.

        It reads the changes since the last sync and the ids of all interviews. The rows, the removals and the state of the store change
        together, or not at all: whenever it is interrupted, the next sync continues from what is stored.

        Args:
            store: A file that ends in `.parquet`, which is replaced as a whole; any other path, for a folder of files with a manifest; or a
                blocking connection of `duckdb` or `psycopg` without an open transaction.
            table: The table in the database, also as `"schema.table"`. Default: survey_1004, with the id of the survey. Codes, labels
                and the state are in the tables sondage_values, sondage_labels and sondage_sync beside it.
            evolve: Columns that are new, gone or of another type change the store. Otherwise they are an error, and nothing
                is changed.
            overlap: How many seconds before the last stored change a sync starts to read, because rows may be written late. Default:
                five minutes.
            shared: The file gets the process's usual permissions. Otherwise only its owner can read it.
        """
        from ._sync import applied, database, place, stored, synced

        to = database(store, table, self._id)
        with self._observed() as told:
            if to is None:
                work = self._query().method("sync", {"path": place(store), "evolve": evolve, "overlap": overlap, "shared": shared}, told.watch)
                return synced(await told.finish(work))
            work = self._query().method("change_set", {**stored(to), "evolve": evolve, "overlap": overlap}, told.watch)
            return applied(to, await told.finish(work))
