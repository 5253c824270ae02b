"""What a client does can be seen: in its trace, and in the log."""

from __future__ import annotations

import asyncio
import logging
import time

import pytest
import sondage


@pytest.fixture
def traced(box: sondage.Sandbox) -> sondage.Client:
    return box.client(trace_entries=100, retry_base=0.01)


def test_each_attempt_and_call_is_told(box: sondage.Sandbox, traced: sondage.Client) -> None:
    box.fault("ReadPanel", status=503)
    traced.read_panel(panel_id=box.panel_id)
    told = traced.trace()
    assert [entry.kind for entry in told.entries] == ["token", "attempt", "wait", "attempt", "call"]
    first, call = told.entries[1], told.entries[-1]
    assert (first.operation, first.status, first.attempts) == ("ReadPanel", 503, 1)
    assert (call.status, call.attempts, call.error) == (200, 2, None)
    assert first.call_id == call.call_id and first.request_id != call.request_id
    assert call.milliseconds >= first.milliseconds > 0 and call.received > first.received > 0
    assert call.at.utcoffset() is not None
    assert traced.trace(after=told.next).entries == []


def test_one_who_waits_is_told_of_the_next_entry(box: sondage.Sandbox) -> None:
    async def follow() -> list[str]:
        async with box.async_client(trace_entries=100) as client:
            waiting = asyncio.ensure_future(client.trace(wait=60))
            await client.read_panel(panel_id=box.panel_id)
            return [entry.kind for entry in (await waiting).entries]

    assert asyncio.run(follow())[0] == "token"


def test_without_the_setting_it_is_said(box: sondage.Sandbox, client: sondage.Client) -> None:
    with pytest.raises(sondage.InvalidArgument, match="`trace_entries`"):
        client.trace()


def test_a_line_for_each_call_when_somebody_reads_it(
    box: sondage.Sandbox, client: sondage.Client, caplog: pytest.LogCaptureFixture
) -> None:
    def lines() -> list[str]:
        return [record.getMessage() for record in caplog.records if record.name == "sondage.call"]

    caplog.set_level(logging.INFO, "sondage")
    client.read_panel(panel_id=box.panel_id)
    assert lines() == []
    caplog.set_level(logging.DEBUG, "sondage")
    client.read_panel(panel_id=box.panel_id)
    attempt, call = lines()
    assert attempt.startswith("ReadPanel: attempt 1 200 ") and call.startswith("ReadPanel: call 200 ")
    assert " B sent, " in call and ", call " in call
    caplog.set_level(logging.INFO, "sondage")
    box.fault("ReadPanel", status=503)
    client.read_panel(panel_id=box.panel_id)
    (repeat,) = lines()[2:]
    assert repeat.startswith("ReadPanel: wait 1 503 "), "what is repeated is told at INFO"




def test_reading_waits_no_longer_than_asked(traced: sondage.Client) -> None:
    begun = time.monotonic()
    assert traced.trace(wait=0.05).entries == []
    assert time.monotonic() - begun >= 0.05
    with pytest.raises(sondage.InvalidArgument, match="wait"):
        traced.trace(wait=-1)
