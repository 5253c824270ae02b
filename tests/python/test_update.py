"""Updates of members from frames: a plan shows every change, and only values that differ are sent."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sondage

SENT = "UpdateMembers"


def emails(client: sondage.Client, box: sondage.Sandbox, count: int) -> list[Any]:
    return [member["Email"] for member in client.members(box.panel_id, fields=["Email"])][:count]


def sent(box: sondage.Sandbox) -> int:
    return len(box.ledger.requests(SENT))


FRAMES = [pd.DataFrame, pl.DataFrame, pa.table, lambda rows: pl.DataFrame(rows).to_dicts()]


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "pyarrow", "dictionaries"])
def test_any_frame(client: sondage.Client, box: sondage.Sandbox, frame: Any) -> None:
    people = emails(client, box, 25)
    rows = {"Email": [*people, "nobody@example.org"], "Division": ["Moon"] * 26}
    plan = client.plan_update(box.panel_id, frame(rows), key="Email", chunk_size=10)
    assert sent(box) == 0 and plan
    assert (plan.rows, plan.members, plan.unchanged) == (26, 25, 0)
    assert plan.skipped == [sondage.SkippedRow(25, None, "unknown")]
    changes = list(plan.changes)
    assert len(changes) == 25 and {change["new"] for change in changes} == {"Moon"}
    assert list(changes[0]) == ["row", "line", "member", "field", "old", "new"]
    report = plan.apply().raise_if_stopped()
    assert len(report.applied) == 25 and not (report.refused or report.unknown or report.left)
    assert sent(box) == 3, "25 members in chunks of 10"
    again = client.plan_update(box.panel_id, frame(rows), key="Email")
    assert not again and again.unchanged == 25 and len(again.changes) == 0


def test_a_plan_prints_without_what_is_about_people(client: sondage.Client, box: sondage.Sandbox) -> None:
    people = emails(client, box, 1)
    rows = [{"Email": people[0], "Division": "Moon"}, {"Email": None, "Division": "Moon"}]
    plan = client.plan_update(box.panel_id, rows, key="Email")
    *lines, cost = str(plan).splitlines()
    assert lines == [
        f"panel {box.panel_id}: 2 rows would change 1 member in 1 value",
        "  Division: 1",
        "  1 row without a key: 1",
    ]
    assert cost.startswith(f"  applying it costs {plan.cost.calls} calls, ") and cost.endswith("and 1 to send")
    assert "Moon" in repr(plan.changes)


def test_a_csv_file_and_the_choices(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    person = emails(client, box, 1)[0]
    path = tmp_path / "people.csv"
    path.write_text(f"Email,Division,Note\n{person.upper()},,x\n")
    kept = client.plan_update(box.panel_id, path, key="Email", fields=["Division"], ignore_case=True)
    assert not kept and kept.unchanged == 1
    cleared = client.plan_update(
        box.panel_id, path, key="Email", fields=["Division"], ignore_case=True, clear_nulls=True
    )
    assert [change["new"] for change in cleared.changes] == [None]
    with pytest.raises(sondage.InvalidArgument, match="no field `Note`"):
        client.plan_update(box.panel_id, path, key="Email")
    assert sent(box) == 0


def test_what_is_wrong_is_said_before_anything_is_sent(client: sondage.Client, box: sondage.Sandbox) -> None:
    person = emails(client, box, 1)[0]
    wrong: list[tuple[Any, str, str]] = [
        ({"Email": [person], "Gender": ["male"]}, "Email", "an integer"),
        ({"Email": [person], "Division": [["a"]]}, "Email", "Division"),
        ({"Email": [person], "Division": ["a"]}, "Badge", "no field `Badge`"),
        ({"Division": ["a"]}, "Email", "no column"),
    ]
    for rows, key, says in wrong:
        with pytest.raises(sondage.InvalidArgument, match=says) as raised:
            client.plan_update(box.panel_id, pl.DataFrame(rows), key=key)
        assert person not in str(raised.value)
    nobody = pl.DataFrame(schema={"Email": pl.String, "Division": pl.String})
    assert len(client.plan_update(box.panel_id, nobody, key="Email").changes) == 0
    with pytest.raises(sondage.InvalidArgument, match="cannot be read: No such file"):
        client.plan_update(box.panel_id, Path("/no/such/file.csv"), key="Email")
    assert sent(box) == 0


def test_what_stays_unknown_is_read_back(client: sondage.Client, box: sondage.Sandbox) -> None:
    rows = pl.DataFrame({"Email": emails(client, box, 30), "Division": ["Moon"] * 30})
    box.fault(SENT, skip=1, times=None, cut="afterEffect")
    report = client.plan_update(box.panel_id, rows, key="Email", chunk_size=10).apply()
    assert isinstance(report.stopped, sondage.OutcomeUnknown)
    assert (len(report.applied), len(report.left), report.unknown) == (20, 10, [])
    with pytest.raises(sondage.OutcomeUnknown):
        report.raise_if_stopped()
    box.clear_faults()
    rest = client.plan_update(box.panel_id, rows, key="Email")
    assert rest.members == 10
    assert len(rest.apply().applied) == 10


def test_what_somebody_has_changed_since_is_not_overwritten(client: sondage.Client, box: sondage.Sandbox) -> None:
    people = emails(client, box, 2)
    rows = [{"Email": email, "Division": "Moon"} for email in people]
    plan = client.plan_update(box.panel_id, rows, key="Email")
    client.plan_update(box.panel_id, [{"Email": people[1], "Division": "Mars"}], key="Email").apply().raise_if_stopped()
    before = len(box.ledger.requests())
    report = plan.apply()
    assert isinstance(report.stopped, sondage.InvalidArgument) and "1 have other values now" in str(report.stopped)
    assert (report.applied, len(report.left), sent(box)) == ([], 2, 1)
    assert plan.report.left == report.left
    assert len(box.ledger.requests()) - before == plan.cost.calls - 1, "all but the call that sends"
    anyway = client.plan_update(box.panel_id, rows, key="Email", recheck=False)
    assert len(anyway.apply().raise_if_stopped().applied) == 2
    late = client.plan_update(box.panel_id, [{"Email": people[0], "Division": "Mars"}], key="Email", max_age=0)
    assert "may be at most 0" in str(late.apply().stopped)


def test_a_member_whom_the_service_refuses(client: sondage.Client, box: sondage.Sandbox) -> None:
    ids = [member.id for member in client.members(box.panel_id, fields=["Email"])][:2]
    rows = {"Id": ids, "Email": ["new@example.org", "no address"]}
    report = client.plan_update(box.panel_id, pl.DataFrame(rows), key="Id").apply()
    assert (report.applied, report.refused, len(report.issues)) == ([ids[0]], [ids[1]], 1)


def test_asyncio(client: sondage.Client, box: sondage.Sandbox) -> None:
    people = emails(client, box, 3)

    async def main() -> tuple[int, int]:
        async with box.async_client() as client:
            rows = pd.DataFrame({"Email": people, "Division": ["Moon"] * 3})
            plan = await client.plan_update(box.panel_id, rows, key="Email")
            return plan.members, len((await plan.apply()).applied)

    assert asyncio.run(main()) == (3, 3)
