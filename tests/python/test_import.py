"""Members from rows, each person once: any kind of rows, typed by the panel, and a second run after every
kind of interruption."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sondage
from conftest import DEADLINE

PEOPLE: list[dict[str, Any]] = [{"Email": f"p{i}@import.example", "FirstName": f"P{i}"} for i in range(25)]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "import.journal"


def emails(client: sondage.Client, panel: int) -> list[Any]:
    found = [member.get("Email") for member in client.members(panel, fields=["Email"])]
    return sorted(email for email in found if email and str(email).endswith("@import.example"))


def statuses(report: sondage.ImportReport) -> list[tuple[str, str | None]]:
    return [(row["status"], row["reason"]) for row in report.rows]


def as_duckdb(people: list[dict[str, Any]]) -> Any:
    frame = pa.Table.from_pylist(people)  # noqa: F841: DuckDB finds it by its name
    return duckdb.sql("select * from frame")


FRAMES: list[Any] = [pd.DataFrame, pl.DataFrame, pa.Table.from_pylist, as_duckdb, list, iter]


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "pyarrow", "duckdb", "dictionaries", "iterator"])
def test_any_frame(client: sondage.Client, box: sondage.Sandbox, journal: Path, frame: Any) -> None:
    report = client.import_members(box.panel_id, frame(PEOPLE), key="Email", journal=journal, chunk_size=10)
    assert (report.created, report.complete, report.resumed, len(report)) == (25, True, False, 25)
    assert len(box.ledger.requests("CreateMembers")) == 3
    rows = report.rows.to_polars()
    assert rows.columns == ["row", "line", "status", "id", "reason", "attributed"]
    ids = {member.id: member["Email"] for member in client.members(box.panel_id)}
    assert [ids[id] for id in rows["id"]] == [person["Email"] for person in PEOPLE]
    again = client.import_members(box.panel_id, frame(PEOPLE), key="Email", journal=journal)
    assert (again.created, again.resumed) == (25, True) and len(box.ledger.requests("CreateMembers")) == 3
    assert repr(again) == f"panel {box.panel_id}: 25 rows: 25 created"


def test_the_panel_says_what_values_are(client: sondage.Client, box: sondage.Sandbox, journal: Path) -> None:
    since = dt.datetime(2024, 5, 1, 14, 30, tzinfo=dt.timezone.utc)
    rows: list[dict[str, Any]] = [
        {"CustomerNumber": 900_001, "Email": "a@import.example", "Since": dt.date(2024, 5, 1), "Revenue": Decimal("12.50")},
        {"CustomerNumber": "900002", "Email": "b@import.example", "Since": since, "Revenue": 0.1},
        {"CustomerNumber": 900_003.0, "Email": "c@import.example", "Since": "2024-05-01T16:30:00+02:00", "Revenue": "7"},
        {"CustomerNumber": 900_004, "Email": "d@import.example", "Since": "01.05.2024"},
        {"CustomerNumber": None, "Email": "e@import.example"},
        {"CustomerNumber": 900_006, "Email": "f@import.example", "Revenue": float("nan")},
    ]
    report = client.import_members(box.customer_panel_id, rows, key="Email", journal=journal)
    date = "a date such as 2024-05-01, or a time such as 2024-05-01 14:30 (to the millisecond)"
    assert statuses(report) == [
        ("created", None),
        ("created", None),
        ("created", None),
        ("refused", f'the column "Since" needs {date}'),
        ("refused", 'the column "CustomerNumber" has no value, and every member needs one'),
        ("created", None),
    ]
    made = {member["Email"]: member for member in client.members(box.customer_panel_id)}
    stored = [(made[f"{who}@import.example"]["Since"], made[f"{who}@import.example"]["Revenue"]) for who in "abc"]
    assert stored == [("2024-05-01", 12.5), ("2024-05-01 14:30:00", 0.1), ("2024-05-01 14:30:00", 7.0)]


@pytest.mark.parametrize("kind", ["datetime64", "date32", "timestamp", "decimal"])
def test_dates_and_decimals_of_frames(client: sondage.Client, box: sondage.Sandbox, journal: Path, kind: str) -> None:
    day = dt.date(2024, 5, 1)
    people = {"CustomerNumber": [900_001], "Email": ["a@import.example"], "Since": [day], "Revenue": [Decimal("1.5")]}
    frame: Any = pa.table(people)
    if kind == "datetime64":
        frame = frame.to_pandas().assign(Since=lambda rows: pd.to_datetime(rows["Since"]))
    elif kind == "timestamp":
        frame = pl.DataFrame(people).with_columns(pl.col("Since").cast(pl.Datetime("us")))
    report = client.import_members(box.customer_panel_id, frame, key="Email", journal=journal)
    assert report.created == 1, statuses(report)
    member = next(iter(client.members(box.customer_panel_id, where=sondage.field("Email") == "a@import.example")))
    assert (member["Since"], member["Revenue"]) == ("2024-05-01", 1.5)
    # A plan of changes writes dates in the same form.
    frame = pd.DataFrame({"Email": ["a@import.example"], "Since": pd.to_datetime(["2024-06-02"])})
    applied = client.plan_update(box.customer_panel_id, frame, key="Email").apply()
    assert (applied.refused, applied.issues, len(applied.applied)) == ([], [], 1)


def test_a_csv_file_loses_no_digit(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path, journal: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(
        "Email,FirstName,CellPhoneNumber\na@import.example,007,41791234567\nb@import.example,,0791234567\nc@import.example,C,\n"
    )
    report = client.import_members(box.panel_id, path, key="Email", journal=journal)
    number = 'the column "CellPhoneNumber" needs an integer without leading zeros'
    assert statuses(report) == [("created", None), ("refused", number), ("created", None)]
    a = next(iter(client.members(box.panel_id, where=sondage.field("Email") == "a@import.example")))
    assert (a["FirstName"], a["CellPhoneNumber"]) == ("007", 41_791_234_567)


BAD: list[tuple[Any, str]] = [
    ([{"Email": ["a"]}], "row 0 has in the column 'Email' a value of the type list"),
    (pl.DataFrame({"Email": ["a"], "FirstName": [["b"]]}), "FirstName.*members cannot have"),
    ([{"Email": "a@import.example", "Frstname": "Ada"}], 'no field for the columns "Frstname"; it has "Email"'),
    ([{"FirstName": "Ada"}], 'no column "Email" to use as the key'),
    ([{"Email": ""}, {"Email": None}], "none of the 2 rows can be imported .row 0: it has no key"),
]


@pytest.mark.parametrize(("rows", "words"), BAD)
def test_bad_input_is_one_sentence_and_nothing_is_sent(
    client: sondage.Client, box: sondage.Sandbox, journal: Path, rows: Any, words: str
) -> None:
    with pytest.raises(sondage.InvalidArgument, match=f"(?s){words}"):
        client.import_members(box.panel_id, rows, key="Email", journal=journal)
    assert box.ledger.requests("CreateMembers") == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"Email;First,Name\n", 'separated by "," or by ";".*`separator`'),
        ("Email\nłódź@import.example\nśląsk@import.example\n".encode("cp1250"), "windows-1252.*`encoding`"),
        (b"Email,Email\na@import.example,b\n", 'two columns "Email"'),
        (b"", "people.csv` is empty"),
        (
            b"Email,FirstName\na@import.example\n",
            r"line 2 of .*people.csv. has 1 value, and its first line names 2 columns\. Nothing was changed\. Correct",
        ),
    ],
)
def test_csv_files_that_cannot_be_read(
    client: sondage.Client, box: sondage.Sandbox, tmp_path: Path, journal: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    with pytest.raises(sondage.InvalidArgument, match=words):
        client.import_members(box.panel_id, path, key="Email", journal=journal)
    assert box.ledger.requests("CreateMembers") == []
    with pytest.raises(sondage.InvalidArgument, match=r"none.csv` cannot be read: .*Check the path"):
        client.import_members(box.panel_id, tmp_path / "none.csv", key="Email", journal=journal)


def test_csv_files_of_spreadsheets(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path, journal: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("sep=;\r\nemail;LastName\r\nzoe@import.example;Müller\r\n".encode("cp1252"))
    report = client.import_members(box.panel_id, path, key="Email", journal=journal)
    assert (report.created, report.separator, report.encoding) == (1, ";", "windows-1252")
    assert list(report.columns) == ["Email", "LastName"] and 'the column "email" is the field "Email"' in str(report)
    path.write_bytes("Email|LastName\nkos@import.example|Koziński\n".encode("cp1250"))
    csv = sondage.Csv(path, separator="|", encoding="cp1250")
    assert client.import_members(box.panel_id, csv, key="Email", journal=tmp_path / "second").created == 1
    assert "Koziński" in [member["LastName"] for member in client.members(box.panel_id)]
    plan = client.plan_update(box.panel_id, csv, key="Email")
    assert (len(plan.changes), plan.separator, plan.encoding) == (0, "|", "windows-1250")
    with pytest.raises(sondage.InvalidArgument, match="path of a Csv is of the type str"):
        client.import_members(box.panel_id, sondage.Csv("people.csv"), key="Email")  # type: ignore[arg-type]


def test_nothing_to_do_is_a_report_with_zero(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path, journal: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("Email,FirstName\n")
    nobody: list[Any] = [[], path, pl.DataFrame(schema={"Email": pl.String})]
    for number, rows in enumerate(nobody):
        report = client.import_members(box.panel_id, rows, key="Email", journal=tmp_path / f"{number}")
        assert (len(report), report.complete, report.created) == (0, True, 0)
        assert len(client.create_members_from(box.panel_id, rows)) == 0
    plan = client.plan_invite(
        survey_id=box.survey_id,
        panel_id=box.panel_id,
        message_template_id=box.message_template_id,
        where=sondage.field("Division") == "Nowhere",
    )
    assert (plan.count, plan.run(confirm=plan.token).done) == (0, 0)
    with pytest.raises(sondage.SondageError):
        client.import_members(box.panel_id, [], key="Badge", journal=journal)
    assert box.ledger.requests("CreateMembers") == [] and box.ledger.requests("InviteMembers") == []


def test_existing_members(client: sondage.Client, box: sondage.Sandbox, journal: Path) -> None:
    client.import_members(box.panel_id, PEOPLE[:2], key="Email", journal=journal)
    changed = [PEOPLE[0], {**PEOPLE[1], "FirstName": "Adaline"}, PEOPLE[2]]
    with pytest.raises(sondage.InvalidArgument, match="2 of the rows have a member with their key already"):
        client.import_members(box.panel_id, changed, key="Email", existing="error", journal=journal.with_name("e"))
    report = client.import_members(box.panel_id, changed, key="Email", existing="update", journal=journal.with_name("u"))
    assert [status for status, _ in statuses(report)] == ["unchanged", "updated", "created"]
    report = client.import_members(box.panel_id, changed, key="Email", journal=journal.with_name("s"))
    assert (report.exists, report.created) == (3, 0)
    with pytest.raises(sondage.InvalidArgument, match=r'existing must be one of \["skip", "update", "error"\], not "replace"'):
        client.import_members(box.panel_id, changed, key="Email", existing="replace")  # type: ignore[arg-type]


def test_after_a_lost_answer_nobody_is_there_twice(client: sondage.Client, box: sondage.Sandbox, journal: Path) -> None:
    box.fault("CreateMembers", skip=1, cut="afterEffect")
    report = client.import_members(box.panel_id, PEOPLE, key="Email", journal=journal, chunk_size=10, quiet=0.0)
    assert report.created == 25 and emails(client, box.panel_id) == sorted(person["Email"] for person in PEOPLE)
    assert {row["attributed"] for row in report.rows if 10 <= row["row"] < 20} == {"read_back"}


def test_what_stopped_it_is_said_and_the_same_call_goes_on(client: sondage.Client, box: sondage.Sandbox, journal: Path) -> None:
    box.fault("CreateMembers", skip=1, times=1, status=403)
    report = client.import_members(box.panel_id, PEOPLE, key="Email", journal=journal, chunk_size=10)
    assert (report.created, report.refused, report.not_sent, report.complete) == (10, 10, 5, False)
    assert "run the same import again" in report.text
    with pytest.raises(sondage.PermissionDenied):
        report.raise_if_stopped()
    changed = [{**PEOPLE[0], "FirstName": "Ada"}, *PEOPLE[1:]]
    with pytest.raises(sondage.InvalidArgument, match="interrupted, and its rows were different: 1 have other values .row 0"):
        client.import_members(box.panel_id, changed, key="Email", journal=journal)
    again = client.import_members(box.panel_id, PEOPLE, key="Email", journal=journal)
    assert (again.created, again.resumed, again.stopped) == (25, True, None)
    assert len(emails(client, box.panel_id)) == 25


def test_asyncio(box: sondage.Sandbox, journal: Path) -> None:
    async def run() -> sondage.ImportReport:
        async with box.async_client() as client:
            return await client.import_members(box.panel_id, PEOPLE, key="Email", journal=journal)

    assert asyncio.run(run()).created == 25


CHILD = """
import sys, sondage
client = sondage.Client(tenant=sys.argv[1], client_secret=sys.argv[2], base_url=sys.argv[3], auth_url=sys.argv[4])
rows = [{"Email": f"p{i}@import.example", "FirstName": f"P{i}"} for i in range(300)]
print("ready", flush=True)
report = client.import_members(int(sys.argv[5]), rows, key="Email", chunk_size=20, quiet=0.5)
print(report.created, report.resumed, report.complete, flush=True)
"""


def test_killed_at_any_moment_and_run_again(
    client: sondage.Client, box: sondage.Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`kill -9` at twenty moments of an import, each in a panel of its own; the same call again completes it.

    No journal is named, so the default one is used.
    """
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    account = [box.tenant, box.client_secret, box.base_url, box.auth_url]
    rng, killed, resumed = random.Random(7), 0, 0
    # Each chunk takes a while, so that most kills hit one that is under way.
    box.fault("CreateMembers", times=None, delay=0.03)
    runs = 20
    for number in range(runs):
        panel = client.create_panel(workspace_id=box.workspace_id, name=f"Kill {number}", panel_type="Basic").id
        assert panel is not None
        command = [sys.executable, "-c", CHILD, *account, str(panel)]
        for attempt in range(4):
            child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            if attempt < 1 + number % 2:
                time.sleep(rng.random() * 0.5)
                child.send_signal(signal.SIGKILL)
            told = child.stdout.read()
            child.stdout.close()
            if child.wait(timeout=DEADLINE) == 0:
                resumed += told == "300 True True\n"
                # All rows by this run and those before it; none, when the one that was killed was done already.
                assert told in ("300 True True\n", "300 False True\n", "0 False True\n")
                break
            killed += 1
        found = emails(client, panel)
        assert len(found) == 300 and len(set(found)) == 300, f"run {number}: {len(found)} of {len(set(found))}"
    assert killed >= runs and resumed > 5, "the kills come too early or too late"
    left = [path for path in tmp_path.rglob("*.journal") if path.stat().st_size]
    assert left == [], "a journal is emptied when its import is complete"
    print(f"{killed} kills in {runs} imports: 0 twice, 0 lost")


def test_a_dry_run_says_what_would_happen_and_what_it_costs(box: sondage.Sandbox, journal: Path) -> None:
    client = box.client()
    client.import_members(box.panel_id, PEOPLE[:5], key="Email")
    box.ledger.clear()
    changed = [person | {"FirstName": "New"} for person in PEOPLE]
    order: dict[str, Any] = {"key": "Email", "existing": "update", "chunk_size": 10, "journal": journal}
    dry = client.import_members(box.panel_id, changed, dry_run=True, **order)
    assert (dry.to_create, dry.to_update, dry.not_sent, dry.complete) == (20, 5, 25, False)
    assert dry.cost is not None and f"the import costs {dry.cost.calls} calls" in repr(dry)
    assert box.ledger.effects() == [] and statuses(dry)[0] == ("not_sent", None)
    box.ledger.clear()
    report = client.import_members(box.panel_id, changed, **order)
    assert (report.created, report.updated, report.cost) == (20, 5, None)
    assert len(box.ledger.requests()) == dry.cost.calls
