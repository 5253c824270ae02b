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
