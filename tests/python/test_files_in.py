"""Files that come in: workbooks, decimal commas, rows with the same key, and blanks around values."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import sondage

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def workbook(path: Path, sheets: dict[str, list[list[Any]]]) -> Path:
    """A workbook with texts and numbers; a value of bytes is the XML inside a cell."""

    def cell(row: int, column: int, value: Any) -> str:
        name = f"{chr(65 + column)}{row}"
        if isinstance(value, bytes):
            return f'<c r="{name}" {value.decode()}</c>'
        if isinstance(value, str):
            return f'<c r="{name}" t="inlineStr"><is><t xml:space="preserve">{value}</t></is></c>'
        return "" if value is None else f'<c r="{name}"><v>{value!r}</v></c>'

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        numbers = range(1, len(sheets) + 1)
        names = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in zip(numbers, sheets))
        links = [f'<Relationship Id="r{n}" Type="{OFFICE}/worksheet" Target="worksheets/{n}.xml"/>' for n in numbers]
        root = f'<Relationship Id="r" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        file.writestr("_rels/.rels", f'<Relationships xmlns="{PACKAGE}">{root}</Relationships>')
        file.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{PACKAGE}">{"".join(links)}</Relationships>')
        file.writestr("xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{names}</sheets></workbook>')
        for n, rows in zip(numbers, sheets.values()):
            lines = [
                f'<row r="{row}">{"".join(cell(row, column, value) for column, value in enumerate(values))}</row>'
                for row, values in enumerate(rows, 1)
            ]
            file.writestr(f"xl/worksheets/{n}.xml", f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>')
    return path


def statuses(report: sondage.ImportReport) -> list[str]:
    return [row["status"] for row in report.rows]


def reasons(report: sondage.ImportReport) -> list[str | None]:
    return [row["reason"] for row in report.rows]


def names(client: sondage.Client, panel: int) -> dict[Any, Any]:
    members = client.members(panel, fields=["Email", "FirstName"])
    found = {member.get("Email"): member.get("FirstName") for member in members}
    return {email: name for email, name in found.items() if str(email).endswith("@files.example")}


TWICE = [("a@files.example", "One"), (" a@files.example", " Two "), ("b@files.example", "Only")]


def test_the_first_or_the_last_row_of_a_key_counts(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    rows = pl.DataFrame(TWICE, schema=["Email", "FirstName"], orient="row")
    with pytest.raises(TypeError, match="unexpected keyword"):
        client.import_members(box.panel_id, rows, key="Email", duplicate="last")  # type: ignore[call-arg]
    with pytest.raises(sondage.InvalidArgument, match="duplicates"):
        client.import_members(box.panel_id, rows, key="Email", duplicates="newest")  # type: ignore[arg-type]
    options: dict[str, Any] = {"key": "Email", "strip": True, "duplicates": "last"}
    report = client.import_members(box.panel_id, rows, journal=tmp_path / "last", **options)
    assert (report.created, report.duplicate, report.refused) == (2, 1, 0)
    assert statuses(report) == ["duplicate", "created", "created"]
    assert reasons(report)[0] == "row 1 has the same key, and the last of them counts"
    assert names(client, box.panel_id) == {"a@files.example": "Two", "b@files.example": "Only"}
    plan = client.plan_update(box.panel_id, rows, key="Email", strip=True, duplicates="first")
    assert [(change["row"], change["new"]) for change in plan.changes] == [(0, "One")]
    assert [(skipped.row, skipped.reason) for skipped in plan.skipped] == [(1, "duplicate")]
    plan = client.plan_update(box.panel_id, [{"Email": "A@files.example", "FirstName": "x"}], key="Email")
    assert [(skipped.row, skipped.reason) for skipped in plan.skipped] == [(0, "similar")]
    with pytest.raises(sondage.InvalidArgument, match="with `duplicates` \"last\", and this one has \"first\""):
        client.import_members(box.panel_id, rows, journal=tmp_path / "last", **{**options, "duplicates": "first"})


def test_keys_that_only_look_the_same_are_refused(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    rows = [{"Email": "c@files.example"}, {"Email": "c\u200b@files.example"}, {"Email": "d@files.example"}]
    report = client.import_members(box.panel_id, rows, key="Email", duplicates="first", journal=tmp_path / "alike")
    assert statuses(report) == ["refused", "refused", "created"]
    assert "except for signs that are not seen" in str(reasons(report)[0])


def test_keys_are_compared_as_people_read_them(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    rows = [{"Email": "STRASSE@files.example"}, {"Email": "straße@files.example"}, {"Email": "weg@files.example"}]
    report = client.import_members(box.panel_id, rows, key="Email", duplicates="last", journal=tmp_path / "folded")
    assert statuses(report) == ["refused", "refused", "created"]
    rows = [{"Email": "weg@files.example", "FirstName": "old"}, {"Email": "WEG@files.example", "FirstName": "new"}]
    plan = client.plan_update(box.panel_id, rows, key="Email", duplicates="last")
    assert [(skipped.row, skipped.reason) for skipped in plan.skipped] == [(0, "twice_in_rows"), (1, "twice_in_rows")]


def test_a_text_that_is_named_like_a_workbook_is_refused(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    path.write_text("Email\tLastName\nann@files.example\tLee\n", "utf-8")
    with pytest.raises(sondage.InvalidArgument, match=r"is no workbook \(.xlsx\).*Nothing was sent"):
        client.import_members(box.panel_id, path, key="Email")


def test_a_plan_that_creates_and_invites_takes_the_same_choices(client: sondage.Client, box: sondage.Sandbox) -> None:
    rows = [{"Email": email, "FirstName": name, "Language": "de"} for email, name in TWICE]
    plan = client.plan_create_and_invite(
        rows,
        survey_id=box.survey_id,
        panel_id=box.panel_id,
        message_template_id=box.message_template_id,
        key="Email",
        duplicates="first",
        strip=True,
    )
    assert (plan.count, list(plan.rows)) == (2, [0, 2])
    assert [(row.row, row.reason) for row in plan.rows_left_out] == [(1, "same_key")]


def test_rows_that_are_left_out_have_their_lines(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('Email,FirstName,Language\n\nl1@files.example,"A\nB",de\nl2@files.example,C,de\nl2@files.example,D,de\n')
    ids = {"survey_id": box.survey_id, "panel_id": box.panel_id, "message_template_id": box.message_template_id}
    plan = client.plan_create_and_invite(path, key="Email", duplicates="first", **ids)
    assert [(left.row, left.line, left.why) for left in plan.rows_left_out] == [(2, 6, "row 1 (line 5) has the same key, and the first of them counts")]
    report = plan.run(confirm=plan.token)
    assert [(row.target, row.line, row.status) for row in report.rows] == [(0, 3, "done"), (1, 5, "done"), (2, 6, "left_out")]
    report = client.import_members(box.panel_id, path, key="Email", duplicates="first", dry_run=True)
    assert [(row["row"], row["line"]) for row in report.rows] == [(0, 3), (1, 5), (2, 6)]
    plan = client.plan_update(box.panel_id, path, key="Email", duplicates="first")
    assert [(skipped.row, skipped.line) for skipped in plan.skipped] == [(2, 6)]
    assert sorted({(change["row"], change["line"]) for change in plan.changes}) == []


def test_decimal_commas(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "customers.csv"

    def imported(values: list[str], **named: Any) -> sondage.ImportReport:
        lines = [f"{900_100 + row};d{row}@files.example;{value}" for row, value in enumerate(values)]
        path.write_text("\r\n".join(["CustomerNumber;Email;Revenue", *lines, ""]))
        rows = sondage.Csv(path, **named)
        (tmp_path / "journal").unlink(missing_ok=True)
        return client.import_members(box.customer_panel_id, rows, key="Email", existing="update", journal=tmp_path / "journal")

    report = imported(["12,5", "1,234"])
    assert (report.created, report.decimal, report.separator) == (2, ",", ";") and "decimal commas" in str(report)
    revenues = {member["Email"]: member["Revenue"] for member in client.members(box.customer_panel_id)}
    assert (revenues["d0@files.example"], revenues["d1@files.example"]) == (12.5, 1.234)
    report = imported(["1,234", "7"])
    assert statuses(report)[0] == "refused" and "`decimal`" in str(reasons(report)[0])
    assert imported(["1,234", "7"], decimal=",").refused == 0
    assert statuses(imported(["1.234", "7"], decimal=",")) == ["refused", "unchanged"]
    with pytest.raises(sondage.InvalidArgument, match="`decimal` is ';'|`decimal` is \";\""):
        imported(["1"], decimal=";")
    assert repr(sondage.Csv(Path("a.csv"), decimal=",")).endswith("separator=None, encoding=None, decimal=',', guarded=None)")


def test_a_parquet_file_says_how_to_hand_it_over(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    client.members(box.panel_id).to_parquet(path)
    with pytest.raises(sondage.InvalidArgument, match=r"people\.parquet` is a Parquet file.*pyarrow\.parquet\.read_table\(path\)"):
        client.import_members(box.panel_id, path, key="Email")


def test_workbooks(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    people = [["Email", " lastname", "CellPhoneNumber"], ["x@files.example", 123.0, 41791234567.0], [None, None, None]]
    path = workbook(tmp_path / "people.xlsx", {"People": people, "More": [["Email"], ["y@files.example"]]})
    report = client.import_members(box.panel_id, path, key="Email", journal=tmp_path / "first")
    assert (report.created, report.sheet, report.separator, report.encoding) == (1, "People", None, None)
    x = next(iter(client.members(box.panel_id, where=sondage.field("Email") == "x@files.example")))
    assert (x["LastName"], x["CellPhoneNumber"]) == ("123", 41_791_234_567)
    plan = client.plan_update(box.panel_id, path, key="Email")
    assert (plan.sheet, plan.unchanged, len(plan.changes)) == ("People", 1, 0)
    more = sondage.Workbook(path, sheet="More")
    assert repr(more) == f"sondage.Workbook({path!r}, sheet='More', decimal=None)"
    assert client.import_members(box.panel_id, more, key="Email", journal=tmp_path / "more").created == 1
    assert len(client.create_members_from(box.panel_id, sondage.Workbook(path, sheet="More"))) == 1
    with pytest.raises(sondage.InvalidArgument, match='it has "People", "More".*Name one of its sheets as `sheet`'):
        client.import_members(box.panel_id, sondage.Workbook(path, sheet="None"), key="Email")
    named = sondage.Workbook(path, decimal=",")
    assert client.import_members(box.panel_id, named, key="Email", journal=tmp_path / "named").decimal == ","
    with pytest.raises(sondage.InvalidArgument, match="`separator`, `encoding` and `guarded` are for CSV files"):
        client.import_members(box.panel_id, sondage.Csv(path, separator=";"), key="Email")
    with pytest.raises(sondage.InvalidArgument, match="the path of a Workbook is of the type str"):
        client.import_members(box.panel_id, sondage.Workbook("people.xlsx"), key="Email")  # type: ignore[arg-type]


def test_a_workbook_of_another_program(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    """It was written by openpyxl: with a hidden sheet before the others, dates, and a format of five zeros."""
    path = Path(__file__).parents[1] / "people.xlsx"
    report = client.import_members(box.panel_id, path, key="Email", journal=tmp_path / "journal")
    assert (statuses(report), report.sheet) == (["created", "created"], "People")
    fields = ["Email", "LastName", "FirstName", "CellPhoneNumber"]
    found = {m["Email"]: [m.get(name) for name in fields[1:]] for m in client.members(box.panel_id, fields=fields)}
    assert found["x@files.example"] == ["123", "2024-05-01", 41_791_234_567]
    assert found["y@files.example"] == ["01234", "2024-05-01 14:30:00", None]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (b't="e"><v>#N/A</v>', r"the cell B2 of the sheet \"S\" of .* has an error in place of a value \(#N/A\)"),
        (b"><f>A1</f>", "the cell B2 .* formula whose result is not stored.*Open the file in a spreadsheet program"),
    ],
)
def test_cells_without_a_value_are_refused_with_their_place(
    client: sondage.Client, box: sondage.Sandbox, tmp_path: Path, value: bytes, words: str
) -> None:
    path = workbook(tmp_path / "people.xlsx", {"S": [["Email", "LastName"], ["z@files.example", value]]})
    for run in (client.import_members, client.plan_update):
        with pytest.raises(sondage.InvalidArgument, match=words) as raised:
            run(box.panel_id, path, key="Email")
        assert not re.search("@", str(raised.value))
    assert box.ledger.requests("CreateMembers") == []
