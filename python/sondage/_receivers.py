"""Receivers of webhooks for web frameworks."""

from __future__ import annotations

from inspect import isawaitable, iscoroutinefunction
from logging import getLogger

from ._guard import Guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fastapi import APIRouter
    from starlette.requests import Request
    from starlette.responses import Response

    from .webhooks import Event, Hook


def router(
    hook: Hook,
    handle: Callable[[Event], object] | Callable[[Event], Awaitable[object]],
    *,
    path: str = "/hooks",
    guard: Guard | None = None,
) -> APIRouter:
    """A receiver for FastAPI: `app.include_router(sondage.webhooks.router(hook, handle))`.

    It reads no more of a request than the hook allows, verifies it, and handles each event once. It answers 401 to strangers, 204 when an
    event was handled, now or before, and 503 while another worker handles it, or if the guard's folder or store cannot be used, which is
    logged. An exception of `handle` is passed on to the application, which answers 500: the event was not handled, and the service sends
    it again.

    Args:
        hook: What was registered.
        handle: Handles an event: a function, which runs in a thread, or an async one.
        path: Where requests arrive; parts that follow it are accepted too, for `obscure_url`.
        guard: Remembers the events that were handled. Default: a new one in memory, for this router alone.
    """
    from fastapi import APIRouter
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import Response

    from ._error import SondageError
    from .webhooks import Refused

    remembered = Guard() if guard is None else guard

    async def receive(request: Request) -> Response:
        try:
            body = await hook.read(request.stream())
            event = hook.verify(url=request.url, headers=request.headers, body=body)
        except Refused as refused:
            return Response(status_code=refused.STATUS, headers={"Connection": "close"})
        failed: Exception | None = None
        try:
            async with await run_in_threadpool(remembered.claim, event) as claim:
                if claim.is_new:
                    try:
                        done = handle(event) if iscoroutinefunction(handle) else await run_in_threadpool(handle, event)
                        if isawaitable(done):
                            await done
                    except Exception as raised:
                        failed = raised
                        raise
        except SondageError:
            if failed is not None:
                raise
            getLogger("sondage").exception("an event was refused with 503, because the guard cannot remember it")
            return Response(status_code=503)
        return Response(status_code=claim.status)

    router = APIRouter()
    router.add_route(path + "{secret:path}", receive, methods=["POST"])
    return router
