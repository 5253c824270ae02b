"""Members from frames of any library: no object per row, and each chunk sent at most once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sondage

# A bare installation: none of these can be imported.
BARE = """
import sys
sys.modules.update(dict.fromkeys(["pandas", "polars", "pyarrow", "duckdb", "numpy"]))
import sondage
with sondage.Sandbox.demo() as box:
    client, people = box.client(), [{"Email": "ada@example.org", "FirstName": "Ada"}, {"Email": "no address"}]
    print(client.create_members_from(box.panel_id, people).created)
    print(client.import_members(box.panel_id, people, key="Email").exists)
    print([change["new"] for change in client.plan_update(box.panel_id, [people[0] | {"FirstName": "Eve"}], key="Email").changes])
"""

PEOPLE: dict[str, list[Any]] = {
    "Email": [f"person{i}@example.org" for i in range(25)],
    "FirstName": [f"Zoë {i}" if i % 3 else None for i in range(25)],
    "CellPhoneNumber": [41_791_230_000 + i for i in range(25)],
}


def as_duckdb(people: dict[str, list[Any]]) -> Any:
    frame = pa.table(people)  # noqa: F841: DuckDB finds it by its name
    relation = duckdb.sql("select * from frame order by CellPhoneNumber")
    return relation


FRAMES = [pd.DataFrame, pl.DataFrame, pa.table, as_duckdb, lambda people: pl.DataFrame(people).to_dicts()]


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "pyarrow", "duckdb", "dictionaries"])
def test_any_frame(client: sondage.Client, box: sondage.Sandbox, frame: Any) -> None:
    report = client.create_members_from(box.panel_id, frame(PEOPLE), chunk_size=10).raise_if_stopped()
    assert len(box.ledger.requests("CreateMembers")) == 3
    assert (report.created, report.unknown, report.complete, report.journal) == (25, 0, True, None)
    found = list(client.members(box.panel_id, where=sondage.field("Email") == "person14@example.org"))
    assert [member.id for member in found] == [list(report.rows)[14]["id"]]
    assert (found[0]["FirstName"], found[0]["CellPhoneNumber"]) == ("Zoë 14", 41_791_230_014)


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "pyarrow", "duckdb", "dictionaries"])
def test_a_column_without_a_single_value(client: sondage.Client, box: sondage.Sandbox, frame: Any) -> None:
    rows = {"Email": ["ada@example.com"], "FirstName": [None], "CellPhoneNumber": [41_791_230_000]}
    assert client.create_members_from(box.panel_id, frame(rows)).raise_if_stopped().created == 1
    plan = client.plan_update(box.panel_id, frame(rows), key="Email")
    assert (plan.members, plan.unchanged) == (0, 1)


def test_a_csv_file(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("Email,FirstName\nada@example.com,007\nnot an address,Bo\n")
    report = client.create_members_from(box.panel_id, path)
    assert report.created == 1 and "not an address" in list(report.rows)[1]["reason"]
    ada = next(iter(client.members(box.panel_id, where=sondage.field("Email") == "ada@example.com")))
    assert ada["FirstName"] == "007"


def test_after_an_unknown_outcome_nothing_more_is_sent(client: sondage.Client, box: sondage.Sandbox) -> None:
    box.fault("CreateMembers", skip=1, cut="afterEffect")
    report = client.create_members_from(box.panel_id, pl.DataFrame(PEOPLE), chunk_size=10)
    assert isinstance(report.stopped, sondage.OutcomeUnknown) and report.stopped.reconcile
    assert [row["row"] for row in report.rows if row["status"] == "unknown"] == list(range(10, 20))
    assert (report.created, report.unknown, report.not_sent, report.complete) == (10, 10, 5, False)
    assert "look in the panel" in repr(report)
    assert len(box.ledger.requests("CreateMembers")) == 2
    with pytest.raises(sondage.OutcomeUnknown):
        report.raise_if_stopped()


def test_what_no_member_can_have(client: sondage.Client, box: sondage.Sandbox) -> None:
    with pytest.raises(sondage.InvalidArgument, match="Tags"):
        client.create_members_from(box.panel_id, pl.DataFrame({"Tags": [["a"]]}))
    with pytest.raises(sondage.InvalidArgument, match="cannot be read: No such file"):
        client.create_members_from(box.panel_id, Path("/no/such/file.csv"))
    for size in [0, -1]:
        for rows in [
            lambda: client.create_members_from(box.panel_id, pl.DataFrame(PEOPLE), chunk_size=size),
            lambda: client.import_members(box.panel_id, pl.DataFrame(PEOPLE), key="Email", chunk_size=size),
            lambda: client.plan_update(box.panel_id, pl.DataFrame(PEOPLE), key="Email", chunk_size=size),
        ]:
            with pytest.raises(sondage.InvalidArgument, match="chunk_size"):
                rows()
    assert box.ledger.requests("CreateMembers") == [] and box.ledger.requests("UpdateMembers") == []


def test_asyncio(box: sondage.Sandbox) -> None:
    async def run() -> int:
        async with box.async_client() as client:
            return (await client.create_members_from(box.panel_id, pl.DataFrame(PEOPLE))).created

    assert asyncio.run(run()) == 25


def test_dictionaries_need_no_other_package() -> None:
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True)
    assert done.stdout.split("\n")[:3] == ["1", "1", "['Eve']"], done.stdout + done.stderr
