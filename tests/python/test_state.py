"""A sandbox that stays: what was answered and written is there again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import sondage


def _count(box: sondage.Sandbox) -> int:
    return len(box.client().read_interview_list_compact(survey_id=box.survey_id).interviews)


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    """A process writes until it is killed; every id that it printed is in the next sandbox, with the same credentials."""
    program = """
import sondage, sys
box = sondage.Sandbox(state=sys.argv[1])
print(box.base_url, box.client_secret, flush=True)
client = box.client()
while True:
    made = client.create_members(panel_id=box.panel_id, members=[sondage.NewMember.of(FirstName="Ada")])
    print(made.members_ids[0], flush=True)
"""
    state = tmp_path / "kept"
    with subprocess.Popen([sys.executable, "-c", program, str(state)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        known = process.stdout.readline().split()
        written = {int(process.stdout.readline()) for _ in range(40)}
        process.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
        rest = process.stdout.read()
    # A last line without its end may be half an id.
    written |= {int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")}
    with sondage.Sandbox(state=state) as box:
        assert [box.base_url, box.client_secret] == known
        assert box.state == str(state)
        ids = {member.id for member in box.client().members(box.panel_id)}
        assert written <= ids and len(written) >= 40


def test_a_copy_is_restored_and_a_reset_begins_anew(tmp_path: Path) -> None:
    with sondage.Sandbox() as box:
        assert (box.state, box.state_cut_bytes) == (None, None)
        people = _count(box)
        box.fill(box.survey_id, 3)
        box.snapshot(tmp_path / "copy")
        box.fill(box.survey_id, 5)
        assert _count(box) == people + 8
        box.restore(tmp_path / "copy")
        assert _count(box) == people + 3
        box.reset()
        assert _count(box) == people
        with pytest.raises(sondage.InvalidArgument, match=r"there is no world\.jsonl in it"):
            box.restore(tmp_path)
        with sondage.Sandbox(content="waves") as waves, pytest.raises(sondage.InvalidArgument) as refused:
            waves.restore(tmp_path / "copy")
        assert str(refused.value).count("Nothing was changed") == 1
    with sondage.Sandbox(state=tmp_path / "copy") as box:
        assert _count(box) == people + 3
        with pytest.raises(sondage.InvalidArgument, match="another sandbox uses it"):
            sondage.Sandbox(state=tmp_path / "copy")
    with pytest.raises(sondage.InvalidArgument, match="another `seed`"):
        sondage.Sandbox(state=tmp_path / "copy", seed=3)


def test_a_relative_folder_and_wrong_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with sondage.Sandbox(state="box") as box:
        assert box.state == str(tmp_path / "box")
        monkeypatch.chdir("/")
        box.fill(box.survey_id, 2)
        people = _count(box)
    with sondage.Sandbox(state=tmp_path / "box") as box:
        assert _count(box) == people
    (tmp_path / "file").write_text("")
    for wrong in ("", tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("y" * 300)):
        with pytest.raises(sondage.InvalidArgument, match="No sandbox was started. Name another folder|Nothing was written: name a folder"):
            sondage.Sandbox(state=wrong)


def test_what_cannot_be_stored_is_stored_later(tmp_path: Path) -> None:
    with sondage.Sandbox(state=tmp_path / "box") as box:
        lock = tmp_path / "box" / "world.jsonl.lock"
        lock.rename(tmp_path / "away")
        with pytest.raises(sondage.ConfigurationError, match="the change was made, but it is lost if this process ends now") as error:
            box.fill(box.survey_id, 2)
        assert "Nothing was changed" not in str(error.value) and "the next change stores this one, too" in str(error.value)
        (tmp_path / "away").rename(lock)
        box.fill(box.survey_id, 1)
        people = _count(box)
    with sondage.Sandbox(state=tmp_path / "box") as box:
        assert _count(box) == people
