"""Calls a token provider, and the methods of stores and journals, on a thread of their own, so that they may block."""

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
    answer = finished(provider, (), context, loop)
    if not isinstance(answer, str):
        raise TypeError(f"it returned a value of type {type(answer).__name__}, not the token as text")
    return answer


def keep(store: TokenStore, context: Context | None, loop: AbstractEventLoop | None, asked: tuple[str, str, str | None]) -> str | None:
    """Calls a method of a store. The result is an entry or None."""
    what, key, text = asked
    answer = finished(getattr(store, what), (key, text) if what == "save" else (key,), context, loop)
    if what != "load" or answer is None:
        return None
    if not isinstance(answer, str):
        raise TypeError(f"token_store.load returned a value of type {type(answer).__name__}, not text")
    return answer


def finished(function: Any, given: tuple[Any, ...], context: Context | None, loop: AbstractEventLoop | None) -> Any:
    """The result of a function. An async one runs on the caller's event loop, or on one of its own if there is none."""
    from contextvars import copy_context

    # A copy, because a context runs one function at a time.
    context = context.copy() if context else copy_context()
    answer = context.run(function, *given)
    if not hasattr(answer, "__await__"):
        return answer
    import asyncio

    here = running()
    if here is not None:
        # On the thread of a loop, where a plan may be dropped, waiting for that loop would never end.
        context.run(asyncio.run_coroutine_threadsafe, awaited(answer), here)
        return None
    if loop is not None and loop.is_running():
        return context.run(asyncio.run_coroutine_threadsafe, awaited(answer), loop).result()
    return context.run(asyncio.run, awaited(answer))


def running() -> AbstractEventLoop | None:
    """The event loop of this thread, if one runs."""
    from sys import modules

    asyncio = modules.get("asyncio")
    try:
        return None if asyncio is None else asyncio.get_running_loop()
    except RuntimeError:
        return None


async def awaited(answer: Awaitable[Any]) -> Any:
    return await answer
