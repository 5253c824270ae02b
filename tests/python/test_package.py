"""The package as an index shows it: its page, and the versions that it says it works with."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from conftest import ROOT

PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")
PAGE = (ROOT / "python/README.md").read_text("utf-8")
HOME = "https://github.com/sondage/sondage"


def test_the_page_is_for_users_and_stands_alone() -> None:
    assert 'readme = "python/README.md"' in PROJECT and "cargo" not in PAGE
    links = re.findall(r"\]\(([^)]*)\)", PAGE) + re.findall(r'^\w+ = "(https:.*)"$', PROJECT, re.MULTILINE)
    files = [link.removeprefix(HOME).partition("/main/")[2] for link in links if "/main/" in link]
    assert all(link.startswith(HOME) for link in links) and len(files) >= 8
    assert all((ROOT / file).exists() for file in files), files


def test_the_oldest_packages_are_those_that_are_tested() -> None:
    wanted = dict(re.findall(r'"(\w+)>=([\d.]+)"', PROJECT.partition("[project.optional-dependencies]")[2]))
    lowest = dict(re.findall(r"^(\w+)==([\d.]+)$", (ROOT / "tests/python/lowest.txt").read_text("utf-8"), re.MULTILINE))
    tested = wanted.keys() & lowest.keys()
    assert tested == {"duckdb", "pandas", "polars", "pyarrow"}
    for name in tested:
        assert [*lowest[name].split("."), "0", "0"][:3] == [*wanted[name].split("."), "0", "0"][:3], name


@pytest.mark.parametrize(("client", "other"), [("Client", "_async_"), ("AsyncClient", "_blocking_")])
def test_a_client_loads_only_its_own_half(client: str, other: str) -> None:
    program = f"import sys, sondage; sondage.{client}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "sondage._base" in loaded
    assert [name for name in loaded if name.startswith(f"sondage.{other}")] == []
