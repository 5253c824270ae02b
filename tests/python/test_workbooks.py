"""Workbooks that this package writes, as openpyxl reads them."""

from __future__ import annotations

import json
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
import sondage

OPERATION = "ReadInterviewListCompact"
LONG = "\U0001f642" * 20_000
PLAN = [
    {
        "code": "q", "questionCode": "q", "question": "How often?", "sectionName": "One", "dataType": "Number", "type": "SingleChoice",
        "values": [{"id": "1", "value": "often"}, {"id": "2", "value": "never"}, {"id": "9999999", "value": "Not available"}],
    },
    {"code": "m_1", "questionCode": "m", "question": "Which?", "choice": "this", "dataType": "Number", "type": "MultipleChoice"},
    {"code": "day", "questionCode": "day", "question": "When?", "dataType": "Date"},
    {"code": "text", "questionCode": "text", "question": "=1+1", "dataType": "String"},
]  # fmt: skip
ROWS = [
    {"Id": "a", "q": 1, "m_1": 1, "day": "2026-02-28", "text": "=1+1", "n": 12345678901234567890 % 10**18, "StartDate": "2024-07-01T22:30:00Z"},
    {"Id": "b", "q": 9999999, "m_1": 0, "day": "1900-02-28", "text": LONG, "n": 5, "StartDate": None},
    {"Id": "c", "q": None, "m_1": None, "day": None, "text": "a\u0001b", "n": None, "StartDate": "2024-01-01T00:00:00Z"},
    {"Id": "d", "q": 7, "m_1": 1, "day": "1900-03-01", "text": "", "n": -5, "StartDate": "2024-01-01T12:00:00Z"},
]


def sheet(path: Path, name: str) -> list[tuple[Any, ...]]:
    return list(openpyxl.load_workbook(path)[name].iter_rows(values_only=True))


@pytest.fixture(scope="module")
def query() -> Any:
    with sondage.Sandbox.demo() as box:
        answer = {"isSuccess": True, "interviews": ROWS, "totalCount": len(ROWS), "codePlan": PLAN}
        box.fault(OPERATION, body=json.dumps(answer), times=None)
        yield box.client().interviews(7)


def test_a_workbook_has_the_answers_the_questions_and_their_frequencies(query: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with pytest.warns(sondage.DataWarning) as found:
        table = query.table().select(["Id", "q", "m_1", "day", "text", "n", "StartDate"]).in_time_zone("Europe/Zurich")
        assert table.to_xlsx(path) == path.stat().st_size
    told = [str(one.message) for one in found]
    for expected in (
        "1 text was longer than 32,767 characters and is cut (text)",
        "1 day or time before 1900-03-01 is written as text (day)",
        "1 number of more than 15 digits is written as text (n)",
    ):
        assert expected in told
    book = openpyxl.load_workbook(path)
    assert book.sheetnames == ["data", "questions", "values", "frequencies"]
    assert book["data"].freeze_panes == "A2" and book["data"].auto_filter.ref == "A1:G5"
    assert book["data"]["E2"].data_type == "s"
    head, *rows = sheet(path, "data")
    assert head == ("Id", "q", "m_1", "day", "text", "n", "StartDate")
    wide = str(12345678901234567890 % 10**18)
    assert rows[0] == ("a", 1, 1, datetime(2026, 2, 28), "=1+1", wide, datetime(2024, 7, 2, 0, 30))
    assert rows[1] == ("b", None, 0, "1900-02-28", LONG[:16_383], 5, None)
    assert rows[2][:4] == ("c", None, None, None) and rows[2][6] == datetime(2024, 1, 1, 1)
    assert rows[3][3] == datetime(1900, 3, 1) and rows[3][5] == -5
    questions = {row[0]: row for row in sheet(path, "questions")}
    assert questions["q"][1:5] == ("How often?", "How often?", None, None) and questions["m_1"][4] == "this"
    assert sheet(path, "values")[1:] == [
        ("q", 1, "often", None),
        ("q", 2, "never", None),
        ("q", 9_999_999, "Not available", "missing"),
    ]
    assert sheet(path, "frequencies")[1:] == [
        ("q", "How often?", 1, "often", None, 1, 25, 50),
        ("q", "How often?", 2, "never", None, 0, 0, 0),
        ("q", "How often?", None, "other answers", None, 1, 25, 50),
        ("q", "How often?", 9_999_999, "Not available", "missing", 1, 25, None),
        ("q", "How often?", None, "no answer", "missing", 1, 25, None),
        ("m_1", "Which? \u2013 this", 1, "this", None, 2, 50, pytest.approx(200 / 3)),
        ("m_1", "Which? \u2013 this", None, "no answer", "missing", 1, 25, None),
    ]


@pytest.mark.filterwarnings("ignore::sondage.DataWarning")
@pytest.mark.parametrize("labels", [False, True, "both"])
def test_labels_and_frequencies_are_those_of_the_table(tmp_path: Path, labels: Any) -> None:
    with sondage.Sandbox.demo("waves") as box:
        query = box.client(page_size=50).interviews(box.survey_id)
        done = query.to_xlsx(tmp_path / "query.xlsx", labels)
        table = query.table().with_labels(labels)
    table.to_xlsx(tmp_path / "table.xlsx")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["query.xlsx", "table.xlsx"]
    for name in ("data", "questions", "values", "frequencies"):
        assert sheet(tmp_path / "query.xlsx", name) == sheet(tmp_path / "table.xlsx", name), name
    head, *rows = sheet(tmp_path / "query.xlsx", "data")
    assert list(head) == table.columns and len(rows) == done.rows == len(table)
    for row, expected in zip(rows, table):
        for cell, wanted in zip(row, expected.values()):
            if isinstance(wanted, datetime):
                assert abs((cell - wanted.replace(tzinfo=None)).total_seconds()) < 0.002
            elif isinstance(wanted, date):
                assert cell.date() == wanted
            else:
                assert cell == (wanted or None) if isinstance(wanted, str) else cell == wanted, (cell, wanted)
    lines = sheet(tmp_path / "query.xlsx", "frequencies")[1:]
    counted = {(line[0], line[2]): line[5] for line in lines if line[2] is not None and not line[4]}
    codes = table.with_labels(False)
    for column in codes.columns:
        if codes.values(column):
            for answer in codes.frequencies(column).categories:
                if answer.code in codes.values(column):
                    assert counted[column, answer.code] == answer.n, (column, answer)


def test_what_does_not_fit_into_a_sheet_is_refused(tmp_path: Path) -> None:
    plan = [{"code": f"c{number}", "questionCode": "c", "question": "c", "dataType": "Number"} for number in range(16_385)]
    with sondage.Sandbox.demo() as box:
        answer = {"isSuccess": True, "interviews": [{"Id": "a", "c0": 1}], "totalCount": 1, "codePlan": plan}
        box.fault(OPERATION, body=json.dumps(answer), times=None)
        table = box.client().interviews(7).table()
    with pytest.raises(sondage.InvalidArgument, match="16386 columns, and a file of Excel at most 16384.*`select` columns"):
        table.to_xlsx(tmp_path / "a.xlsx")
    assert list(tmp_path.iterdir()) == []


def test_codes_of_texts_stay_texts_and_line_breaks_are_plain(tmp_path: Path) -> None:
    frame = pd.DataFrame({"zip": ["1", "02", "x"], "n": [1, 2, 1], "words": ["a\r\nb", "a\rb\n\nc", "\r"]})
    with sondage.Sandbox.from_frame(frame, labels={"zip": {"1": "one", "02": "two"}, "n": {1: "one", 2: "two"}}) as box:
        table = box.client().interviews(box.survey_id).table()
    for labels in (False, True, "both"):
        table.with_labels(labels).to_xlsx(tmp_path / "a.xlsx")
        codes = [line[:2] for line in sheet(tmp_path / "a.xlsx", "values")[1:]]
        assert codes == [("zip", "1"), ("zip", "02"), ("n", 1), ("n", 2)]
        counted = [line[:3:2] for line in sheet(tmp_path / "a.xlsx", "frequencies")[1:]]
        assert counted == [("zip", "1"), ("zip", "02"), ("zip", None), ("n", 1), ("n", 2)]
    head, *rows = sheet(tmp_path / "a.xlsx", "data")
    assert [row[head.index("words")] for row in rows] == ["a\nb", "a\nb\n\nc", "\n"]
    assert b"_x000D_" not in b"".join(zipfile.ZipFile(tmp_path / "a.xlsx").read(name) for name in zipfile.ZipFile(tmp_path / "a.xlsx").namelist())


@pytest.mark.filterwarnings("ignore::sondage.DataWarning")
def test_lists_and_codes_with_decimals_are_in_all_sheets(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": [1.5, 2.0, 2.0]})
    with sondage.Sandbox(content="waves") as box, sondage.Sandbox.from_frame(frame, labels={"q": {1.5: "a", 2.0: "b"}}) as decimals:
        lists = box.client().interviews(box.survey_id).table().with_lists()
        table = decimals.client().interviews(decimals.survey_id, fields=["q"]).table()
    for view in (lists, lists.with_labels(), lists.with_missing({}, show="code")):
        view.to_xlsx(tmp_path / "lists.xlsx")
        counted = {row[2]: (row[5], row[7]) for row in sheet(tmp_path / "lists.xlsx", "frequencies") if row[0] == "reasons" and not row[4]}
        of_table = {one.code: (one.n, pytest.approx(one.valid_percent)) for one in lists.frequencies("reasons").categories}
        assert counted == of_table and sum(n for n, _ in counted.values()) > 0
    table.to_xlsx(tmp_path / "decimals.xlsx")
    assert [row[1] for row in sheet(tmp_path / "decimals.xlsx", "values")[1:]] == [1.5, 2]
    assert [row[2] for row in sheet(tmp_path / "decimals.xlsx", "frequencies")[1:]] == [1.5, 2]


def test_frequencies_tell_missing_codes_apart_and_say_why(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": [1, 2, 97, 98, 98, 9_999_999, None], "State": ["Completed"] * 6 + ["NotResponded"]})
    labels = {"q": {1: "none", 2: "some", 97: "none", 98: "none", 9_999_999: "some"}}
    with sondage.Sandbox.from_frame(frame, labels=labels) as box:
        table = box.client().interviews(box.survey_id).table()
    counts: dict[str, list[tuple[Any, ...]]] = {}
    for show in ("null", "code", "reason"):
        table.with_missing({"q": [97, 98]}, show=show).to_xlsx(tmp_path / "a.xlsx")
        counts[show] = [line[2:6] for line in sheet(tmp_path / "a.xlsx", "frequencies")[1:] if line[0] == "q"]
        answers = [answer for _, answer, _, _ in counts[show]]
        assert len(set(answers)) == len(answers), show
    assert sorted(counts["code"], key=str) == sorted(
        [
            (1, "none (1)", None, 1),
            (2, "some (2)", None, 1),
            (97, "none (97)", "missing", 1),
            (98, "none (98)", "missing", 2),
            (9_999_999, "some (9999999)", "missing", 1),
            (None, "no answer", "missing", 1),
        ],
        key=str,
    )
    assert [line for line in counts["reason"] if line[2]] == [
        (None, "not_asked", "missing", 1),
        (97, "none (97)", "missing", 1),
        (98, "none (98)", "missing", 2),
        (None, "not_available", "missing", 1),
    ]
