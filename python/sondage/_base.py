"""The common part of both clients: their settings and the options of their calls."""

from __future__ import annotations

from ._habits import Habits
from ._settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import timedelta
    from typing import Any, NoReturn, Protocol, TypeVar

    from ._config import Config
    from ._native import Handle
    from ._reports import PendingWrite

    Self = TypeVar("Self", bound="Base")
    T = TypeVar("T", covariant=True)

    class Listed(Protocol[T]):
        """A response that is one page of a list."""

        @property
        def _rows(self) -> Sequence[T]: ...


class Base(Habits, Settings):
    """Settings and options."""

    __slots__ = ("__weakref__",)

    def __repr__(self) -> str:
        if not hasattr(self, "_native"):  # its constructor has failed, and a crash reporter looks at it
            return f"<sondage.{type(self).__name__} without settings>"
        settings = self.config.explain()
        shown = [f"{name}={settings[name].value}" for name in ("tenant", "base_url", "profile") if settings[name].value]
        return f"<sondage.{type(self).__name__} {' '.join(shown)}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client does not leave its process: hand over its settings, and make a client of them there")

    @property
    def config(self) -> Config:
        """The settings and their sources."""
        from ._config import Config

        return Config(self._native)

    @classmethod
    def _of(cls: type[Self], native: Handle) -> Self:
        client = cls.__new__(cls)
        client._native = native
        return client

    def with_options(
        self: Self,
        *,
        deadline: float | timedelta | None = None,
        attempts: int | None = None,
        timeout: float | timedelta | None = None,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> Self:
        """The same client with other options for its calls. Both share tokens and connections.

        Args:
            deadline: Seconds that a call may take in total, with waiting, retries and the token; for a list, each page.
            attempts: At most this many attempts, from 1 to 20. A write that may have arrived is never sent again.
            timeout: Seconds for one attempt; after that, the next one follows. A call that writes gets at least 200.
            headers: Headers to add to each request, except those that the library sets itself, such as `Authorization`.
            extra: Fields for the body that this version of the library does not know.
        """
        options = {
            "deadline": deadline,
            "attempts": attempts,
            "timeout": timeout,
            "headers": None if headers is None else dict(headers),
            "extra": None if extra is None else dict(extra),
        }
        del headers, extra
        try:
            return self._of(self._native.method("with_options", options))
        finally:
            options.clear()

    @staticmethod
    def _writes(found: list[dict[str, Any]]) -> list[PendingWrite]:
        from ._reports import pending_write_of

        return [pending_write_of(write) for write in found]

    @staticmethod
    def _with_response(call: Callable[..., Any]) -> Callable[..., Any]:
        """The same method of a client like this one that returns full responses."""
        return _rebind(call, lambda native: native.method("whole"))


def name_methods(client: type) -> None:
    """Names a client's methods after it: Python's own errors say `Client.read_panel()`, not where it is written.

    What both clients inherit is named after `Client`.
    """
    for base in client.__mro__:
        owner = "Client" if base.__module__ in (Base.__module__, Settings.__module__) else client.__name__
        for name, method in vars(base).items() if base.__module__.startswith("sondage.") else ():
            if hasattr(method, "__code__"):
                method.__qualname__ = f"{owner}.{name}"


class Lister:
    """Replaces the native client: a call returns the pages of its list."""

    __slots__ = ("_native",)

    def __init__(self, native: Handle) -> None:
        self._native = native

    def call(self, method: str, arguments: dict[str, Any]) -> Handle:
        return self._native.pages(method, arguments)

    async def start(self, method: str, arguments: dict[str, Any]) -> Handle:
        return self._native.pages(method, arguments)

    @staticmethod
    def of(call: Callable[..., Any]) -> Callable[..., Any]:
        """The same method, returning pages."""
        return _rebind(call, Lister)


def _rebind(call: Callable[..., Any], change: Callable[[Handle], Any]) -> Callable[..., Any]:
    """The same method of a client like its own, with another native client."""
    owner = getattr(call, "__self__", None)
    if not isinstance(owner, Base):
        raise TypeError("this takes a method of a client, such as client.read_panel")
    method: Callable[..., Any] = getattr(owner._of(change(owner._native)), call.__name__)
    return method
