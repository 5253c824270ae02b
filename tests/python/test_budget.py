"""The daily budget: counted by every process of a machine, and never exceeded."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sondage
from conftest import DEADLINE

# Makes calls until the budget stops it or their number is reached, and prints how many were answered.
PROCESS = """
import json, sys, sondage
told = json.loads(sys.argv[1])
client, panel, calls, answered = sondage.Client(**told["settings"]), told["panel"], told["calls"], 0
try:
    for answered in range(calls):
        client.read_panel(panel_id=panel)
    answered = calls
except sondage.BudgetSpent:
    pass
print(answered)
"""


def settings(box: sondage.Sandbox, folder: Path, **more: Any) -> dict[str, Any]:
    names = ("base_url", "auth_url", "tenant", "client_id", "client_secret")
    return {**{name: getattr(box, name) for name in names}, "budget_folder": str(folder), "budget_loopback": True, **more}


def arrived(box: sondage.Sandbox) -> int:
    return len(box.ledger.requests("ReadPanel"))


def test_what_is_used_and_what_is_left(box: sondage.Sandbox, tmp_path: Path) -> None:
    client = sondage.Client(**settings(box, tmp_path, budget_day="06:00+01:00"))
    before = client.budget()
    assert isinstance(before, sondage.BudgetReport)
    assert (before.calls, before.calls_left, before.calls_limit, before.since) == (0, 500, 500, None)
    client.read_panel(panel_id=box.panel_id)
    report = client.budget()
    assert (report.calls, report.calls_left, report.mode, report.counted) == (1, 499, "warn", True)
    assert report.bytes == report.received > 1_000 and report.sent > 0
    assert report.bytes_left == 500_000_000 - report.bytes
    assert report.since is not None and report.begins <= report.since < report.ends
    assert report.ends - report.begins == timedelta(days=1) and report.begins.hour == 5
    assert report.file is not None and Path(report.file).parent == tmp_path and report.trouble is None
    assert Path(report.file).stat().st_mode & 0o777 == 0o600 or sys.platform == "win32"
    assert not box.client().budget().counted, "a sandbox is no account"


def test_asyncio_has_the_same(box: sondage.Sandbox, tmp_path: Path) -> None:
    async def run() -> None:
        client = sondage.AsyncClient(**settings(box, tmp_path, budget="stop", budget_calls=1))
        await client.read_panel(panel_id=box.panel_id)
        with pytest.raises(sondage.BudgetSpent):
            await client.read_panel(panel_id=box.panel_id)
        assert client.budget().calls_left == 0

    asyncio.run(run())


def test_a_stop_says_when_the_day_ends(
    box: sondage.Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client = sondage.Client(**settings(box, tmp_path, budget="stop", budget_calls=5))
    with caplog.at_level(logging.WARNING, "sondage"):
        for _ in range(5):
            client.read_panel(panel_id=box.panel_id)
        with pytest.raises(sondage.BudgetSpent) as caught:
            client.read_panel(panel_id=box.panel_id)
    error, report = caught.value, client.budget()
    assert "not sent, because the 5 calls of the day are used up" in str(error)
    assert report.ends.strftime("%Y-%m-%dT%H:%M:%SZ") in str(error) and error.safe_to_retry
    assert error.retry_after is not None and 0 < error.retry_after <= 86_400
    assert arrived(box) == 5
    said = [record.getMessage() for record in caplog.records if "of the day are used" in record.getMessage()]
    assert [line.split(" %")[0] for line in said] == ["80", "100"]


def test_processes_of_a_machine_share_the_day(box: sondage.Sandbox, tmp_path: Path) -> None:
    told = {"panel": box.panel_id, "calls": 60, "settings": settings(box, tmp_path, budget="hard_stop", budget_calls=100)}
    program = [sys.executable, "-c", PROCESS, json.dumps(told)]
    processes = [subprocess.Popen(program, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answered = [int(process.communicate(timeout=DEADLINE)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert sum(answered) == arrived(box) == 100
    assert sondage.Client(**settings(box, tmp_path)).budget().calls == 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("shared", [True, False])
def test_forks_count_while_their_parent_calls(box: sondage.Sandbox, tmp_path: Path, shared: bool) -> None:
    given = settings(box, tmp_path)
    if not shared:
        del given["budget_folder"]
    client = sondage.Client(**given)
    client.read_panel(panel_id=box.panel_id)
    with ThreadPoolExecutor(2) as pool:
        parents = [pool.submit(client.read_panel, panel_id=box.panel_id) for _ in range(100)]
        children = []
        for _ in range(6):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    before = client.budget().calls
                    for _ in range(10):
                        client.read_panel(panel_id=box.panel_id)
                    status = 0 if client.budget().calls >= before + 10 else 2
                finally:
                    os._exit(status)
            children.append(child)
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 6
        assert all(read.result().panel for read in parents)
    # Without a folder a child counts on from what its parent had.
    assert arrived(box) == 161
    assert client.budget().calls == (161 if shared else 101)


def test_a_folder_that_cannot_be_used_blocks_no_call(box: sondage.Sandbox, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    client = sondage.Client(**settings(box, tmp_path / "file" / "below"))
    client.read_panel(panel_id=box.panel_id)
    report = client.budget()
    assert report.calls == 1 and report.trouble is not None and "cannot be used" in report.trouble
    hard = sondage.Client(**settings(box, tmp_path / "file" / "below", budget="hard_stop"))
    with pytest.raises(sondage.ConfigurationError, match="cannot be counted"):
        hard.read_panel(panel_id=box.panel_id)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("budget", "stopp", "and is `stopp`"),
        ("budget_calls", 0, "must be 1 or more"),
        ("budget_bytes", "500 MB", "a size above 0"),
        ("budget_day", "25:00", "a time of day such as"),
    ],
)
def test_a_setting_that_is_wrong_is_named(box: sondage.Sandbox, name: str, value: object, words: str) -> None:
    with pytest.raises(sondage.SondageError, match=words) as caught:
        box.client(**{name: value})
    assert f"`{name}`" in str(caught.value)
