"""Journals that the caller provides: an object instead of a file, with methods that may be async."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
import sondage
from conftest import DEADLINE

PEOPLE: list[dict[str, Any]] = [{"Email": f"j{i}@journal.example"} for i in range(30)]


class Lines:
    """A journal in memory that records its calls."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.asked: list[str] = []
        self.is_open = False
        self.fails_at: int | None = None

    def open(self) -> list[str]:
        if self.is_open:
            raise BlockingIOError("in use")
        self.asked.append("open")
        self.is_open = True
        return self.lines

    def append(self, lines: list[str], /) -> None:
        self.asked.append("append")
        if self.fails_at is not None and len(self.lines) >= self.fails_at:
            raise OSError("the table is full")
        self.lines = [*self.lines, *lines]

    def forget_last(self) -> None:
        self.asked.append("forget_last")
        self.lines = self.lines[:-1]

    def clear(self) -> None:
        self.asked.append("clear")
        self.lines = []

    def close(self) -> None:
        self.asked.append("close")
        self.is_open = False


class AsyncLines:
    """The same with async methods, which see the loop and the context of the code that started the job."""

    def __init__(self) -> None:
        self.inner = Lines()
        self.loops: set[int] = set()

    async def _on(self) -> Lines:
        await asyncio.sleep(0)
        self.loops.add(id(asyncio.get_running_loop()))
        return self.inner

    async def open(self) -> list[str]:
        return (await self._on()).open()

    async def append(self, lines: list[str], /) -> None:
        (await self._on()).append(lines)

    async def forget_last(self) -> None:
        (await self._on()).forget_last()

    async def clear(self) -> None:
        (await self._on()).clear()

    async def close(self) -> None:
        (await self._on()).close()


@pytest.fixture
def own() -> Any:
    with sondage.Sandbox.demo() as box:
        yield box


def created(box: sondage.Sandbox) -> list[Any]:
    found = [member.get("Email") for member in box.client().members(box.panel_id, fields=["Email"])]
    return sorted(email for email in found if str(email).endswith("@journal.example"))


def test_an_import_goes_on_from_an_object(own: sondage.Sandbox) -> None:
    journal = Lines()
    own.fault("CreateMembers", skip=1, status=403)
    client = own.client()
    first = client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal, chunk_size=10, quiet=0.0)
    assert not first.complete and journal.lines and not journal.is_open and journal.asked[0] == "open"
    second = client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal, chunk_size=10, quiet=0.0)
    assert (second.complete, second.resumed, second.journal) == (True, True, "Lines")
    assert created(own) == sorted(person["Email"] for person in PEOPLE)
    assert all("@journal.example" not in line for line in journal.lines), "a journal holds no values"


def test_a_plan_that_sends_goes_on_from_an_object(own: sondage.Sandbox) -> None:
    journal, client = Lines(), own.client()

    def plan() -> sondage.SendPlan:
        texts = {"subject": "News", "body": "There is news.", "language": "en"}
        return client.plan_send_mail(own.panel_id, sender="us@example.com", cap=4, journal=journal, **texts)

    made = plan()
    own.fault("ExecuteSendMail", skip=1, cut="afterEffect")
    first = made.run(confirm=made.token)
    assert (first.done, first.unknown, first.not_sent, first.journal) == (1, 1, 2, "Lines")
    again = plan()
    second = again.run(confirm=again.token)
    assert (second.done, second.unknown, second.not_sent) == (3, 1, 0)
    assert len(own.ledger.effects("ExecuteSendMail")) == 4


def test_async_methods_run_on_the_loop_of_the_caller(own: sondage.Sandbox) -> None:
    journal = AsyncLines()

    async def main() -> int:
        async with own.async_client() as client:
            report = await client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal)
            assert report.complete and report.created == 30
            plan = await client.plan_invite(
                survey_id=own.feedback_survey_id,
                panel_id=own.panel_id,
                message_template_id=own.message_template_id,
                cap=2,
                journal=AsyncLines(),
            )
            # A plan that is dropped on the loop's own thread closes its journal without waiting for the loop.
            del plan
            gc.collect()
        return id(asyncio.get_running_loop())

    assert journal.loops == {asyncio.run(main())}
    # Without a loop of the caller's they run on one of their own.
    again = own.client().import_members(own.panel_id, PEOPLE, key="Email", journal=journal)
    assert again.created == 30 and len(own.ledger.requests("CreateMembers")) == 1


def test_what_a_journal_raises_ends_the_job_and_is_the_cause(own: sondage.Sandbox) -> None:
    journal, client = Lines(), own.client()
    journal.fails_at = 0
    with pytest.raises(sondage.ConfigurationError, match=r"the journal Lines cannot be used \(OSError: the table is full\)") as raised:
        client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal)
    assert isinstance(raised.value.__cause__, OSError) and own.ledger.effects() == []
    # If it fails in the middle, the report contains what was sent, and nothing more is sent.
    journal = Lines()
    journal.fails_at = 3
    report = client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal, chunk_size=10)
    assert report.stopped is not None and "the table is full" in str(report.stopped)
    assert len(own.ledger.effects("CreateMembers")) < 3
    journal.fails_at = None
    again = client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal, chunk_size=10, quiet=0.0)
    assert again.complete and created(own) == sorted(person["Email"] for person in PEOPLE)


def test_a_journal_in_use_and_a_journal_that_is_none(own: sondage.Sandbox) -> None:
    journal, client = Lines(), own.client()
    journal.is_open = True
    with pytest.raises(sondage.InvalidArgument, match="another run uses the journal Lines"):
        client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal)

    class Half:
        def open(self) -> list[str]:
            return []

    wrong: Any = Half()
    with pytest.raises(sondage.InvalidArgument, match="type Half, which is no path and has no method `append`"):
        client.import_members(own.panel_id, PEOPLE, key="Email", journal=wrong)
    journal = Lines()
    journal.lines = ["a line of somebody else's"]
    with pytest.raises(sondage.InvalidArgument, match="Lines is not a journal"):
        client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal)
    assert own.ledger.effects() == [] and journal.lines == ["a line of somebody else's"]


def test_an_open_that_returns_nothing_is_no_empty_journal(own: sondage.Sandbox) -> None:
    class Forgets(Lines):
        def open(self) -> Any:
            super().open()

    journal, client = Forgets(), own.client()
    with pytest.raises(sondage.ConfigurationError, match="`open` returned None, not the lines") as raised:
        client.import_members(own.panel_id, PEOPLE, key="Email", journal=journal)
    assert isinstance(raised.value.__cause__, TypeError) and own.ledger.effects() == []

    class OneText(Lines):
        def open(self) -> Any:
            return ""

    with pytest.raises(sondage.ConfigurationError, match="`open` returned one text"):
        client.import_members(own.panel_id, PEOPLE, key="Email", journal=OneText())


def test_a_blocking_client_on_the_thread_of_a_loop_does_not_wait_for_that_loop(own: sondage.Sandbox) -> None:
    """As in a notebook. Ten seconds, then the process ends: a wait that never ends cannot be interrupted from within."""
    journal = AsyncLines()

    async def main() -> None:
        assert own.client().import_members(own.panel_id, PEOPLE, key="Email", journal=journal).complete

    faulthandler.dump_traceback_later(10, exit=True)
    try:
        asyncio.run(main())
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert not journal.inner.is_open and len(own.ledger.effects("CreateMembers")) == 1


KILLED = """
    import os, sys
    sys.path.insert(0, sys.argv[4])
    import sondage
    from journal import InDatabase

    class Killed(InDatabase):
        left = int(sys.argv[2])

        def append(self, lines, /):
            if Killed.left == 0:
                os._exit(9)
            Killed.left -= 1
            super().append(lines)

    people = [{"Email": f"j{i}@journal.example"} for i in range(30)]
    client = sondage.Client()
    report = client.import_members(int(sys.argv[1]), people, key="Email", journal=Killed(sys.argv[3]), chunk_size=5, quiet=0.0)
    print(report.created, report.complete)
"""


def test_killed_processes_with_a_journal_in_a_database(own: sondage.Sandbox, tmp_path: Path) -> None:
    """The class of the example, in processes that end without a word at one line after the other: each person is there once."""
    examples = Path(__file__).parents[2] / "examples"
    names = {"BASE_URL": own.base_url, "AUTH_URL": own.auth_url, "TENANT": own.tenant, "CLIENT_SECRET": own.client_secret}
    environment = os.environ | {f"SONDAGE_{name}": value for name, value in names.items()}
    ends = []
    for lines in (0, 1, 2, 3, 99):
        words = [str(own.panel_id), str(lines), str(tmp_path / "jobs.db"), str(examples)]
        command = [sys.executable, "-c", textwrap.dedent(KILLED), *words]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=DEADLINE)
        ends.append((ran.returncode, ran.stdout.strip(), ran.stderr.strip()[-500:]))
    assert [code for code, _, _ in ends] == [9, 9, 9, 9, 0] and ends[-1][1] == "30 True", ends
    assert created(own) == sorted(person["Email"] for person in PEOPLE)
