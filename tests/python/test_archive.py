"""The documents of a survey in a folder: stored once, reported, interrupted and resumed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sondage
from conftest import DEADLINE, wait_until

ARCHIVE = """
import signal, sys, sondage
# Ctrl-C may be ignored where the tests were started: in the background of a shell.
signal.signal(signal.SIGINT, signal.default_int_handler)
settings = dict(pair.split("=", 1) for pair in sys.argv[3:])
client = sondage.Client(**settings)
try:
    client.archive_answers(int(sys.argv[1]), sys.argv[2])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def entries(folder: Path) -> list[dict[str, Any]]:
    manifest = folder / "manifest.jsonl"
    return [json.loads(line) for line in manifest.read_text().splitlines()[1:]] if manifest.exists() else []


def check(folder: Path, count: int) -> None:
    """Each line of the manifest has its whole document, and nothing else lies around."""
    assert len(entries(folder)) == count
    for entry in entries(folder):
        document = (folder / entry["file"]).read_bytes()
        assert document.startswith(b"%PDF") and document.endswith(b"%%EOF\n")
        assert hashlib.sha256(document).hexdigest() == entry["sha256"]
    assert len(list(folder.iterdir())) == count + 1


def test_every_document_once_with_progress(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    seen: list[sondage.ArchiveProgress] = []
    folder = tmp_path / "documents"
    report = client.archive_answers(box.feedback_survey_id, folder, locale="de", progress=seen.append)
    count = report.progress.stored
    assert count > 10 and count == report.progress.interviews and report.failed == []
    assert report.manifest == str(folder / "manifest.jsonl")
    assert seen[-1].stored == count and seen[-1].seconds > 0
    check(folder, count)
    calls = len(box.ledger.requests("DownloadAnswers"))
    again = client.archive_answers(box.feedback_survey_id, str(folder))
    assert (again.progress.kept, again.progress.stored) == (count, 0)
    assert len(box.ledger.requests("DownloadAnswers")) == calls


def test_a_dry_run_stores_nothing_and_has_the_cost(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    planned = client.archive_answers(box.feedback_survey_id, folder, dry_run=True)
    assert planned.cost is not None and planned.progress.kept == planned.progress.stored == 0
    assert planned.progress.interviews > 10 and not folder.exists()
    before = len([call for call in box.ledger.requests() if call.operation not in ("token", "link")])
    report = client.archive_answers(box.feedback_survey_id, folder)
    after = len([call for call in box.ledger.requests() if call.operation not in ("token", "link")])
    assert after - before == planned.cost.calls and report.cost is None
    assert planned.cost.bytes > report.progress.bytes


def test_what_cannot_be_had_is_named(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    box.fault("link", action="html", times=None)
    report = client.archive_answers(box.feedback_survey_id, tmp_path, max_concurrency=16)
    assert report.progress.stored == 0 and len(report.failed) == report.progress.interviews
    failed = report.failed[0]
    assert isinstance(failed.error, sondage.UnexpectedResponse) and len(failed.interview) == 36


def test_files_of_others_are_left_alone(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.jsonl"
    manifest.write_text('{"name": "x"}')
    with pytest.raises(sondage.ConfigurationError, match="does not belong to an archive"):
        client.archive_answers(box.feedback_survey_id, tmp_path)
    assert manifest.read_text() == '{"name": "x"}'
    assert box.ledger.requests("DownloadAnswers") == []


def test_a_filter_and_a_wrong_one(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    nothing = sondage.field.column("Id") == "00000000-0000-4000-8000-000000000000"
    report = client.archive_answers(box.feedback_survey_id, tmp_path / "none", where=nothing)
    assert report.progress.interviews == 0
    (tmp_path / "file").write_text("")
    with pytest.raises(sondage.ConfigurationError, match="archive cannot be written"):
        client.archive_answers(box.feedback_survey_id, tmp_path / "file")


def test_an_exception_of_the_function_ends_it(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    box.fault("link", skip=3, action="stall", times=None)

    def enough(progress: sondage.ArchiveProgress) -> None:
        if progress.stored >= 3:
            raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        client.archive_answers(box.feedback_survey_id, tmp_path, progress=enough)
    check(tmp_path, 3)
    box.clear_faults()
    assert client.archive_answers(box.feedback_survey_id, tmp_path).progress.kept == 3


def test_ctrl_c_leaves_nothing_half(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    box.fault("link", skip=5, action="stall", times=None)
    settings = [f"{name}={getattr(box, name)}" for name in ("base_url", "auth_url", "tenant", "client_secret")]
    command = [sys.executable, "-c", ARCHIVE, str(box.feedback_survey_id), str(tmp_path), *settings]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        wait_until(lambda: len(entries(tmp_path)) >= 5)
        os.kill(process.pid, signal.SIGINT)
        assert process.communicate(timeout=DEADLINE)[0] == "interrupted\n"
    check(tmp_path, 5)
    box.clear_faults()
    report = client.archive_answers(box.feedback_survey_id, tmp_path)
    assert report.progress.kept == 5
    check(tmp_path, report.progress.interviews)


def test_a_cancelled_task_leaves_nothing_half(box: sondage.Sandbox, tmp_path: Path) -> None:
    box.fault("link", skip=4, action="stall", times=None)

    async def main() -> int:
        async with box.async_client() as client:
            task = asyncio.ensure_future(client.archive_answers(box.feedback_survey_id, tmp_path))
            while len(entries(tmp_path)) < 4:
                await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            check(tmp_path, 4)
            box.clear_faults()
            return (await client.archive_answers(box.feedback_survey_id, tmp_path)).progress.kept

    assert asyncio.run(main()) == 4
