"""Work of many calls, and lists as tables: a part of the two clients."""

from __future__ import annotations

from ._base import Lister

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable
    from typing import Any, ParamSpec, TypeVar

    from ._archive import ArchiveReport, Reporter
    from ._base import Listed
    from ._condition import Expression
    from ._create import Rows
    from ._files import Path
    from ._native import Handle
    from ._table import Table
    from ._update import AsyncUpdatePlan, UpdatePlan

    P = ParamSpec("P")
    T = TypeVar("T")


class Jobs:
    """What a client does beside single calls."""

    __slots__ = ()
    _native: Handle

    def plan_update(
        self,
        panel_id: int,
        rows: Rows,
        *,
        key: str,
        fields: Iterable[str] | None = None,
        clear_nulls: bool = False,
        ignore_case: bool = False,
        chunk: int = 1000,
    ) -> UpdatePlan:
        """Plans what the rows of a table change in members, a column for each field; members are found by a key.

        The plan sends nothing: it shows every change, and the rows that are left out. Applied, it sends only what differs.

        Args:
            panel_id: The panel or sample.
            rows: A frame of pandas, polars, pyarrow or DuckDB, the path of a CSV file, or dictionaries.
            key: The field by which members are found, or `Id` for their numbers.
            fields: Only these columns, and the key. Default: all, each of which must then be a field of the panel.
            clear_nulls: Whether a cell without a value takes the member's away. Default: the member keeps it.
            ignore_case: Whether keys are the same that differ in the case of letters only.
            chunk: Members in a request. How many the service takes is not published.
        """
        from ._update import UpdatePlan, plan

        work = plan(self._native, panel_id, rows, key, fields, clear_nulls, ignore_case, chunk)
        return UpdatePlan(work.wait())

    def archive_answers(
        self,
        survey_id: int,
        folder: Path,
        *,
        partial: bool = False,
        locale: str | None = None,
        time_zone: str | None = None,
        where: Expression | None = None,
        at_once: int = 4,
        progress: Reporter = None,
    ) -> ArchiveReport:
        """Stores the PDFs of a survey's interviews in a folder, with a manifest: `manifest.jsonl`, a line for each.

        It can be stopped at any moment, and the same call goes on from there: what is stored stays, and is whole. Each
        document costs one call of the 500 that the service allows a day.

        Args:
            survey_id: The survey.
            folder: The folder. It is made when it is not there.
            partial: Whether to take interviews that are not completed, as far as they go.
            locale: The language of the documents, for example `de`.
            time_zone: The time zone of the times in them, for example `Europe/Zurich`.
            where: Only interviews that pass this test; see `sondage.field`.
            at_once: Documents that are fetched at once.
            progress: A function that is told how far it is, or whether to show a bar. Default: a bar in a terminal or
                notebook, when it takes more than a second.
        """
        from ._archive import ArchiveProgress, archive, report_of
        from ._progress import Observer

        with Observer(progress, ArchiveProgress) as told:
            work = archive(self._native, survey_id, folder, partial, locale, time_zone, where, at_once, told.watch)
            return report_of(told.wait(work))

    def table(self, call: Callable[P, Listed[T]], /, *args: P.args, **kwargs: P.kwargs) -> Table:
        """A complete list as a table: `client.table(client.read_bounce_list, survey_id=7)`.

        A column for each field of the rows' class; lists and objects are JSON texts. Fields that this version does not know
        are in the column `extra`, as JSON.
        """
        from ._table import Table

        return Table(Lister.of(call)(*args, **kwargs).method("table", "snake").wait())


class AsyncJobs:
    """What a client does beside single calls, for asyncio."""

    __slots__ = ()
    _native: Handle

    async def plan_update(
        self,
        panel_id: int,
        rows: Rows,
        *,
        key: str,
        fields: Iterable[str] | None = None,
        clear_nulls: bool = False,
        ignore_case: bool = False,
        chunk: int = 1000,
    ) -> AsyncUpdatePlan:
        """Plans what the rows of a table change in members, a column for each field; members are found by a key.

        The plan sends nothing: it shows every change, and the rows that are left out. Applied, it sends only what differs.

        Args:
            panel_id: The panel or sample.
            rows: A frame of pandas, polars, pyarrow or DuckDB, the path of a CSV file, or dictionaries.
            key: The field by which members are found, or `Id` for their numbers.
            fields: Only these columns, and the key. Default: all, each of which must then be a field of the panel.
            clear_nulls: Whether a cell without a value takes the member's away. Default: the member keeps it.
            ignore_case: Whether keys are the same that differ in the case of letters only.
            chunk: Members in a request. How many the service takes is not published.
        """
        from ._update import AsyncUpdatePlan, plan

        work = plan(self._native, panel_id, rows, key, fields, clear_nulls, ignore_case, chunk)
        return AsyncUpdatePlan(await work.start())

    async def archive_answers(
        self,
        survey_id: int,
        folder: Path,
        *,
        partial: bool = False,
        locale: str | None = None,
        time_zone: str | None = None,
        where: Expression | None = None,
        at_once: int = 4,
        progress: Reporter = None,
    ) -> ArchiveReport:
        """Stores the PDFs of a survey's interviews in a folder, with a manifest: `manifest.jsonl`, a line for each.

        It can be stopped at any moment, and the same call goes on from there: what is stored stays, and is whole. Each
        document costs one call of the 500 that the service allows a day.

        Args:
            survey_id: The survey.
            folder: The folder. It is made when it is not there.
            partial: Whether to take interviews that are not completed, as far as they go.
            locale: The language of the documents, for example `de`.
            time_zone: The time zone of the times in them, for example `Europe/Zurich`.
            where: Only interviews that pass this test; see `sondage.field`.
            at_once: Documents that are fetched at once.
            progress: A function that is told how far it is, or whether to show a bar. Default: a bar in a terminal or
                notebook, when it takes more than a second.
        """
        from ._archive import ArchiveProgress, archive, report_of
        from ._progress import Observer

        with Observer(progress, ArchiveProgress) as told:
            work = archive(self._native, survey_id, folder, partial, locale, time_zone, where, at_once, told.watch)
            return report_of(await told.finish(work))

    async def table(
        self, call: Callable[P, Coroutine[Any, Any, Listed[T]]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        """A complete list as a table: `await client.table(client.read_bounce_list, survey_id=7)`.

        A column for each field of the rows' class; lists and objects are JSON texts. Fields that this version does not know
        are in the column `extra`, as JSON.
        """
        from ._table import Table

        pages = await Lister.of(call)(*args, **kwargs)
        return Table(await pages.method("table", "snake").start())
