"""An inbox in SQLite: deliveries that are lost, doubled, late and forged, and workers that die at every step. Each event has its effect once.

`SONDAGE_INBOX_EVENTS=10000`: the long form.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest
import sondage
from sondage import webhooks

EVENTS = int(os.environ.get("SONDAGE_INBOX_EVENTS", "150"))
LEASE = 60.0
STEPS = ["before claim", "after claim", "in the effect", "after the effect", "before done", "after done"]
HOOK = webhooks.basic("a", "b")


class Killed(Exception):
    """The worker is gone: nothing of it runs any more."""


class Worker(webhooks.SqliteStore):
    """A process with its store. Whatever it is asked after its death reaches no database, as that of a killed process does not."""

    def __init__(self, folder: Path, dies: str | None) -> None:
        super().__init__(folder / "events.sqlite")
        self.dies, self.is_dead = dies, False
        self.guard = webhooks.Guard(store=self, lease=LEASE)
        self.results = sqlite3.connect(folder / "results.sqlite", isolation_level=None)
        self.results.execute("CREATE TABLE IF NOT EXISTS effects (key TEXT UNIQUE, number INTEGER)")

    def step(self, name: str) -> None:
        self.is_dead = self.is_dead or name == self.dies
        if self.is_dead:
            raise Killed

    def claim(self, keys: list[str], owner: str, lease: float, /) -> Literal["new", "done", "busy"]:
        self.step("before claim")
        state = super().claim(keys, owner, lease)
        self.step("after claim")
        return state

    def done(self, keys: list[str], /) -> None:
        self.step("before done")
        super().done(keys)
        self.step("after done")

    def release(self, keys: list[str], owner: str, /) -> None:
        self.step("before release")
        super().release(keys, owner)

    def handle(self, event: sondage.webhooks.Event, seen: Counter[str]) -> None:
        """The effect and the key in one transaction, as docs/webhooks.md asks for."""
        self.results.execute("BEGIN IMMEDIATE")
        known = self.results.execute("SELECT 1 FROM effects WHERE key = ?", [event.key]).fetchone()
        seen["handled again"] += known is not None
        if known is None:
            self.results.execute("INSERT INTO effects VALUES (?, ?)", [event.key, json.loads(body_of(event))["entity"]["id"]])
        try:
            self.step("in the effect")
        except Killed:
            self.results.execute("ROLLBACK")
            raise
        self.results.execute("COMMIT")
        self.step("after the effect")

    def receive(self, body: bytes, password: str, seen: Counter[str]) -> int | None:
        """The status of the response; `None` if the connection has ended without one."""
        headers = {"Authorization": webhooks.basic("a", password).security_token}
        try:
            event = HOOK.verify(url="/hooks", headers=headers, body=body)
            with self.guard.claim(event) as claim:
                if claim.is_new:
                    self.handle(event, seen)
            return claim.status
        except webhooks.Refused:
            return 401
        except (Killed, sondage.SondageError):
            assert self.is_dead
            return None


def body_of(event: sondage.webhooks.Event) -> str:
    return event.raw if isinstance(event.raw, str) else json.dumps(event.raw)


def test_each_event_has_its_effect_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance, seen, now = random.Random(4), Counter[str](), [1_800_000_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])

    def body(number: int) -> bytes:
        return json.dumps({"eventType": "SurveyClosed", "entity": {"id": number, "updatedAt": "2026-01-02T03:04:05Z"}}).encode()

    # Five attempts each, and the events of neighbours overlap: late, and out of order.
    waiting = [(number, 5) for number in range(EVENTS)]
    while waiting:
        number, left = waiting.pop(chance.randrange(min(8, len(waiting))))
        worker = Worker(tmp_path, chance.choice([None, None, *STEPS]))
        now[0] += chance.choice([0, 1, LEASE / 2, LEASE + 1])
        if chance.random() < 0.1:
            assert worker.receive(body(EVENTS + number), "guessed", seen) == 401
            seen["forged"] += 1
        if chance.random() < 0.3:
            seen["lost"] += 1
            status = None
        else:
            status = worker.receive(body(number), "b", seen)
            seen[f"{worker.dies if worker.is_dead else status}"] += 1
            if chance.random() < 0.2 and not worker.is_dead:
                seen["doubled"] += 1
                again = worker.receive(body(number), "b", seen)
                assert again in (status, None) or (status, again) == (503, 204)
        worker.results.close()
        if status != 204 and left > 1:
            waiting.insert(chance.randrange(len(waiting) + 1), (number, left - 1))
    # What no attempt has delivered is found afterwards.
    now[0] += LEASE + 1
    last = Worker(tmp_path, None)
    for number in range(EVENTS):
        event = HOOK.verify(url="/", headers={"Authorization": HOOK.security_token}, body=body(number))
        if not last.is_done(event.key):
            seen["found afterwards"] += 1
            assert last.receive(body(number), "b", seen) == 204
    effects = Counter(number for (number,) in last.results.execute("SELECT number FROM effects"))
    assert effects == Counter(range(EVENTS)), seen
    assert len(last.guard.keys()) == EVENTS
    expected = {*STEPS, "204", "503", "lost", "doubled", "forged", "found afterwards", "handled again"}
    assert expected <= set(seen), expected - set(seen)
