"""Calls a token provider and a token store, on a thread of their own, so that they may block."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Awaitable, Callable
    from contextvars import Context
    from typing import Any, Union

    from ._stores import TokenStore

    TokenProvider = Callable[[], Union[str, Awaitable[str]]]


def ask(provider: TokenProvider, context: Context | None, loop: AbstractEventLoop | None, _: tuple[()]) -> str:
    """A token."""
    answer = _finished(provider, (), context, loop)
    if not isinstance(answer, str):
        raise TypeError(f"it returned a value of type {type(answer).__name__}, not the token as text")
    return answer


def keep(store: TokenStore, context: Context | None, loop: AbstractEventLoop | None, asked: tuple[str, str, str | None]) -> str | None:
    """Calls a method of a store. The result is an entry or None."""
    what, key, text = asked
    answer = _finished(getattr(store, what), (key, text) if what == "save" else (key,), context, loop)
    if what != "load" or answer is None:
        return None
    if not isinstance(answer, str):
        raise TypeError(f"token_store.load returned a value of type {type(answer).__name__}, not text")
    return answer


def _finished(function: Any, given: tuple[Any, ...], context: Context | None, loop: AbstractEventLoop | None) -> Any:
    """The result of a function. An async one runs on the caller's event loop, or on one of its own if there is none."""
    from contextvars import copy_context

    # A copy, because a context runs one function at a time.
    context = context.copy() if context else copy_context()
    answer = context.run(function, *given)
    if not hasattr(answer, "__await__"):
        return answer
    import asyncio

    if loop is not None and loop.is_running():
        return context.run(asyncio.run_coroutine_threadsafe, _wait(answer), loop).result()
    return context.run(asyncio.run, _wait(answer))


async def _wait(answer: Awaitable[Any]) -> Any:
    return await answer
