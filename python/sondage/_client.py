"""The two clients."""

from __future__ import annotations

from ._async_calls import AsyncCalls
from ._blocking_calls import Calls
from ._methods import AsyncMethods, Methods
from ._operations import AsyncOperations, Operations


class Client(Calls, Methods, Operations):
    """A blocking client.

    It can be used from any number of threads, and after a fork. Ctrl-C ends a wait.
    """

    __slots__ = ()


class AsyncClient(AsyncCalls, AsyncMethods, AsyncOperations):
    """A client for asyncio. Cancelling a task ends its read; a write that was sent continues."""

    __slots__ = ()


def _name(client: type) -> None:
    """Names a client's methods after it: Python's own errors say `Client.read_panel()`, not where it is written."""
    for base in client.__mro__:
        for name, method in vars(base).items() if base.__module__.startswith("sondage.") else ():
            if hasattr(method, "__code__"):
                method.__qualname__ = f"{client.__name__}.{name}"


_name(AsyncClient)
_name(Client)
