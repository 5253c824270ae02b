"""The settings of a client, and their sources."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing import Any

    from ._native import Handle


class Setting:
    """A setting as the client uses it."""

    __slots__ = ("name", "value", "source")
    name: str
    """The setting."""
    value: str | None
    """The value, masked where it is secret; `None` when it is not set."""
    source: str | None
    """The source; `None` if it is not set."""

    def __init__(self, name: str, value: str | None, source: str | None) -> None:
        self.name = name
        self.value = value
        self.source = source

    def __repr__(self) -> str:
        return f"Setting({self.name}={self.value!r}, from {self.source})"


class Explanation:
    """Every setting with its value and its source. Shown as a table."""

    __slots__ = ("_text", "_settings")

    def __init__(self, text: str, settings: list[dict[str, Any]]) -> None:
        self._text = text
        self._settings = {one["setting"]: Setting(one["setting"], one["value"], one["source"]) for one in settings}

    def __getitem__(self, name: str) -> Setting:
        return self._settings[name]

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._settings.values())

    def __len__(self) -> int:
        return len(self._settings)

    def __repr__(self) -> str:
        return self._text


class Config:
    """The settings of a client, read-only."""

    __slots__ = ("_native",)

    def __init__(self, native: Handle) -> None:
        self._native = native

    def explain(self) -> Explanation:
        """Every setting and its source; secrets are masked."""
        return Explanation(**self._native.method("explain"))

    def __repr__(self) -> str:
        return repr(self.explain())
