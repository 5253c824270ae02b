"""Guards whose events are in a store: a file of SQLite, or an object of the caller's."""

from __future__ import annotations

import logging
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
import sondage
from conftest import wait_until
from sondage import webhooks
from test_webhooks import complete, fastapi


def event(number: int = 1) -> webhooks.Event:
    hook = webhooks.basic("a", "b")
    body = b'{"eventType": "X", "entity": {"id": %d}}' % number
    return hook.verify(url="/", headers={"Authorization": hook.security_token}, body=body)


def test_sqlite_claims_all_keys_or_none(tmp_path: Path) -> None:
    store = webhooks.SqliteStore(tmp_path / "events.sqlite")
    assert store.claim(["a"], "first", 60) == "new"
    assert store.claim(["a", "b"], "second", 60) == "busy"
    assert store.claim(["b"], "third", 60) == "new"
    store.release(["a", "b"], "third")
    assert store.claim(["b"], "fourth", -1) == "new"
    assert store.claim(["b"], "fifth", 60) == "new", "the lease of the fourth has ended"
    store.release(["b"], "fourth")
    assert store.claim(["b"], "sixth", 60) == "busy", "it belongs to the fifth"
    store.done(["b"])
    store.release(["b"], "fifth")
    assert store.claim(["a", "b"], "seventh", 60) == "done"
    assert store.is_done("b") and not store.is_done("a") and store.keys() == ["b"]


class Answers:
    """A store that answers what the test wants."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def claim(self, keys: list[str], owner: str, lease: float, /) -> Any:
        return self.told()

    def done(self, keys: list[str], /) -> None:
        self.told()

    def release(self, keys: list[str], owner: str, /) -> None: ...

    def is_done(self, key: str, /) -> Any:
        return self.told()

    def keys(self) -> list[str]:
        return []

    def prune(self, before: Any, /) -> int:
        assert before.tzinfo is not None
        return 3

    def told(self) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_an_unclear_answer_is_no_permission() -> None:
    async def later() -> str:
        return "new"

    for answer in (None, True, "NEW", later()):
        with pytest.raises(sondage.ConfigurationError, match="the store of events Answers cannot be used.*503") as raised:
            webhooks.Guard(store=Answers(answer)).claim(event())
        assert isinstance(raised.value.__cause__, TypeError)
    down = Answers(OSError("no route to it"))
    with pytest.raises(sondage.ConfigurationError) as raised:
        webhooks.Guard(store=down).claim(event())
    assert raised.value.__cause__ is down.answer and "Answers cannot be used (OSError)." in str(raised.value)
    assert "no route" not in str(raised.value), "the text of a driver may have a password"
    store = Answers("new")
    with pytest.raises(sondage.ConfigurationError, match="not marked as handled"), webhooks.Guard(store=store).claim(event()):
        store.answer = OSError("gone meanwhile")
    assert webhooks.Guard(store=store).prune(1) == 3


def test_a_store_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    store = webhooks.SqliteStore(tmp_path / "events.sqlite")
    for mistaken, why in [({"capacity": 5}, "neither `capacity`"), ({"folder": tmp_path}, "neither `capacity`"), ({"lease": 0.5}, "one second")]:
        with pytest.raises(sondage.InvalidArgument, match=why):
            webhooks.Guard(store=store, **mistaken)  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match="has no method `claim`"):
        webhooks.Guard(store=tmp_path)  # type: ignore[arg-type]
    with pytest.raises(OSError, match="directory"):
        webhooks.SqliteStore(tmp_path)


def test_missed_events_leave_out_what_a_store_knows(box: sondage.Sandbox, client: sondage.Client, tmp_path: Path) -> None:
    since = box.clock.now()
    caught = complete(box, client, 3)
    guard = webhooks.Guard(store=webhooks.SqliteStore(tmp_path / "events.sqlite"))
    with guard.claim(caught.events[0]) as claim:
        assert claim.is_new
    left = client.missed_events(box.feedback_survey_id, since=since, unknown_to=guard)
    assert caught.events[0].key not in {each.key for each in left.events}
    assert {each.key for each in caught.events[1:]} <= {each.key for each in left.events}
    with pytest.raises(sondage.ConfigurationError, match="store of events"):
        client.missed_events(box.feedback_survey_id, since=since, unknown_to=webhooks.Guard(store=Answers(OSError("down"))))


def test_a_receiver_whose_store_is_gone_refuses_the_delivery(
    box: sondage.Sandbox, client: sondage.Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from fastapi import FastAPI

    hook, path = webhooks.basic("a", "b"), tmp_path / "events.sqlite"
    handled: list[webhooks.Event] = []
    app = FastAPI()
    app.include_router(webhooks.router(hook, handled.append, guard=webhooks.Guard(store=webhooks.SqliteStore(path))))
    logging.getLogger("uvicorn.error").disabled = True
    with fastapi(cast("ModuleType", SimpleNamespace(app=app))) as port:
        client.create_web_hook(**hook.registration(f"http://127.0.0.1:{port}/hooks", "HardBounce"))
        path.rename(tmp_path / "gone")
        path.mkdir()
        assert box.emit("bounce", member_id=500_001)
        wait_until(lambda: len(box.deliveries.log()) == 1)
        path.rmdir()
        (tmp_path / "gone").rename(path)
        assert box.deliveries.drain(60)
    assert [attempt.status for attempt in box.deliveries.log()] == [503, 204] and len(handled) == 1
    assert "refused with 503" in caplog.text
