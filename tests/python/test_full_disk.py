"""A sandbox that stays, on a disk without room: what was answered is there again, and what was not says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import sondage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of file sizes")

FILL = """
import json, resource, shutil, sys
from pathlib import Path
import sondage

folder, killed, copy = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

def said(call):
    try:
        call()
    except sondage.SondageError as error:
        return [type(error).__name__, str(error)]
    return None

with sondage.Sandbox(state=folder) as box:
    client = box.client()
    box.snapshot(copy)
    numbers = iter(range(1000))
    def create():
        client.create_members(panel_id=box.panel_id, members=[sondage.NewMember.of(Email=f"p{next(numbers)}@full.example")])
    # Python ignores the signal, so that writes fail with an error, as on a full disk.
    size = (folder / "world.jsonl").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 3000, hard))
    stored = 0
    while (create_said := said(create)) is None:
        stored += 1
    shutil.copytree(folder, killed, ignore=shutil.ignore_patterns("*.lock"))
    fill_said = said(lambda: box.fill(box.survey_id, people=3))
    # No state is as small as this.
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    told = {
        "stored": stored,
        "create": create_said,
        "fill": fill_said,
        "snapshot": said(lambda: box.snapshot(copy)),
        "new": said(lambda: sondage.Sandbox(state=folder.with_name("new"))),
        "read": client.members(box.panel_id, where=sondage.field("Email").contains("@full.example")).count(),
    }
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    create()
print(json.dumps(told))
"""


def people(folder: Path) -> int:
    with sondage.Sandbox(state=folder) as box:
        return box.client().members(box.panel_id, where=sondage.field("Email").contains("@full.example")).count()


def test_a_full_disk_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    folder, killed, copy = (tmp_path / name for name in ("box", "killed", "copy"))
    ran = subprocess.run([sys.executable, "-P", "-c", FILL, str(folder), str(killed), str(copy)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    stored = told["stored"]
    assert stored > 3
    kind, create = told["create"]
    assert kind == "OutcomeUnknown" and "NotStored" in create, told
    for words in (create, told["fill"][1]):
        assert "the change was made, but it is lost if this process ends now: the state in " in words, words
        assert "make room there" in words and "the next change stores this one, too" in words, words
        assert words.count("make room") == 1 and str(folder) in words, words
    for words in (told["snapshot"][1], told["new"][1]):
        assert "Nothing was written: make room there, or name a folder on another disk" in words, words
    assert told["read"] == stored + 1, "reading goes on"
    assert people(killed) == stored, "as after a kill on the full disk: all that was answered"
    assert people(folder) == stored + 2, "with room again, also what was not stored"
    assert people(copy) == 0, "the earlier copy is whole"
    assert not (tmp_path / "new" / "world.jsonl").exists()
