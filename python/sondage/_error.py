"""The base of all exceptions. The others are generated, in `_errors.py`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class SondageError(Exception):
    """Whatever goes wrong in this library.

    Its text reads like advice: what happened, whether anything was changed, what to do next. The attributes say the same
    to a program.
    """

    kind: str = ""
    """What a caller can do next, in one word: the same in every language."""
    operation: str | None = None
    """The operation, by the API's name."""
    attempts: int = 0
    """Number of attempts; 0 if the request was never tried."""
    status: int | None = None
    """HTTP status of the last answer."""
    error_code: str | None = None
    """The service's `errorCode`."""
    error_message: str | None = None
    """The service's `errorMessage`."""
    request_id: str | None = None
    """The id under which the service may find the request in its own logs."""
    delivery: str = "no"
    """Whether the request reached the service: `no`, `answered` or `unknown`."""
    safe_to_retry: bool = False
    """Whether the same call can be made again without having its effect twice."""
    retry_after: float | None = None
    """How many seconds the service asked to wait."""
    hint: str = ""
    """What to do next."""
    reconcile: str | None = None
    """After an unknown outcome: how to find out what happened."""
    write_id: str | None = None
    """After an unknown outcome of an operation that is never repeated: by this id `reconcile` of a client knows what was
    sent, in this process."""


SondageError.__module__ = "sondage"

_ATTRIBUTES = {
    "operation": "operation",
    "attempts": "attempts",
    "status": "status",
    "error_code": "errorCode",
    "error_message": "errorMessage",
    "request_id": "requestId",
    "delivery": "delivery",
    "safe_to_retry": "safeToRetry",
    "retry_after": "retryAfter",
    "hint": "hint",
    "reconcile": "reconcile",
    "write_id": "writeId",
}


def made(failure: dict[str, Any]) -> Exception:
    """The exception for what the core knows about an error."""
    from ._errors import BY_KIND

    cls = BY_KIND.get(failure["code"])
    if cls is None:
        return RuntimeError(failure["message"])
    error = cls(failure["message"])
    for name, key in _ATTRIBUTES.items():
        setattr(error, name, failure[key])
    return error


def error_of(failure: Any) -> Any:
    """The exception for what is known about an error, if there was one."""
    return None if failure is None else made(failure)
