"""Queries: members and interviews, read when they are asked for."""

from __future__ import annotations

from os import fsencode

from ._given import wire
from ._table import Table, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from datetime import datetime
    from typing import Any, TypeVar

    import pandas
    import polars
    import pyarrow

    from ._condition import Expression
    from ._models.panel import Member
    from ._delta import AsyncDeltaLoad, DeltaLoad
    from ._files import Estimate, ExportReport, Path
    from ._native import Handle, Work
    from ._progress import Observer, Progress, Reporter
    from ._table import Codebook, Labels

    Self = TypeVar("Self", bound="Query")


class Query:
    """What is asked for. The table is downloaded once, when it is first needed, and kept."""

    __slots__ = ("_native", "_id", "_choices", "_labels", "_reporter", "_table")

    def __init__(
        self, native: Handle, id: int, choices: dict[str, Any], labels: Labels = False, reporter: Reporter[Progress] = None
    ) -> None:
        self._native = native
        self._id = id
        self._choices = {name: value for name, value in choices.items() if value is not None}
        self._labels = labels
        self._reporter = reporter
        self._table: Table | None = None

    def _with(self: Self, **choices: Any) -> Self:
        return type(self)(self._native, self._id, {**self._choices, **choices}, self._labels, self._reporter)

    def where(self: Self, test: Expression) -> Self:
        """Only rows that pass this test, and those before it."""
        before = self._choices.get("where")
        return self._with(where=test.data if before is None else {"and": [before, test.data]})

    if TYPE_CHECKING:

        def _query(self) -> Handle:
            """The native query."""

    def _kept(self, native: Any) -> Table:
        self._table = Table(native).with_labels(self._labels)
        return self._table

    def _observed(self) -> Observer:
        from ._progress import Observer

        return Observer(self._reporter)

    def _labels_or(self, labels: Labels | None) -> Labels:
        return self._labels if labels is None else labels

    def _exporting(self, path: Path, kind: str, labels: Labels | None, how: dict[str, bool], told: Observer) -> Work:
        file = {"path": fsencode(path), "format": kind, "labels": word(self._labels_or(labels)), **how}
        work: Work = self._query().method("export", file, told.watch)
        return work


class Tabular(Query):
    """A query as a table, blocking."""

    __slots__ = ()

    def table(self) -> Table:
        """All rows: complete, or an error."""
        if self._table is None:
            with self._observed() as told:
                return self._kept(told.wait(self._query().method("table", None, told.watch)))
        return self._table

    def _labelled(self, labels: Labels | None) -> Table:
        return self.table() if labels is None else self.table().with_labels(labels)

    def batches(self, labels: Labels | None = None) -> Iterator[Table]:
        """The rows page by page, each page a table of its own: for lists that are too large for memory.

        The last page is followed by the proof that nothing is missing, or by `Incomplete`.
        """
        with self._observed() as told:
            pages = self._query().method("batches", None, told.watch)
            while (page := told.wait(pages.method("next"))) is not None:
                yield Table(page).with_labels(self._labels_or(labels))

    def estimate(self) -> Estimate:
        """What a download would cost, from one call for a few rows."""
        from ._files import Estimate

        return Estimate(**self._query().method("estimate").wait())

    def to_arrow(self, labels: Labels | None = None) -> pyarrow.Table:
        """A `pyarrow.Table`, which shares its memory."""
        return self._labelled(labels).to_arrow()

    def to_pandas(self, labels: Labels | None = None) -> pandas.DataFrame:
        """A pandas data frame: integers keep their gaps (`Int64`), labels are ordered categories."""
        return self._labelled(labels).to_pandas()

    def to_polars(self, labels: Labels | None = None) -> polars.DataFrame:
        """A polars data frame: labels are an `Enum` of all choices that were offered, in their order."""
        return self._labelled(labels).to_polars()

    def to_parquet(
        self, path: Path, labels: Labels | None = None, *, resume: bool = True, shared: bool = False
    ) -> ExportReport:
        """Downloads to a Parquet file, in constant memory.

        The file is written completely or not at all. Until it is, pages wait in the folder `<path>.part`; after an
        error, Ctrl-C or a crash the same export goes on from the page after the last one, within a day.

        Args:
            path: The file.
            labels: Labels instead of codes (`True`), or in addition (`"both"`).
            resume: Whether to resume an earlier, interrupted export of the same query.
            shared: Whether the file gets the process's usual permissions (its umask).
                Otherwise only its owner may read it.
        """
        return self._export(path, "parquet", labels, resume=resume, shared=shared)

    def to_csv(
        self,
        path: Path,
        labels: Labels | None = None,
        *,
        resume: bool = True,
        shared: bool = False,
        spreadsheet: bool = False,
    ) -> ExportReport:
        """Downloads to a CSV file, as `to_parquet` does. No answer is an empty cell, an empty text is `""`.

        Args:
            path: The file.
            labels: Labels instead of codes (`True`), or in addition (`"both"`).
            resume: Whether to resume an earlier, interrupted export of the same query.
            shared: Whether others may read the file: see `to_parquet`.
            spreadsheet: For a file that people open in a spreadsheet: a text that begins like a formula gets a `'` in front.
        """
        return self._export(path, "csv", labels, resume=resume, shared=shared, spreadsheet=spreadsheet)

    def to_jsonl(
        self, path: Path, labels: Labels | None = None, *, resume: bool = True, shared: bool = False
    ) -> ExportReport:
        """Downloads to a file with a JSON object on each line, as `to_parquet` does."""
        return self._export(path, "jsonl", labels, resume=resume, shared=shared)

    def _export(self, path: Path, kind: str, labels: Labels | None, **how: bool) -> ExportReport:
        from ._files import exported

        with self._observed() as told:
            return exported(path, told.wait(self._exporting(path, kind, labels, how, told)))

    def to_sav(self, path: Path, *, shared: bool = False) -> None:
        """An SPSS file with variable and value labels: `pip install 'sondage[spss]'`. `shared`: see `to_parquet`."""
        self.table().to_sav(path, shared=shared)

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
        if self._table is None:
            with self._observed() as told:
                return self._kept(await told.finish(self._query().method("table", None, told.watch)))
        return self._table

    async def _labelled(self, labels: Labels | None) -> Table:
        table = await self.table()
        return table if labels is None else table.with_labels(labels)

    async def batches(self, labels: Labels | None = None) -> AsyncIterator[Table]:
        """The rows page by page, each page a table of its own: for lists that are too large for memory.

        The last page is followed by the proof that nothing is missing, or by `Incomplete`.
        """
        with self._observed() as told:
            pages = self._query().method("batches", None, told.watch)
            while (page := await told.finish(pages.method("next"))) is not None:
                yield Table(page).with_labels(self._labels_or(labels))

    async def estimate(self) -> Estimate:
        """What a download would cost, from one call for a few rows."""
        from ._files import Estimate

        return Estimate(**await self._query().method("estimate").start())

    async def to_arrow(self, labels: Labels | None = None) -> pyarrow.Table:
        """A `pyarrow.Table`, which shares its memory."""
        return (await self._labelled(labels)).to_arrow()

    async def to_pandas(self, labels: Labels | None = None) -> pandas.DataFrame:
        """A pandas data frame: integers keep their gaps (`Int64`), labels are ordered categories."""
        return (await self._labelled(labels)).to_pandas()

    async def to_polars(self, labels: Labels | None = None) -> polars.DataFrame:
        """A polars data frame: labels are an `Enum` of all choices that were offered, in their order."""
        return (await self._labelled(labels)).to_polars()

    async def to_parquet(
        self, path: Path, labels: Labels | None = None, *, resume: bool = True, shared: bool = False
    ) -> ExportReport:
        """Downloads to a Parquet file, in constant memory.

        The file is written completely or not at all. Until it is, pages wait in the folder `<path>.part`; after an
        error, a cancelled task or a crash the same export goes on from the page after the last one, within a day.

        Args:
            path: The file.
            labels: Labels instead of codes (`True`), or in addition (`"both"`).
            resume: Whether to resume an earlier, interrupted export of the same query.
            shared: Whether the file gets the process's usual permissions (its umask).
                Otherwise only its owner may read it.
        """
        return await self._export(path, "parquet", labels, resume=resume, shared=shared)

    async def to_csv(
        self,
        path: Path,
        labels: Labels | None = None,
        *,
        resume: bool = True,
        shared: bool = False,
        spreadsheet: bool = False,
    ) -> ExportReport:
        """Downloads to a CSV file, as `to_parquet` does. No answer is an empty cell, an empty text is `""`.

        Args:
            path: The file.
            labels: Labels instead of codes (`True`), or in addition (`"both"`).
            resume: Whether to resume an earlier, interrupted export of the same query.
            shared: Whether others may read the file: see `to_parquet`.
            spreadsheet: For a file that people open in a spreadsheet: a text that begins like a formula gets a `'` in front.
        """
        return await self._export(path, "csv", labels, resume=resume, shared=shared, spreadsheet=spreadsheet)

    async def to_jsonl(
        self, path: Path, labels: Labels | None = None, *, resume: bool = True, shared: bool = False
    ) -> ExportReport:
        """Downloads to a file with a JSON object on each line, as `to_parquet` does."""
        return await self._export(path, "jsonl", labels, resume=resume, shared=shared)

    async def _export(self, path: Path, kind: str, labels: Labels | None, **how: bool) -> ExportReport:
        from ._files import exported

        with self._observed() as told:
            return exported(path, await told.finish(self._exporting(path, kind, labels, how, told)))

    async def to_sav(self, path: Path, *, shared: bool = False) -> None:
        """An SPSS file with variable and value labels: `pip install 'sondage[spss]'`. `shared`: see `to_parquet`."""
        (await self.table()).to_sav(path, shared=shared)

    async def codebook(self) -> Codebook:
        """What the columns mean: questions, codes and labels."""
        return (await self.table()).codebook()


class MembersQuery(Query):
    """Members of a panel."""

    __slots__ = ()

    def _query(self) -> Handle:
        query: Handle = self._native.method("member_table", {"panelId": self._id, **wire(self._choices)})
        return query

    def _list(self) -> Handle:
        pages: Handle = self._native.method("members", {"panelId": self._id, **wire(self._choices)})
        return pages


class InterviewsQuery(Query):
    """Interviews of a survey."""

    __slots__ = ()

    def _query(self) -> Handle:
        query: Handle = self._native.method("interviews", {"surveyId": self._id, **wire(self._choices)})
        return query

    def state(self: Self, state: str) -> Self:
        """Only interviews in this state, for example `Completed`."""
        return self._with(state=state)

    def completed(self: Self) -> Self:
        """Only completed interviews."""
        return self._with(state="Completed")

    def updated_since(self: Self, time: datetime) -> Self:
        """Only interviews that changed at this time or later. A time without a time zone is refused."""
        return self._with(updated_since=time)

    def order_by(self: Self, field: str, *, descending: bool = False) -> Self:
        """In the order of a column. Without, in the order of the ids, in which interviews keep their places."""
        return self._with(order_by=field, descending=descending)

    def _load(
        self, state: Path, overlap: float | None, removed: bool
    ) -> tuple[Callable[[Handle], Work], Labels, Reporter[Progress]]:
        choices = {"state": fsencode(state), "overlap": overlap, "removed": removed}
        query = self._query()
        return (lambda watch: query.method("delta", choices, watch), self._labels, self._reporter)


class Members(MembersQuery, Tabular):
    """The members of a panel: a `for` loop reads them page by page, complete or an error; or take them as a table."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Member]:
        pages = self._list()
        while (page := pages.method("next").wait()) is not None:
            yield from page


class AsyncMembers(MembersQuery, AsyncTabular):
    """The members of a panel: `async for` reads them page by page, complete or an error; or take them as a table."""

    __slots__ = ()

    async def __aiter__(self) -> AsyncIterator[Member]:
        pages = self._list()
        while (page := await pages.method("next").start()) is not None:
            for member in page:
                yield member


class Interviews(InterviewsQuery, Tabular):
    """The interviews of a survey as a table: complete, or an error."""

    __slots__ = ()

    def scan_polars(self, labels: Labels | None = None) -> polars.LazyFrame:
        """A lazy polars frame. What it selects, filters and limits is pushed down to the service: one call tells the
        schema, the rest is read when the frame is collected, page by page."""
        from ._scan import scan

        return scan(self, self._labels_or(labels))

    def _sample(self, rows: int) -> Table:
        """The first rows, for their types."""
        first = self._choices.get("first_page", 1)
        page = self._query().method("page", {"number": first, "size": rows}).wait()
        return Table(page.method("table"))

    def delta(self, state: Path, *, overlap: float | None = None, removed: bool = False) -> DeltaLoad:
        """Only what changed since the last load: `with query.delta("s7.state") as new:`.

        The load counts when the block ends without an exception; else the same changes come again.

        Args:
            state: The file that remembers what was loaded. It belongs to this query.
            overlap: How many seconds before the last change a load begins, because rows may be written late. Default:
                five minutes. What was handed out already is left out.
            removed: Also finds interviews that were deleted or reset, by reading all ids, each time.
        """
        from ._delta import DeltaLoad

        return DeltaLoad(*self._load(state, overlap, removed))


class AsyncInterviews(InterviewsQuery, AsyncTabular):
    """The interviews of a survey as a table, for asyncio: complete, or an error."""

    __slots__ = ()

    def delta(self, state: Path, *, overlap: float | None = None, removed: bool = False) -> AsyncDeltaLoad:
        """Only what changed since the last load: `async with query.delta("s7.state") as new:`.

        The load counts when the block ends without an exception; else the same changes come again.

        Args:
            state: The file that remembers what was loaded. It belongs to this query.
            overlap: How many seconds before the last change a load begins, because rows may be written late. Default:
                five minutes. What was handed out already is left out.
            removed: Also finds interviews that were deleted or reset, by reading all ids, each time.
        """
        from ._delta import AsyncDeltaLoad

        return AsyncDeltaLoad(*self._load(state, overlap, removed))
