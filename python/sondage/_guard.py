"""Handles each event once, although it may be delivered twice."""

from __future__ import annotations

from os import PathLike, fspath

from ._bases import GuardMethods
from ._native import Handle, guard_with_store, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import timedelta
    from typing import Literal

    from ._entities import Event
    from ._stores import EventStore


class Claim:
    """The result of claiming an event, as a `with` block. If the block raises an exception, the event can be claimed again."""

    __slots__ = ("state", "_native")
    state: Literal["new", "done", "busy"]
    """`new`: handle it. `done`: it was handled before. `busy`: another worker is handling it, and may fail."""

    def __init__(self, native: Handle) -> None:
        self.state = native.method("state")
        self._native = native

    @property
    def is_new(self) -> bool:
        """Whether the event is to be handled now, in the block."""
        return self.state == "new"

    @property
    def status(self) -> int:
        """The status to respond with after the block: 204, or 503 so that the service retries."""
        return 503 if self.state == "busy" else 204

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._native.method("end", kind is None)

    async def __aenter__(self) -> Claim:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        from asyncio import to_thread

        await to_thread(self.__exit__, kind)  # a store may wait


class Guard(GuardMethods):
    """Remembers which events were handled. It can be used from any number of threads.

        with guard.claim(event) as claim:
            if claim.is_new:
                handle(event)           # an exception gives the event back: the next delivery is new again
        return Response(status_code=claim.status)

    Without a `folder` it is lost with the process. With one it is shared by all processes that name the folder, over restarts and
    deployments. Between machines, use a `store`; or store `event.key` in a unique column of your database, in the transaction that handles
    the event.

    Args:
        capacity: How many events are remembered in memory: the latest 100,000.
        folder: Where events are remembered. It is created if it is missing, and only its owner can read it. `prune` removes old
            events. If it cannot be used, `claim` raises an error: answer with 503, and the service sends the event again.
        store: Where events are remembered: a `SqliteStore`, or an object of your own with the methods of `EventStore`.
        lease: How many seconds an event stays claimed by a process that was killed while it handled it: longer than handling an
            event ever takes. Default: ten minutes.
    """

    __slots__ = ()

    def __init__(
        self,
        capacity: int | None = None,
        *,
        folder: str | PathLike[str] | None = None,
        store: EventStore | None = None,
        lease: float | timedelta | None = None,
    ) -> None:
        seconds = lease if lease is None or isinstance(lease, (int, float)) else lease.total_seconds()
        if store is not None:
            from ._convert import wrong
            from ._event_stores import AskedEvents

            if capacity is not None or folder is not None:
                raise wrong("a guard with a `store` has neither `capacity` nor `folder`", "Leave them out, or leave `store` out.")
            super().__init__(guard_with_store(type(store).__name__, AskedEvents(store), seconds))
            return
        place = fspath(folder) if isinstance(folder, PathLike) else folder
        super().__init__(make("guard", {"capacity": capacity, "folder": place, "lease": seconds}))

    def claim(self, event: Event) -> Claim:
        """Claims an event: use the result in a `with` block."""
        return Claim(self._native.method("claim", [event.key] if event.also is None else [event.key, event.also]))
