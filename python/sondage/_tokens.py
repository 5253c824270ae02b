"""Calls a token provider, on a thread of its own, so that the function may block."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Awaitable, Callable
    from contextvars import Context
    from typing import Union

    TokenProvider = Callable[[], Union[str, Awaitable[str]]]


def ask(provider: TokenProvider, context: Context | None, loop: AbstractEventLoop | None) -> str:
    """A token. An async provider runs on the caller's event loop, or on one of its own if there is none."""
    from contextvars import copy_context

    context = context or copy_context()
    answer = context.run(provider)
    if hasattr(answer, "__await__"):
        import asyncio

        if loop is not None and loop.is_running():
            answer = context.run(asyncio.run_coroutine_threadsafe, _wait(answer), loop).result()
        else:
            answer = context.run(asyncio.run, _wait(answer))
    if not isinstance(answer, str):
        raise TypeError(f"it returned a value of type {type(answer).__name__}, not the token as text")
    return answer


async def _wait(answer: Awaitable[str]) -> str:
    return await answer
