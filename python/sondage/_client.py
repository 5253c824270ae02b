"""The two clients."""

from __future__ import annotations

from ._base import Base
from ._operations import AsyncOperations, Operations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from types import TracebackType
    from typing import Any, ParamSpec, TypeVar

    from ._answer import Answer
    from ._base import PendingWrite
    from .types import Effect

    P = ParamSpec("P")
    T = TypeVar("T")


class Client(Base, Operations):
    """A client whose calls wait for their answers.

    It can be used from any number of threads, and after a fork. Ctrl-C ends a wait.
    """

    __slots__ = ()

    def answer(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
        """Makes a call and gives its whole answer: `client.answer(client.read_panel, panel_id=5).headers`."""
        answer: Answer[T] = self._whole(call)(*args, **kwargs)
        return answer

    def raw(self, path: str, body: Any, *, effect: Effect) -> Any:
        """Calls an operation that this version does not know.

        Args:
            path: Its path, such as `/publicapi/Panel/v3/ReadPanel`.
            body: The body, sent as it is: a tenant that the operation needs stands in it.
            effect: What the call may do. It decides what happens after an unknown outcome.
        """
        return self._native.raw(path, body, effect).wait()

    def close(self, patience: float = 30.0) -> list[PendingWrite]:
        """Takes no more calls and waits up to `patience` seconds for writes that are under way.

        What is still under way then goes on, and is returned.
        """
        return self._writes(self._native.close(patience).wait())

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Base, AsyncOperations):
    """A client for asyncio. Cancelling a task ends its read; a write that was sent goes on by itself."""

    __slots__ = ()

    async def answer(
        self, call: Callable[P, Coroutine[Any, Any, T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Answer[T]:
        """Makes a call and gives its whole answer: `await client.answer(client.read_panel, panel_id=5)`."""
        answer: Answer[T] = await self._whole(call)(*args, **kwargs)
        return answer

    async def raw(self, path: str, body: Any, *, effect: Effect) -> Any:
        """Calls an operation that this version does not know.

        Args:
            path: Its path, such as `/publicapi/Panel/v3/ReadPanel`.
            body: The body, sent as it is: a tenant that the operation needs stands in it.
            effect: What the call may do. It decides what happens after an unknown outcome.
        """
        return await self._native.raw(path, body, effect).start()

    async def close(self, patience: float = 30.0) -> list[PendingWrite]:
        """Takes no more calls and waits up to `patience` seconds for writes that are under way.

        What is still under way then goes on, and is returned.
        """
        return self._writes(await self._native.close(patience).start())

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
