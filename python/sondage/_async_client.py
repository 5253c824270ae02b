"""The client, for asyncio. Here are the methods that are not generated."""

from __future__ import annotations

from ._async_methods import AsyncMethods
from ._async_operations import AsyncOperations
from ._base import Base, Lister, name_methods

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
    from typing import Any, ParamSpec, TypeVar

    from ._base import Listed
    from ._entities import Confirmation, Event
    from ._reports import PendingWrite
    from ._response import Response
    from ._table import Table
    from .types import Effect

    P = ParamSpec("P")
    T = TypeVar("T")
    Self = TypeVar("Self", bound="AsyncClient")


class AsyncClient(Base, AsyncMethods, AsyncOperations):
    """A client for asyncio. Cancelling a task ends its read; a write that was sent continues."""

    __slots__ = ()

    async def pages(
        self, call: Callable[P, Coroutine[Any, Any, Listed[T]]], /, *args: P.args, **kwargs: P.kwargs
    ) -> AsyncIterator[T]:
        """The rows of a complete list: `async for survey in client.pages(client.read_survey_list, workspace_id=3)`."""
        pages = await Lister.of(call)(*args, **kwargs)
        while (page := await pages.method("next").start()) is not None:
            for row in page:
                yield row

    async def with_response(
        self, call: Callable[P, Coroutine[Any, Any, T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Response[T]:
        """Makes a call and returns its full response: `await client.with_response(client.read_panel,
        panel_id=5)`."""
        from ._response import Response

        try:
            return Response(**await self._with_response(call)(*args, **kwargs))
        finally:
            kwargs.clear()

    async def confirm_event(self, event: Event, *, columns: Iterable[str] = ()) -> Confirmation:
        """Reads the entity of a webhook event from the API: a callback can be forged or late, the API's data
        cannot.

        Args:
            event: The event. Bounces and opt-outs cannot be read by an id.
            columns: Questions and columns of an interview, or fields of a member, to read in addition to the service's own.
        """
        from ._events import confirm, confirmation_of

        return confirmation_of(await confirm(self._native, event, columns).start())

    async def raw(self, path: str, body: Any, *, effect: Effect) -> Any:
        """Calls an operation that this version does not know.

        Args:
            path: Its path, such as `/publicapi/Panel/v3/ReadPanel`.
            body: The body, sent unchanged. If the operation needs a tenant, the body must contain it.
            effect: The effect of the call. It decides what happens after an unknown outcome.
        """
        work = self._native.method("raw", {"path": path, "body": body, "effect": effect})
        del body
        return await work.start()

    async def close(self, timeout: float = 30.0) -> list[PendingWrite]:
        """Rejects new calls, and waits up to `timeout` seconds for writes in progress.

        Writes that are still in progress afterwards continue, and are returned.
        """
        return self._writes(await self._native.method("close", timeout).start())

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def table(
        self, call: Callable[P, Coroutine[Any, Any, Listed[T]]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        """A complete list as a table: `await client.table(client.read_bounce_list, survey_id=7)`.

        It has a column for each field of the rows' class; lists and objects are JSON texts. Fields that this version does
        not know are in the column `extra`, as JSON.
        """
        from ._table import Table

        pages = await Lister.of(call)(*args, **kwargs)
        return Table(await pages.method("table", "snake").start())


name_methods(AsyncClient)
