"""A response with its HTTP details."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Response(Generic[T]):
    """A typed response together with the HTTP response from which it was decoded."""

    __slots__ = ("value", "status", "headers", "text", "attempts")
    value: T
    """The typed response."""
    status: int
    """HTTP status."""
    headers: dict[str, str]
    """Headers, by their names in lower case."""
    text: str
    """The body as received, decompressed."""
    attempts: int
    """Number of attempts."""

    def __init__(self, value: T, status: int, headers: dict[str, str], text: str, attempts: int = 1) -> None:
        self.value = value
        self.status = status
        self.headers = headers
        self.text = text
        self.attempts = attempts

    def __repr__(self) -> str:
        return f"Response(status={self.status}, value={self.value!r})"
