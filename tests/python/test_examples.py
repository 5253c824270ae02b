"""The programs in `examples/` run and print the documented output, and mypy accepts the Python programs among
them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import sondage
from conftest import DEADLINE, ROOT

EXAMPLES = ROOT / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))
# Examples that run without arguments; options are allowed.
ALONE = [
    program
    for program in PROGRAMS
    if "sys.argv" not in (text := program.read_text(encoding="utf-8")) or "in sys.argv" in text
]


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=DEADLINE,
        env=os.environ | environment,
    )


@pytest.mark.parametrize("program", ALONE, ids=lambda program: program.name)
def test_runs_and_prints_what_is_promised(program: Path) -> None:
    ended = run("-X", "utf8", program)
    assert ended.returncode == 0, ended.stderr
    promised = program.with_suffix(".txt")
    if promised.exists():
        assert ended.stdout == promised.read_text(encoding="utf-8")
    assert ended.stdout
    assert not ended.stderr


def test_there_are_programs() -> None:
    assert {"first.py", "tables.py", "demo.py"} <= {program.name for program in ALONE}


def test_the_invitation_is_sent_once_also_when_the_outcome_is_unknown(box: sondage.Sandbox) -> None:
    connection = {
        "SONDAGE_BASE_URL": box.base_url,
        "SONDAGE_AUTH_URL": box.auth_url,
        "SONDAGE_TENANT": box.tenant,
        "SONDAGE_CLIENT_SECRET": box.client_secret,
    }
    ids = [str(number) for number in (box.panel_id, box.survey_id, box.message_template_id)]
    ended = run(EXAMPLES / "invite_members.py", *ids, **connection)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = r"not created: .*not an address.*\nwill be invited: 1\ninvited by distributor \d+\n"
    assert re.fullmatch(lines, ended.stdout)

    box.fault("InviteMembers", cut="afterEffect")
    doubtful = run(EXAMPLES / "invite_members.py", *ids, **connection)
    assert "perhaps invited. `reconcile` with this `write_id` finds out what happened." in doubtful.stdout
    assert len(box.ledger.requests("InviteMembers")) == 2


def test_mypy_accepts_them_and_finds_a_misspelt_keyword(tmp_path: Path) -> None:
    # The libraries of data lakes are installed by the named group that runs these programs.
    accepted = run("-m", "mypy", "--strict", *sorted(path for path in EXAMPLES.rglob("*.py") if path.parent.name != "lakes"))
    assert accepted.returncode == 0, accepted.stdout
    misspelt = tmp_path / "misspelt.py"
    misspelt.write_text((EXAMPLES / "first.py").read_text(encoding="utf-8").replace("panel_id=", "panelid="))
    refused = run("-m", "mypy", "--strict", misspelt)
    assert refused.returncode == 1
    assert "panelid" in refused.stdout


def test_mypy_accepts_the_other_python_of_the_documents(tmp_path: Path) -> None:
    documents = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [re.findall(r"<!-- fragment -->\n```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL) for path in documents]
    blocks = [block for those in found for block in those]
    assert len(found[0]) >= 2 and len(blocks) >= 4
    given = "import sondage\n\nclient: sondage.Client\nmembers: list[sondage.NewMember]\n"
    for number, block in enumerate(blocks):
        (tmp_path / f"block_{number}.py").write_text(given + block, encoding="utf-8")
    accepted = run("-m", "mypy", "--strict", *sorted(tmp_path.glob("*.py")))
    assert accepted.returncode == 0, accepted.stdout
