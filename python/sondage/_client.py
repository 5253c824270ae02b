"""The two clients."""

from __future__ import annotations

from ._base import Base, Lister
from ._given import several
from ._jobs import AsyncJobs, Jobs
from ._operations import AsyncOperations, Operations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
    from datetime import datetime
    from types import TracebackType
    from typing import Any, ParamSpec, TypeVar

    from ._answer import Answer
    from ._base import Listed, PendingWrite
    from ._condition import Expression
    from ._create import Creation, Rows
    from ._events import Caught, Confirmation, Event
    from ._guard import Guard
    from ._progress import Reporter
    from ._queries import AsyncInterviews, AsyncMembers, Interviews, Members
    from ._table import Labels
    from .types import Effect

    P = ParamSpec("P")
    T = TypeVar("T")


class Client(Base, Jobs, Operations):
    """A client whose calls wait for their answers.

    It can be used from any number of threads, and after a fork. Ctrl-C ends a wait.
    """

    __slots__ = ()

    def members(
        self,
        panel_id: int,
        *,
        fields: Iterable[str] | None = None,
        where: Expression | None = None,
        interviews: bool = False,
        page_size: int | None = None,
        check_count: bool | None = None,
        definition: bool = False,
        language: str | None = None,
        progress: Reporter = None,
    ) -> Members:
        """The members of a panel or sample of any size: a `for` loop reads them; or take them as a table.

        Args:
            panel_id: The panel or sample.
            fields: Only these fields. Naming them makes broad panels much faster.
            where: Only members who pass this test; see `sondage.field`.
            interviews: Each member with its interviews.
            page_size: Rows on a page. Calls are scarce, so large pages are better.
            check_count: Whether the service's own count can put the list in doubt. Default: yes.
            definition: For a table: types and labels from the definition of the panel, by one more call.
            language: For a table: in which language the labels are.
            progress: For a table: a function that is told how far it is, or whether to show a bar. Default: a bar in a
                terminal or notebook, when it takes more than a second.
        """
        from ._queries import Members

        choices = {
            "fields": fields if fields is None else several(fields),
            "where": where if where is None else where.data,
            "interviews": interviews,
            "page_size": page_size,
            "check_count": check_count,
            "definition": definition,
            "language": language,
        }
        return Members(self._native, panel_id, choices, False, progress)

    def interviews(
        self,
        survey_id: int,
        *,
        fields: Iterable[str] | None = None,
        where: Expression | None = None,
        state: str | None = None,
        updated_since: datetime | None = None,
        labels: Labels = False,
        code_plan: bool = True,
        structured: bool = False,
        page_size: int | None = None,
        first_page: int | None = None,
        check_count: bool | None = None,
        progress: Reporter = None,
    ) -> Interviews:
        """The interviews of a survey as a table: complete, or an error.

        Args:
            survey_id: The survey.
            fields: The questions and columns to return. Should always be given: it saves time and volume.
            where: Only interviews that pass this test; see `sondage.field`.
            state: Only interviews in this state, for example `Completed`.
            updated_since: Only interviews that changed at this time or later.
            labels: Labels in the place of codes (`True`), or beside them (`"both"`).
            code_plan: Whether to download what the columns mean. For recurring jobs: `False`.
            structured: Reads the structured form in the place of the compact one. The table is the same.
            page_size: Rows on a page. Calls are scarce, so large pages are better.
            first_page: The number of the first page. Default: what the client has found out, or its setting.
            check_count: Whether the service's own count can put the list in doubt. Default: yes.
            progress: A function that is told how far it is, or whether to show a bar. Default: a bar in a terminal or
                notebook, when it takes more than a second.
        """
        from ._queries import Interviews

        choices = {
            "fields": fields if fields is None else several(fields),
            "where": where if where is None else where.data,
            "state": state,
            "updated_since": updated_since,
            "code_plan": code_plan,
            "structured": structured,
            "page_size": page_size,
            "first_page": first_page,
            "check_count": check_count,
        }
        return Interviews(self._native, survey_id, choices, labels, progress)

    def create_members_from(self, panel_id: int, rows: Rows, *, chunk: int = 1000) -> Creation:
        """Creates members from the rows of a table, a column for each field. No row becomes an object on the way.

        Each chunk is sent at most once. When the outcome of one is unknown, or one is refused, nothing more is sent: the
        report says which rows were created, which were not, and of which it is not known.

        Args:
            panel_id: The panel or sample.
            rows: A frame of pandas, polars, pyarrow or DuckDB, the path of a CSV file (all texts, so that no digit is lost), or
                dictionaries.
            chunk: Members in a request. How many the service takes is not published.
        """
        from ._create import creation_of, with_rows

        choices = {"panelId": panel_id, "chunk": chunk}
        return creation_of(self._native.method("create_members_from", *with_rows(choices, rows)).wait())

    def pages(self, call: Callable[P, Listed[T]], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        """The rows of a complete list: `client.pages(client.read_survey_list, workspace_id=3)`."""
        pages = Lister.of(call)(*args, **kwargs)
        while (page := pages.method("next").wait()) is not None:
            yield from page

    def answer(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
        """Makes a call and gives its whole answer: `client.answer(client.read_panel, panel_id=5).headers`."""
        from ._answer import Answer

        try:
            return Answer(**self._whole(call)(*args, **kwargs))
        finally:
            kwargs.clear()

    def confirm_event(self, event: Event, *, columns: Iterable[str] = ()) -> Confirmation:
        """Reads the entity of a webhook's event again: what a callback says is a hint, what the API says is a fact.

        Args:
            event: The event. Those of bounces and opt-outs have no id to ask for.
            columns: Questions and columns of an interview, or fields of a member, to read besides the service's own.
        """
        from ._events import confirm, confirmation_of

        return confirmation_of(confirm(self._native, event, columns).wait())

    def missed_events(
        self, survey_id: int, *, since: datetime, columns: Iterable[str] = (), unknown_to: Guard | None = None
    ) -> Caught:
        """The completed interviews of a survey since a time, as the same events that a webhook delivers.

        Args:
            survey_id: The survey.
            since: Interviews that changed at this time or later: `until` of the last time.
            columns: Questions and columns to read besides `Id`, `State` and `UpdatedAt`.
            unknown_to: Leaves out what this guard knows as handled.
        """
        from ._events import caught_of

        return caught_of(self._missed(survey_id, since, columns, unknown_to).wait())

    def raw(self, path: str, body: Any, *, effect: Effect) -> Any:
        """Calls an operation that this version does not know.

        Args:
            path: Its path, such as `/publicapi/Panel/v3/ReadPanel`.
            body: The body, sent as it is: a tenant that the operation needs stands in it.
            effect: What the call may do. It decides what happens after an unknown outcome.
        """
        work = self._native.method("raw", {"path": path, "body": body, "effect": effect})
        del body
        return work.wait()

    def logout(self) -> None:
        """Forgets the tokens, in memory and in `token_file`. A person's login ends with it.

        With a secret, a password or a token provider the next call gets a new token. A token that was copied stays good
        until it ends: the service has no known way to end it.
        """
        self._native.method("logout").wait()

    def close(self, patience: float = 30.0) -> list[PendingWrite]:
        """Takes no more calls and waits up to `patience` seconds for writes that are under way.

        What is still under way then goes on, and is returned.
        """
        return self._writes(self._native.method("close", patience).wait())

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Base, AsyncJobs, AsyncOperations):
    """A client for asyncio. Cancelling a task ends its read; a write that was sent goes on by itself."""

    __slots__ = ()

    def members(
        self,
        panel_id: int,
        *,
        fields: Iterable[str] | None = None,
        where: Expression | None = None,
        interviews: bool = False,
        page_size: int | None = None,
        check_count: bool | None = None,
        definition: bool = False,
        language: str | None = None,
        progress: Reporter = None,
    ) -> AsyncMembers:
        """The members of a panel or sample of any size: `async for` reads them; or take them as a table.

        Args:
            panel_id: The panel or sample.
            fields: Only these fields. Naming them makes broad panels much faster.
            where: Only members who pass this test; see `sondage.field`.
            interviews: Each member with its interviews.
            page_size: Rows on a page. Calls are scarce, so large pages are better.
            check_count: Whether the service's own count can put the list in doubt. Default: yes.
            definition: For a table: types and labels from the definition of the panel, by one more call.
            language: For a table: in which language the labels are.
            progress: For a table: a function that is told how far it is, or whether to show a bar. Default: a bar in a
                terminal or notebook, when it takes more than a second.
        """
        from ._queries import AsyncMembers

        choices = {
            "fields": fields if fields is None else several(fields),
            "where": where if where is None else where.data,
            "interviews": interviews,
            "page_size": page_size,
            "check_count": check_count,
            "definition": definition,
            "language": language,
        }
        return AsyncMembers(self._native, panel_id, choices, False, progress)

    def interviews(
        self,
        survey_id: int,
        *,
        fields: Iterable[str] | None = None,
        where: Expression | None = None,
        state: str | None = None,
        updated_since: datetime | None = None,
        labels: Labels = False,
        code_plan: bool = True,
        structured: bool = False,
        page_size: int | None = None,
        first_page: int | None = None,
        check_count: bool | None = None,
        progress: Reporter = None,
    ) -> AsyncInterviews:
        """The interviews of a survey as a table: complete, or an error.

        Args:
            survey_id: The survey.
            fields: The questions and columns to return. Should always be given: it saves time and volume.
            where: Only interviews that pass this test; see `sondage.field`.
            state: Only interviews in this state, for example `Completed`.
            updated_since: Only interviews that changed at this time or later.
            labels: Labels in the place of codes (`True`), or beside them (`"both"`).
            code_plan: Whether to download what the columns mean. For recurring jobs: `False`.
            structured: Reads the structured form in the place of the compact one. The table is the same.
            page_size: Rows on a page. Calls are scarce, so large pages are better.
            first_page: The number of the first page. Default: what the client has found out, or its setting.
            check_count: Whether the service's own count can put the list in doubt. Default: yes.
            progress: A function that is told how far it is, or whether to show a bar. Default: a bar in a terminal or
                notebook, when it takes more than a second.
        """
        from ._queries import AsyncInterviews

        choices = {
            "fields": fields if fields is None else several(fields),
            "where": where if where is None else where.data,
            "state": state,
            "updated_since": updated_since,
            "code_plan": code_plan,
            "structured": structured,
            "page_size": page_size,
            "first_page": first_page,
            "check_count": check_count,
        }
        return AsyncInterviews(self._native, survey_id, choices, labels, progress)

    async def create_members_from(self, panel_id: int, rows: Rows, *, chunk: int = 1000) -> Creation:
        """Creates members from the rows of a table, a column for each field. No row becomes an object on the way.

        Each chunk is sent at most once. When the outcome of one is unknown, or one is refused, nothing more is sent: the
        report says which rows were created, which were not, and of which it is not known.

        Args:
            panel_id: The panel or sample.
            rows: A frame of pandas, polars, pyarrow or DuckDB, the path of a CSV file (all texts, so that no digit is lost), or
                dictionaries.
            chunk: Members in a request. How many the service takes is not published.
        """
        from ._create import creation_of, with_rows

        choices = {"panelId": panel_id, "chunk": chunk}
        return creation_of(await self._native.method("create_members_from", *with_rows(choices, rows)).start())

    async def pages(
        self, call: Callable[P, Coroutine[Any, Any, Listed[T]]], /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncIterator[T]:
        """The rows of a complete list: `async for survey in client.pages(client.read_survey_list, workspace_id=3)`."""
        pages = await Lister.of(call)(*args, **kwargs)
        while (page := await pages.method("next").start()) is not None:
            for row in page:
                yield row

    async def answer(
        self, call: Callable[P, Coroutine[Any, Any, T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Answer[T]:
        """Makes a call and gives its whole answer: `await client.answer(client.read_panel, panel_id=5)`."""
        from ._answer import Answer

        try:
            return Answer(**await self._whole(call)(*args, **kwargs))
        finally:
            kwargs.clear()

    async def confirm_event(self, event: Event, *, columns: Iterable[str] = ()) -> Confirmation:
        """Reads the entity of a webhook's event again: what a callback says is a hint, what the API says is a fact.

        Args:
            event: The event. Those of bounces and opt-outs have no id to ask for.
            columns: Questions and columns of an interview, or fields of a member, to read besides the service's own.
        """
        from ._events import confirm, confirmation_of

        return confirmation_of(await confirm(self._native, event, columns).start())

    async def missed_events(
        self, survey_id: int, *, since: datetime, columns: Iterable[str] = (), unknown_to: Guard | None = None
    ) -> Caught:
        """The completed interviews of a survey since a time, as the same events that a webhook delivers.

        Args:
            survey_id: The survey.
            since: Interviews that changed at this time or later: `until` of the last time.
            columns: Questions and columns to read besides `Id`, `State` and `UpdatedAt`.
            unknown_to: Leaves out what this guard knows as handled.
        """
        from ._events import caught_of

        return caught_of(await self._missed(survey_id, since, columns, unknown_to).start())

    async def raw(self, path: str, body: Any, *, effect: Effect) -> Any:
        """Calls an operation that this version does not know.

        Args:
            path: Its path, such as `/publicapi/Panel/v3/ReadPanel`.
            body: The body, sent as it is: a tenant that the operation needs stands in it.
            effect: What the call may do. It decides what happens after an unknown outcome.
        """
        work = self._native.method("raw", {"path": path, "body": body, "effect": effect})
        del body
        return await work.start()

    async def logout(self) -> None:
        """Forgets the tokens, in memory and in `token_file`. A person's login ends with it.

        With a secret, a password or a token provider the next call gets a new token. A token that was copied stays good
        until it ends: the service has no known way to end it.
        """
        await self._native.method("logout").start()

    async def close(self, patience: float = 30.0) -> list[PendingWrite]:
        """Takes no more calls and waits up to `patience` seconds for writes that are under way.

        What is still under way then goes on, and is returned.
        """
        return self._writes(await self._native.method("close", patience).start())

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
