"""Settings as they are given in Python, on their way to the core."""

from __future__ import annotations

from ._native import Thing
from ._native import connect as connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def connect(given: dict[str, Any]) -> Thing:
    """The native client for the arguments of a constructor."""
    provider = given.pop("token_provider")
    return connected(as_text(given), provider)


def as_text(given: dict[str, Any]) -> dict[str, str]:
    """Each setting as text: the core reads those of the environment, of a file and of a program in one way."""
    settings = {name: value for name, value in given.items() if name not in ("self", "credentials")}
    credentials = given.get("credentials")
    if credentials is not None:
        settings.update({name: value for name, value in credentials.settings.items() if value is not None})
    return {name: _text(value) for name, value in settings.items() if value is not None}


def wire(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments by the names that the core has for them: `page_size` as `pageSize`."""
    return {camel(name): value for name, value in given.items()}


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.__fspath__() if hasattr(value, "__fspath__") else str(value)
