"""Kills a program that syncs, again and again, while the survey changes: the store must be equal to a full download afterwards."""

from __future__ import annotations

import contextlib
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

import sondage

OPERATION = "ReadInterviewListCompact"
PROGRAM = """
import sys, sondage, warnings
warnings.simplefilter("ignore")
kind, place, survey, *settings = sys.argv[1:]
client = sondage.Client(**dict(pair.split("=", 1) for pair in settings), retry_base=0.01)
query = client.interviews(int(survey), page_size=20)
print("ready", flush=True)
while True:
    try:
        if kind == "parquet":
            query.sync(place)
        elif kind == "duckdb":
            import duckdb
            with duckdb.connect(place) as connection:
                query.sync(connection, table="answers")
        else:
            import psycopg
            with psycopg.connect(place) as connection:
                query.sync(connection, table="answers")
        print("synced", flush=True)
    except sondage.SondageError as error:
        print(type(error).__name__, flush=True)
"""


def rows(found: list[dict[str, Any]]) -> Counter[str]:
    """Rows as a multiset, whatever the order of their columns is."""

    def text(value: Any) -> str:
        return f"{value.timestamp()}" if isinstance(value, datetime) else repr(value)

    return Counter(repr(sorted((name, text(value)) for name, value in row.items() if value is not None)) for row in found)


class Kills:
    """A survey that changes, and the programs that are killed. `read`: every row of the store; `sync`: one that is not killed."""

    def __init__(
        self,
        box: sondage.Sandbox,
        kind: str,
        place: str,
        sync: Callable[[sondage.Interviews], sondage.SyncReport],
        read: Callable[[], list[dict[str, Any]]],
        seed: int,
    ) -> None:
        self.box, self.sync, self.read = box, sync, read
        self.chance = random.Random(seed)
        self.query = box.client(retry_base=0.01).interviews(box.feedback_survey_id, page_size=20)
        names = ("base_url", "auth_url", "tenant", "client_secret")
        settings = [f"{name}={getattr(box, name)}" for name in names]
        self.command = [sys.executable, "-c", PROGRAM, kind, place, str(box.feedback_survey_id), *settings]
        self.done = Counter[str]()

    def change(self) -> None:
        """Answers, resets, deletes and adds interviews; also with times ahead of the clock."""
        box, chance = self.box, self.chance
        ids = [row["Id"] for row in self.query.table()]
        ahead = chance.random() < 0.2
        if ahead:
            box.clock.advance(3_600)
        for id in chance.sample(ids, min(3, len(ids))):
            what = chance.choice(["answer", "answer", "reset", "delete", "add"])
            self.done[what] += 1
            with contextlib.suppress(sondage.SondageError):
                if what == "answer":
                    box.emit("complete", id=id, answers={"since": f"20{chance.randrange(10, 30)}-02-03"})
                elif what == "reset":
                    box.client().reset_interview(survey_id=box.feedback_survey_id, interview_id=id)
                elif what == "delete" and len(ids) > 30:
                    box.client().delete_interview(survey_id=box.feedback_survey_id, interview_id=id)
                else:
                    box.fill(box.feedback_survey_id, 1, seed=chance.randrange(1 << 30))
        if ahead:
            self.done["ahead"] += 1
            box.clock.advance(-3_600)
        box.clock.advance(chance.choice([0, 1, 60, 600]))

    def kill(self) -> None:
        """Starts a program, changes the survey and the service meanwhile, and kills it."""
        fault = None
        if self.chance.random() < 0.3:
            cut = self.chance.choice(["beforeRequest", "afterEffect", "midAnswer"])
            fault = self.box.fault(OPERATION, cut=cut, times=2, skip=self.chance.randrange(4))  # type: ignore[arg-type]
            self.done["lost answer"] += 1
        elif self.chance.random() < 0.3:
            fault = self.twice()
        with subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
            if self.chance.random() < 0.5:
                self.change()
            time.sleep(self.chance.random() * 0.4)
            process.send_signal(signal.SIGKILL)
            said = process.stdout.read().split()
        self.done["synced before"] += said.count("synced")
        self.done["killed"] += 1
        if fault is not None:
            fault.remove()

    def twice(self) -> sondage.Fault:
        """Lets the service send a page that it has sent before."""
        self.done["doubled page"] += 1
        return self.box.fault(OPERATION, "repeatPage", skip=self.chance.randrange(4))

    def check(self) -> sondage.SyncReport:
        fault = self.twice() if self.chance.random() < 0.3 else None
        report = self.sync(self.query)
        if fault is not None:
            fault.remove()
            self.done["doubled page, synced"] += fault.hits
        found, expected = rows(self.read()), rows(self.query.table().to_arrow().to_pylist())
        assert found == expected, f"{self.done}: {sum((found - expected).values())} other, {sum((expected - found).values())} missing"
        assert report.rows == sum(expected.values())
        return report

    def run(self, times: int) -> None:
        reads = 0
        for _ in range(times):
            self.change()
            self.kill()
            if self.chance.random() < 0.5:
                self.kill()
            before = len(self.box.ledger.requests(OPERATION))
            report = self.check()
            # One list of changes and one of ids, and what the check itself has read.
            reads += len(self.box.ledger.requests(OPERATION)) - before
            if not report.complete:
                # A page that came twice is asked for once more, and makes the list be read again.
                assert report.calls <= 4 * (report.rows // 20 + 3), report
        assert reads > 0
        assert self.done["doubled page, synced"] > 0 or times < 50, self.done
