"""asyncio: concurrent calls, cancellation, event loops that are created and closed."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import sondage
from conftest import DEADLINE


def members(*names: str) -> list[sondage.NewMember]:
    return [sondage.NewMember.of(Email=f"{name}@example.org") for name in names]


def test_many_calls_at_once(box: sondage.Sandbox) -> None:
    async def main() -> None:
        async with box.async_client() as client:
            answers = await asyncio.gather(*(client.read_panel(panel_id=box.panel_id) for _ in range(200)))
            assert all(answer.panel for answer in answers)

    asyncio.run(main())
    assert len(box.ledger.token_requests()) == 1


def test_calls_are_coroutines(box: sondage.Sandbox) -> None:
    client = box.async_client()
    assert asyncio.run(client.read_panel(panel_id=box.panel_id)).panel, "asyncio.run takes a call"

    async def main() -> None:
        assert (await asyncio.create_task(client.read_panel(panel_id=box.panel_id))).panel
        if sys.version_info >= (3, 11):
            async with asyncio.TaskGroup() as group:
                task = group.create_task(client.read_panel(panel_id=box.panel_id))
            assert task.result().panel

    for _ in range(3):
        asyncio.run(main())  # asyncio.run creates a new loop each time


def test_errors_come_through(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        box.fault("ReadPanel", refuse=("PanelNotFound", "There is no such panel"))
        with pytest.raises(sondage.ApiError, match="There is no such panel"):
            await client.read_panel(panel_id=5)
        with pytest.raises(sondage.InvalidArgument, match="panel_id must be"):
            await client.read_panel(panel_id="5")  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            await client.read_panel(panelid=5)  # type: ignore[call-arg]

    asyncio.run(main())


def test_cancelling_a_read_ends_it(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        await client.read_panel(panel_id=box.panel_id)
        # The answer comes long after the test would have failed: whatever ends before it was ended by the cancellation.
        box.fault("ReadPanel", delay=2 * DEADLINE, times=None)
        task = asyncio.create_task(client.read_panel(panel_id=box.panel_id))
        await asyncio.sleep(0.2)
        start = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.read_panel(panel_id=box.panel_id), 0.2)
        assert time.monotonic() - start < DEADLINE

    asyncio.run(main())


def test_a_cancelled_read_is_not_repeated(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        await client.read_panel(panel_id=box.panel_id)
        box.fault("ReadPanel", status=503, headers={"Retry-After": "1"}, times=None)
        box.ledger.clear()
        task = asyncio.create_task(client.read_panel(panel_id=box.panel_id))
        await asyncio.sleep(0.3)
        task.cancel()
        await asyncio.sleep(1.2)

    asyncio.run(main())
    assert len(box.ledger.requests("ReadPanel")) == 1, "the caller has stopped waiting, so nothing more is sent"


def test_a_cancelled_write_that_has_left_is_finished(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        await client.read_panel(panel_id=box.panel_id)
        box.fault("CreateMembers", delay=1)
        task = asyncio.create_task(client.create_members(panel_id=box.panel_id, members=members("ada")))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (pending,) = client.pending_writes()
        assert pending.operation == "CreateMembers" and pending.age > 0
        assert await client.close() == []

    asyncio.run(main())
    assert [effect.count for effect in box.ledger.effects("CreateMembers")] == [1]


def test_a_loop_may_end_before_its_calls(box: sondage.Sandbox) -> None:
    client = box.async_client()
    box.fault("ReadPanel", delay=0.3, times=2)

    async def leave() -> None:
        asyncio.ensure_future(client.read_panel(panel_id=box.panel_id))
        await asyncio.sleep(0.1)

    asyncio.run(leave())
    loop = asyncio.new_event_loop()
    loop.create_task(client.read_panel(panel_id=box.panel_id))
    loop.run_until_complete(asyncio.sleep(0.1))
    loop.close()  # without waiting: the caller is gone when the response arrives
    time.sleep(0.5)
    assert asyncio.run(client.read_panel(panel_id=box.panel_id)).panel


def test_loops_take_turns_on_a_thread(box: sondage.Sandbox) -> None:
    client = box.async_client()
    loops = [asyncio.new_event_loop() for _ in range(2)]
    left = loops[0].create_task(client.read_panel(panel_id=box.panel_id))
    loops[0].run_until_complete(asyncio.sleep(0))
    for loop in loops * 2:
        assert loop.run_until_complete(client.read_panel(panel_id=box.panel_id)).panel
    assert loops[0].run_until_complete(left).panel, "a call that was abandoned while another loop ran"
    for loop in loops:
        loop.close()


class Deaf(asyncio.SelectorEventLoop):
    """A loop without `add_reader`, like the proactor loop of Windows."""

    def add_reader(self, *_: object) -> None:
        raise OSError("this loop cannot watch a file descriptor")


def test_a_loop_that_listens_to_no_pipe_is_called(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        answers = await asyncio.gather(*(client.read_panel(panel_id=box.panel_id) for _ in range(50)))
        assert all(answer.panel for answer in answers)

    loop = Deaf()
    loop.run_until_complete(main())
    loop.close()


def test_a_busy_loop_does_not_stall_the_calls(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        tasks = [asyncio.create_task(client.read_panel(panel_id=box.panel_id)) for _ in range(20)]
        await asyncio.sleep(0)
        time.sleep(0.3)
        await asyncio.gather(*tasks)

    asyncio.run(main())


def test_lists_and_tables(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        ids = [one.id async for one in client.members(box.panel_id, page_size=30)]
        assert len(ids) == 200
        surveys = [one async for one in client.pages(client.read_survey_list, workspace_id=box.workspace_id)]
        assert box.survey_id in [survey.id for survey in surveys]
        assert len(await client.members(box.panel_id).table()) == 200
        interviews = await client.interviews(box.survey_id, fields=["vote"], labels=True).completed().table()
        assert {row["vote"] for row in interviews} == {"Clinton", "Dole"}
        answer = await client.with_response(client.read_panel, panel_id=box.panel_id)
        assert answer.status == 200 and answer.value.panel
        assert "panel" in await client.raw("/publicapi/Panel/v3/ReadPanel", {"panelId": box.panel_id}, effect="read")

    asyncio.run(main())


def test_leaving_a_list_early(box: sondage.Sandbox) -> None:
    async def main() -> None:
        client = box.async_client()
        async for _ in client.members(box.panel_id, page_size=10):
            break

    asyncio.run(main())
    assert len(box.ledger.requests("ReadMemberList")) == 1


def crowd(call: Callable[[sondage.AsyncClient], Coroutine[Any, Any, object]], client: sondage.AsyncClient) -> list[Any]:
    async def main() -> list[Any]:
        return list(await asyncio.gather(*(call(client) for _ in range(10_000)), return_exceptions=True))

    return asyncio.run(main())


def test_ten_thousand_callers_with_an_expired_token(box: sondage.Sandbox) -> None:
    client = box.async_client()
    asyncio.run(client.read_panel(panel_id=box.panel_id))
    box.ledger.clear()
    box.clock.advance(3600)  # the token has expired for the service, but not yet by the client's clock
    results = crowd(lambda client: client.read_panel(panel_id=box.panel_id), client)
    assert [result for result in results if isinstance(result, BaseException)][:1] == []
    assert len(box.ledger.token_requests()) == 1


def test_ten_thousand_callers_with_a_failing_token_endpoint(box: sondage.Sandbox) -> None:
    body = '{"error": "invalid_client"}'
    box.fault("token", status=400, body=body, headers={"Content-Type": "application/json"}, times=None)
    results = crowd(lambda client: client.read_panel(panel_id=box.panel_id), box.async_client())
    assert {type(result) for result in results} == {sondage.AuthenticationError}
    assert len([arrival for arrival in box.ledger.requests() if arrival.operation == "token"]) == 1
