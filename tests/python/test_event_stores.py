"""Guards whose events are in a store: a file of SQLite, or an object of the caller's."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
import sondage
from conftest import wait_until
from sondage import webhooks
from test_webhooks import complete, fastapi

WORKER = """
import json, os, sys
import sondage
hook = sondage.webhooks.basic("a", "b")
guard = sondage.webhooks.Guard(store=sondage.webhooks.SqliteStore(sys.argv[1]), lease=1)
for number in range(60):
    body = json.dumps({"eventType": "X", "entity": {"id": number}}).encode()
    event = hook.verify(url="/", headers={"Authorization": hook.security_token}, body=body)
    with guard.claim(event) as claim:
        if claim.is_new:
            if number == int(sys.argv[3]):
                os.kill(os.getpid(), 9)  # before it was handled
            with open(sys.argv[2], "a") as handled:
                handled.write(f"{number}\\n")
"""


def event(number: int = 1) -> webhooks.Event:
    hook = webhooks.basic("a", "b")
    body = b'{"eventType": "X", "entity": {"id": %d}}' % number
    return hook.verify(url="/", headers={"Authorization": hook.security_token}, body=body)


def test_sqlite_remembers_events_over_processes(tmp_path: Path) -> None:
    """Four workers share a file while some of them are killed: each event is handled once, whoever handles it."""
    path, handled = tmp_path / "events.sqlite", tmp_path / "handled"
    run = [sys.executable, "-P", "-c", WORKER, str(path), str(handled)]
    workers = [subprocess.Popen([*run, victim]) for victim in ("10", "20", "-1", "-1")]
    ends = [process.wait(120) for process in workers]
    assert ends[2:] == [0, 0] and set(ends[:2]) <= {0, -9}
    time.sleep(1.1)  # the leases of the killed ones end
    assert subprocess.run([*run, "-1"], timeout=120).returncode == 0
    assert Counter(handled.read_text().split()) == Counter(str(number) for number in range(60))
    guard = webhooks.Guard(store=webhooks.SqliteStore(path))
    assert len(guard.keys()) == 60 and guard.prune(30) == 0
    assert guard.prune(0) == 60 and guard.keys() == []
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) == 0o600


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
    assert raised.value.__cause__ is down.answer
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
