"""Programs that sync are killed at any moment. `SONDAGE_SYNC_KILLS=1000`: the long form."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
import sondage
from sync_kills import Kills

KILLS = int(os.environ.get("SONDAGE_SYNC_KILLS", "24"))
ONCE = pytest.mark.filterwarnings("ignore")
pytestmark = [ONCE, pytest.mark.skipif(os.name != "posix", reason="kill -9 is a signal of POSIX systems")]


def test_a_file_survives_kills(box: sondage.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    Kills(box, "parquet", str(path), lambda query: query.sync(path), lambda: pq.read_table(path).to_pylist(), 1).run(KILLS // 3)
    assert {one.name for one in tmp_path.iterdir()} <= {"s.parquet"}, "no answers are left behind"


def test_a_folder_survives_kills(box: sondage.Sandbox, tmp_path: Path) -> None:
    folder = tmp_path / "survey"

    def read() -> list[dict[str, Any]]:
        files = json.loads((folder / "manifest.json").read_text())["files"]
        return [row for file in files for row in pq.read_table(folder / file["name"]).to_pylist()]

    Kills(box, "parquet", str(folder), lambda query: query.sync(folder), read, 3).run(KILLS // 3)
    files = {file["name"] for file in json.loads((folder / "manifest.json").read_text())["files"]}
    assert {one.name for one in folder.iterdir()} == {"manifest.json", *files}, "no answers are left behind"


def test_a_table_of_duckdb_survives_kills(box: sondage.Sandbox, tmp_path: Path) -> None:
    place = str(tmp_path / "s.duckdb")

    def sync(query: sondage.Interviews) -> sondage.SyncReport:
        with duckdb.connect(place) as connection:
            return query.sync(connection, table="answers")

    def read() -> list[dict[str, Any]]:
        with duckdb.connect(place) as connection:
            rows: list[dict[str, Any]] = connection.sql("SELECT * FROM answers").to_arrow_table().to_pylist()
            return rows

    Kills(box, "duckdb", place, sync, read, 2).run(KILLS // 3)
