"""Handles each event once, although it may be delivered twice."""

from __future__ import annotations

from ._bases import GuardMethods
from ._native import Handle, make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ._entities import Event


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
        self.__exit__(kind)


class Guard(GuardMethods):
    """Remembers the latest events that were handled. It can be used from any number of threads.

        with guard.claim(event) as claim:
            if claim.is_new:
                handle(event)           # an exception gives the event back: the next delivery is new again
        return Response(status_code=claim.status)

    It is lost with the process. Across restarts and machines, store `event.key` in a unique column of your database, in
    the transaction that handles the event.

    Args:
        capacity: How many events are remembered.
    """

    __slots__ = ()

    def __init__(self, capacity: int = 100_000) -> None:
        super().__init__(make("guard", capacity))

    def claim(self, event: Event) -> Claim:
        """Claims an event: use the result in a `with` block."""
        return Claim(self._native.method("claim", [event.key] if event.also is None else [event.key, event.also]))
