"""The notebooks in `examples/notebooks` run, and show what is stored in them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import DEADLINE, ROOT


@pytest.mark.skipif(sys.version_info < (3, 11), reason="the stored tables are those of pandas 3, which needs Python 3.11")
def test_notebooks_show_what_is_stored() -> None:
    command = [sys.executable, "-X", "utf8", ROOT / "tests" / "notebooks" / "run.py"]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=DEADLINE)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "invited_panel.ipynb: 0 differences" in ended.stdout
    assert "weighted_table.ipynb: 0 differences" in ended.stdout
    assert "field_report.qmd: 2 cells show something" in ended.stdout


def test_a_cell_that_shows_something_else_is_found(tmp_path: Path) -> None:
    # A check that never fails would prove nothing.
    changed = tmp_path / "examples" / "notebooks" / "changed.ipynb"
    changed.parent.mkdir(parents=True)
    stored = (ROOT / "examples" / "notebooks" / "invited_panel.ipynb").read_text(encoding="utf-8")
    changed.write_text(stored.replace("25 messages were sent", "66 messages were sent"), encoding="utf-8")
    folder = tmp_path / "tests" / "notebooks"
    folder.mkdir(parents=True)
    for name in ("run.py", "person.py"):
        (folder / name).write_text((ROOT / "tests" / "notebooks" / name).read_text(encoding="utf-8"), encoding="utf-8")
    ended = subprocess.run([sys.executable, "-X", "utf8", folder / "run.py"], capture_output=True, text=True, encoding="utf-8", timeout=DEADLINE)
    assert ended.returncode == 1
    assert "66 messages were sent" in ended.stdout
