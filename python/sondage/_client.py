"""The two clients."""

from __future__ import annotations

from ._base import Base, Lister
from ._jobs import AsyncJobs, Jobs
from ._methods import AsyncMethods, Methods
from ._operations import AsyncOperations, Operations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
    from types import TracebackType
    from typing import Any, ParamSpec, TypeVar

    from ._response import Response
    from ._base import Listed
    from ._entities import Confirmation, Event
    from ._reports import PendingWrite
    from .types import Effect

    P = ParamSpec("P")
    T = TypeVar("T")


class Client(Base, Methods, Jobs, Operations):
    """A client whose calls wait for their answers.

    It can be used from any number of threads, and after a fork. Ctrl-C ends a wait.
    """

    __slots__ = ()

    def pages(self, call: Callable[P, Listed[T]], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        """The rows of a complete list: `client.pages(client.read_survey_list, workspace_id=3)`."""
        pages = Lister.of(call)(*args, **kwargs)
        while (page := pages.method("next").wait()) is not None:
            yield from page

    def with_response(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Response[T]:
        """Makes a call and gives its whole answer: `client.with_response(client.read_panel, panel_id=5).headers`."""
        from ._response import Response

        try:
            return Response(**self._whole(call)(*args, **kwargs))
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

    def close(self, timeout: float = 30.0) -> list[PendingWrite]:
        """Refuses new calls and waits up to `timeout` seconds for writes that are under way.

        Writes that are still under way after that continue, and are returned.
        """
        return self._writes(self._native.method("close", timeout).wait())

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Base, AsyncMethods, AsyncJobs, AsyncOperations):
    """A client for asyncio. Cancelling a task ends its read; a write that was sent goes on by itself."""

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
        """Makes a call and gives its whole answer: `await client.with_response(client.read_panel, panel_id=5)`."""
        from ._response import Response

        try:
            return Response(**await self._whole(call)(*args, **kwargs))
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

    async def close(self, timeout: float = 30.0) -> list[PendingWrite]:
        """Refuses new calls and waits up to `timeout` seconds for writes that are under way.

        Writes that are still under way after that continue, and are returned.
        """
        return self._writes(await self._native.method("close", timeout).start())

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
