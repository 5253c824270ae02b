"""Queries: members and interviews, read when they are asked for."""

from __future__ import annotations

from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from datetime import datetime
    from typing import Any, TypeVar

    import pandas
    import polars
    import pyarrow

    from ._condition import Expression
    from ._models.panel import Member
    from ._native import Native, Work
    from ._table import Codebook, Labels

    Self = TypeVar("Self", bound="Query")


class Query:
    """What is asked for. The table is downloaded once, when it is first needed, and kept."""

    __slots__ = ("_native", "_id", "_choices", "_labels", "_table")
    _read: str
    """The method of the native client that reads it."""

    def __init__(self, native: Native, id: int, choices: dict[str, Any], labels: Labels = False) -> None:
        self._native = native
        self._id = id
        self._choices = {name: value for name, value in choices.items() if value is not None}
        self._labels = labels
        self._table: Table | None = None

    def _with(self: Self, **choices: Any) -> Self:
        return type(self)(self._native, self._id, {**self._choices, **choices}, self._labels)

    def where(self: Self, test: Expression) -> Self:
        """Only rows that pass this test, and those before it."""
        before = self._choices.get("where")
        return self._with(where=test.data if before is None else {"and": [before, test.data]})

    def _work(self) -> Work:
        work: Work = getattr(self._native, self._read)(self._id, self._choices)
        return work

    def _kept(self, native: Any) -> Table:
        self._table = Table(native).with_labels(self._labels)
        return self._table


class Tabular(Query):
    """A query as a table, for code that waits."""

    __slots__ = ()

    def table(self) -> Table:
        """All rows: complete, or an error."""
        return self._kept(self._work().wait()) if self._table is None else self._table

    def _labelled(self, labels: Labels | None) -> Table:
        return self.table() if labels is None else self.table().with_labels(labels)

    def to_arrow(self, labels: Labels | None = None) -> pyarrow.Table:
        """A `pyarrow.Table`, which shares its memory."""
        return self._labelled(labels).to_arrow()

    def to_pandas(self, labels: Labels | None = None) -> pandas.DataFrame:
        """A pandas data frame: whole numbers keep their gaps (`Int64`), labels are ordered categories."""
        return self._labelled(labels).to_pandas()

    def to_polars(self, labels: Labels | None = None) -> polars.DataFrame:
        """A polars data frame: labels are an `Enum` of all choices that were offered, in their order."""
        return self._labelled(labels).to_polars()

    def codebook(self) -> Codebook:
        """What the columns mean: questions, codes and labels."""
        return self.table().codebook()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)


class AsyncTabular(Query):
    """A query as a table, for asyncio."""

    __slots__ = ()

    async def table(self) -> Table:
        """All rows: complete, or an error."""
        return self._kept(await self._work().start()) if self._table is None else self._table

    async def _labelled(self, labels: Labels | None) -> Table:
        table = await self.table()
        return table if labels is None else table.with_labels(labels)

    async def to_arrow(self, labels: Labels | None = None) -> pyarrow.Table:
        """A `pyarrow.Table`, which shares its memory."""
        return (await self._labelled(labels)).to_arrow()

    async def to_pandas(self, labels: Labels | None = None) -> pandas.DataFrame:
        """A pandas data frame: whole numbers keep their gaps (`Int64`), labels are ordered categories."""
        return (await self._labelled(labels)).to_pandas()

    async def to_polars(self, labels: Labels | None = None) -> polars.DataFrame:
        """A polars data frame: labels are an `Enum` of all choices that were offered, in their order."""
        return (await self._labelled(labels)).to_polars()

    async def codebook(self) -> Codebook:
        """What the columns mean: questions, codes and labels."""
        return (await self.table()).codebook()


class MembersQuery(Query):
    """Members of a panel."""

    __slots__ = ()
    _read = "member_table"


class InterviewsQuery(Query):
    """Interviews of a survey."""

    __slots__ = ()
    _read = "interviews"

    def state(self: Self, state: str) -> Self:
        """Only interviews in this state, for example `Completed`."""
        return self._with(state=state)

    def completed(self: Self) -> Self:
        """Only completed interviews."""
        return self._with(state="Completed")

    def updated_since(self: Self, time: datetime) -> Self:
        """Only interviews that changed at this time or later. A time without a time zone is refused."""
        return self._with(updated_since=time)


class Members(MembersQuery, Tabular):
    """The members of a panel: a `for` loop reads them page by page, complete or an error; or take them as a table."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Member]:
        pages = self._native.members(self._id, self._choices)
        while (page := pages.next().wait()) is not None:
            yield from page


class AsyncMembers(MembersQuery, AsyncTabular):
    """The members of a panel: `async for` reads them page by page, complete or an error; or take them as a table."""

    __slots__ = ()

    async def __aiter__(self) -> AsyncIterator[Member]:
        pages = self._native.members(self._id, self._choices)
        while (page := await pages.next().start()) is not None:
            for member in page:
                yield member


class Interviews(InterviewsQuery, Tabular):
    """The interviews of a survey as a table: complete, or an error."""

    __slots__ = ()


class AsyncInterviews(InterviewsQuery, AsyncTabular):
    """The interviews of a survey as a table, for asyncio: complete, or an error."""

    __slots__ = ()
