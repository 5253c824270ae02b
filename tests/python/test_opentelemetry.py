"""Spans and metrics of calls."""

from __future__ import annotations

import asyncio

import pytest
import sondage
import sondage.opentelemetry
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode


class Collected:
    def __init__(self) -> None:
        self.spans, self.reader = InMemorySpanExporter(), InMemoryMetricReader()
        self.tracers, self.meters = TracerProvider(), MeterProvider([self.reader])
        self.tracers.add_span_processor(SimpleSpanProcessor(self.spans))

    def of(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans.get_finished_spans() if span.name == name]


@pytest.fixture
def collected() -> Collected:
    return Collected()


def test_a_call_is_a_span_below_that_of_its_caller(box: sondage.Sandbox, collected: Collected) -> None:
    client = box.client(trace_entries=100, retry_base=0.01)
    tracer = collected.tracers.get_tracer("app")
    box.fault("ReadPanel", status=503)
    with sondage.opentelemetry.instrument(
        client, tracer_provider=collected.tracers, meter_provider=collected.meters
    ), tracer.start_as_current_span("nightly"):
        client.read_panel(panel_id=box.panel_id)
        with pytest.raises(sondage.ApiError):
            client.read_panel(panel_id=1)

    (token,) = collected.of("token")
    assert token.kind is SpanKind.CLIENT and token.attributes and token.attributes["server.address"] == "127.0.0.1"
    (nightly,), (good, bad) = collected.of("nightly"), collected.of("ReadPanel")
    assert good.parent and nightly.context and good.parent.span_id == nightly.context.span_id
    assert (good.status.status_code, bad.status.status_code) == (StatusCode.UNSET, StatusCode.ERROR)
    assert [event.name for event in good.events] == ["wait"]
    attempts = [span for span in collected.of("POST") if span.parent == good.context]
    assert [span.attributes["http.response.status_code"] for span in attempts if span.attributes] == [503, 200]
    assert all(span.kind is SpanKind.CLIENT for span in attempts)
    assert all(span.attributes and span.attributes["server.address"] == "127.0.0.1" for span in attempts)
    assert good.start_time and nightly.start_time and nightly.start_time <= good.start_time
    points = collected.reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics[0]  # type: ignore[union-attr]
    assert points.name == "http.client.request.duration"
    assert sum(point.count for point in points.data.data_points) == 3  # type: ignore[union-attr]


def test_the_check_of_a_lists_end_is_no_error(box: sondage.Sandbox, collected: Collected) -> None:
    client = box.client(trace_entries=100, facts="off")
    with sondage.opentelemetry.instrument(client, tracer_provider=collected.tracers):
        assert len(client.members(box.panel_id).table()) == 200
    spans = [*collected.of("ReadMemberList"), *collected.of("POST")]
    checks = [span for span in spans if span.attributes and span.attributes.get("sondage.purpose") == "check of the end"]
    statuses = {span.attributes["http.response.status_code"] for span in checks if span.attributes}
    assert statuses == {200, 400}, "the page before the first is refused"
    assert all(span.status.status_code is StatusCode.UNSET for span in spans)
    arrivals = box.ledger.requests("ReadMemberList")
    assert [arrival.purpose for arrival in arrivals] == [None] + ["check of the end"] * (len(checks) // 2)
    entries = [entry for entry in client.trace().entries if entry.kind == "call" and entry.purpose]
    assert len(entries) == len(checks) // 2 and all(entry.call_id and entry.call_id.endswith("-check") for entry in entries)


def test_tasks_keep_their_own_spans(box: sondage.Sandbox, collected: Collected) -> None:
    tracer = collected.tracers.get_tracer("app")

    async def request(client: sondage.AsyncClient, number: int) -> None:
        with tracer.start_as_current_span(f"request {number}"):
            await client.read_panel(panel_id=box.panel_id)

    async def serve() -> None:
        async with box.async_client(trace_entries=100) as client:
            with sondage.opentelemetry.instrument(client, tracer_provider=collected.tracers):
                await asyncio.gather(*(request(client, number) for number in range(5)))

    asyncio.run(serve())
    parents = {span.parent.span_id for span in collected.of("ReadPanel") if span.parent}
    assert parents == {span.context.span_id for n in range(5) for span in collected.of(f"request {n}") if span.context}


def test_a_client_without_a_trace_is_refused(client: sondage.Client) -> None:
    with pytest.raises(sondage.InvalidArgument, match="`trace_entries`"):
        sondage.opentelemetry.instrument(client)
