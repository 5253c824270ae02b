"""Spans and metrics of a client's calls, for OpenTelemetry. It needs the package `opentelemetry-api`.

    with sondage.opentelemetry.instrument(client):
        client.read_panel(panel_id=7)

The client must keep a trace: set `trace_entries`, for example to 1000.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from opentelemetry import metrics, trace
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from . import _native
from ._reports import trace_of

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import Span, TracerProvider
    from opentelemetry.util.types import AttributeValue

    from ._async_client import AsyncClient
    from ._blocking_client import Client
    from ._reports import Trace, TraceEntry

__all__ = ["Instrumentation", "instrument"]

_NANOSECONDS = 1_000_000_000
# How long a reader waits for the next entry before it checks whether to stop, in seconds.
_TICK = 0.5
_PROPAGATOR = TraceContextTextMapPropagator()


def _parent() -> str | None:
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier.get("traceparent")


# While there is one, each call requests the current span.
_open: set[Instrumentation] = set()
_lock = threading.Lock()


class Instrumentation:
    """Turns the trace of a client into spans and metrics until it is closed."""

    def __init__(self, client: Client | AsyncClient, tracers: TracerProvider | None, meters: MeterProvider | None) -> None:
        self._native = client._native
        self._tracer = trace.get_tracer("sondage", _native.__version__, tracer_provider=tracers)
        meter = metrics.get_meter("sondage", _native.__version__, meter_provider=meters)
        self._duration = meter.create_histogram(
            "http.client.request.duration", unit="s", description="Duration of requests to the service."
        )
        self._missed = meter.create_counter(
            "sondage.trace.missed", unit="{entry}", description="Entries that were no longer kept when they were read."
        )
        # The entries of a call that has not ended.
        self._steps: dict[str, deque[TraceEntry]] = {}
        self._next = self._told(0, None).next
        self._closed = threading.Event()
        with _lock:
            _open.add(self)
            _native.ask_parents(_parent)
        self._thread = threading.Thread(target=self._follow, name="sondage-opentelemetry", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Exports the entries so far, and stops."""
        self._closed.set()
        self._thread.join()
        self._read(None)
        with _lock:
            _open.discard(self)
            if not _open:
                _native.ask_parents(None)

    def __enter__(self) -> Instrumentation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self) -> None:
        while not self._closed.is_set():
            self._read(_TICK)

    def _read(self, wait: float | None) -> None:
        told = self._told(self._next, wait)
        self._next = told.next
        if told.missed:
            self._missed.add(told.missed)
        for entry in told.entries:
            if entry.kind == "token":
                _end(self._span("token", entry, None, SpanKind.CLIENT), entry)
            if entry.call_id is None:
                continue
            if entry.kind == "call":
                self._call(entry, self._steps.pop(entry.call_id, deque()))
            else:
                self._steps.setdefault(entry.call_id, deque()).append(entry)

    def _told(self, after: int, wait: float | None) -> Trace:
        return trace_of(self._native.method("trace", {"after": after, "wait": wait}).wait())

    def _call(self, call: TraceEntry, steps: deque[TraceEntry]) -> None:
        context = _PROPAGATOR.extract({"traceparent": call.parent}) if call.parent else None
        span = self._span(call.operation, call, context, SpanKind.INTERNAL)
        for step in steps:
            if step.kind == "attempt":
                inside = trace.set_span_in_context(span, context)
                _end(self._span("POST", step, inside, SpanKind.CLIENT), step)
                self._duration.record(step.milliseconds / 1000, _attributes(step))
            else:
                wait = {"sondage.wait_ms": step.milliseconds}
                span.add_event("wait", wait, timestamp=int(step.at.timestamp() * _NANOSECONDS))
        _end(span, call)

    def _span(self, name: str, entry: TraceEntry, context: Context | None, kind: SpanKind) -> Span:
        begun = int((entry.at.timestamp() - entry.milliseconds / 1000) * _NANOSECONDS)
        attributes = _attributes(entry)
        if entry.call_id:
            attributes["sondage.call_id"] = entry.call_id
        if entry.request_id:
            attributes["sondage.request_id"] = entry.request_id
        if entry.kind == "attempt":
            attributes["http.request.body.size"] = entry.sent
            attributes["http.response.body.size"] = entry.received
            attributes["http.request.resend_count"] = entry.attempts - 1
        return self._tracer.start_span(name, context, kind, attributes, start_time=begun)


def _end(span: Span, entry: TraceEntry) -> None:
    if entry.error:
        span.set_status(StatusCode.ERROR, entry.error)
    span.end(int(entry.at.timestamp() * _NANOSECONDS))


def _attributes(entry: TraceEntry) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {"sondage.operation": entry.operation, "http.request.method": "POST"}
    if entry.server:
        attributes["server.address"] = entry.server
    if entry.purpose:
        attributes["sondage.purpose"] = entry.purpose
    if entry.status is not None:
        attributes["http.response.status_code"] = entry.status
    if entry.error:
        attributes["error.type"] = entry.error
    return attributes


def instrument(
    client: Client | AsyncClient,
    *,
    tracer_provider: TracerProvider | None = None,
    meter_provider: MeterProvider | None = None,
) -> Instrumentation:
    """Makes spans and metrics of all calls of a client, until the result is closed.

    A call is a span, below the span that was current when it was made; each attempt is a span below that, of the kind `CLIENT`,
    and each wait before a retry or for the end of a pause an event. A request for a token is a span of its own. A call that checks the
    end of a list has `sondage.purpose`, and is no error when the service has no such page. The histogram `http.client.request.duration` has each attempt.

    Args:
        client: The client. It must keep a trace (`trace_entries`), with as many entries as may be made within half a second.
        tracer_provider: Default: the global one.
        meter_provider: Default: the global one.
    """
    return Instrumentation(client, tracer_provider, meter_provider)
