"""The base of all exceptions. The others are generated, in `_errors.py`."""

from __future__ import annotations

from ._failure import ATTRIBUTES, Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class SondageError(Failure):
    """The base class of all exceptions of this library.

    Its text says what happened, whether anything was changed, and what to do next. The attributes say the same in a form
    that programs can use.
    """

    kind: str = ""
    """The kind of error, the same word in every language."""


SondageError.__module__ = "sondage"


def made(failure: dict[str, Any]) -> Exception:
    """The exception for an error of the core."""
    from ._errors import BY_KIND, NetworkTimeout

    cls = BY_KIND.get(failure["code"])
    if cls is None:
        return RuntimeError(failure["message"])
    if failure["timedOut"] and issubclass(NetworkTimeout, cls):
        cls = NetworkTimeout
    error = cls(failure["message"])
    for name, key in ATTRIBUTES.items():
        setattr(error, name, failure[key])
    return error


def error_of(failure: Any) -> Any:
    """The exception for an error of the core, if there was one."""
    return None if failure is None else made(failure)
