"""Files of SPSS and Stata, as other programs read them: missing codes, long texts, names and labels at their limits."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
import sondage

pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")

LONG = "\U0001f642" * 5_000
ROWS: dict[str, list[Any]] = {
    "q": [1, 2, 96, 97, None, 9_999_999],
    "\u00fc" * 40: [1, 40_000, -(2**40), 0, None, 7],
    "text": ["", "a", LONG, " b ", None, "c"],
    "real": [0.5, -1e-9, 1e300, 0.0, None, 96.0],
    "day": ["2026-02-28", "1899-12-31", "1582-10-15", "9999-12-31", None, "1960-01-01"],
    "yes": [True, False, None, True, False, None],
    "empty": [None] * 6,
}
LABELS: dict[str, dict[Any, str]] = {"q": {1: "Ja", 2: "Nein", 96: "wei\u00df nicht", 97: "keine Angabe", 98: "nie", 9_999_999: "Not available"}}


@pytest.fixture(scope="module")
def table() -> sondage.Table:
    frame = pd.DataFrame({name: pd.Series(values, dtype="object") for name, values in ROWS.items()})
    with sondage.Sandbox.from_frame(frame, labels=LABELS) as box:
        return box.client().interviews(box.survey_id).table()


def cells(frame: pd.DataFrame, name: str) -> list[Any]:
    column = frame[name].astype(object)
    return list(column.where(column.notna(), None))


def test_stata_has_letters_for_missing_codes(table: sondage.Table, tmp_path: Path) -> None:
    file = tmp_path / "a.dta"
    assert table.to_dta(file, missing={"q": [96, 97]}) == file.stat().st_size
    _, meta = pyreadstat.read_dta(file, user_missing=True)
    # pyreadstat has any number for a missing value without a letter.
    letters = pd.read_stata(file, columns=["q"], convert_categoricals=False, convert_missing=True)["q"]
    assert [str(one) for one in letters] == ["1", "2", ".a", ".b", ".", ".n"]
    assert meta.variable_value_labels["q"] == {1: "Ja", 2: "Nein", 98: "nie", "a": "wei\u00df nicht", "b": "keine Angabe", "n": "Not available"}
    assert cells(pd.read_stata(file, convert_categoricals=False), "q") == [1, 2, None, None, None, None]
    categories = pd.read_stata(file)["q"]
    assert list(categories[:2]) == ["Ja", "Nein"] and categories[2:].isna().all()
    with pytest.warns(sondage.DataWarning, match="2 missing codes of texts are written as the empty text: Stata declares them of numbers only"):
        table.to_dta(file, missing={"q": range(0, 10_000_000), "text": ["a", "c"]})
    assert pd.read_stata(file, convert_categoricals=False)["text"].tolist() == ["", "", LONG, " b ", "", ""]


def test_stata_has_texts_numbers_and_days_of_any_size(table: sondage.Table, tmp_path: Path) -> None:
    file = tmp_path / "a.dta"
    with pytest.warns(sondage.DataWarning, match="1 column has another name in the file, as Stata requires"):
        table.to_dta(file)
    for frame in (pd.read_stata(file, convert_categoricals=False), pyreadstat.read_dta(file)[0]):
        assert [text or None for text in frame["text"]] == [text or None for text in ROWS["text"]]
        assert cells(frame, "\u00fc" * 32) == [1, 40_000, -(2**40), 0, None, 7]
        assert cells(frame, "real") == ROWS["real"]
        assert cells(frame, "yes") == [None if one is None else int(one) for one in ROWS["yes"]]
    days, _ = pyreadstat.read_dta(file)
    assert cells(days, "day") == [day and datetime.date.fromisoformat(day) for day in ROWS["day"]]


def test_spss_declares_missing_codes(table: sondage.Table, tmp_path: Path) -> None:
    file = tmp_path / "a.sav"
    assert table.to_sav(file, missing={"q": [96, 97]}) == file.stat().st_size
    frame, meta = pyreadstat.read_sav(file, user_missing=True)
    assert cells(frame, "q") == [1, 2, 96, 97, None, 9_999_999]
    assert meta.missing_ranges["q"] == [{"lo": code, "hi": code} for code in (96, 97, 9_999_999)]
    assert cells(pyreadstat.read_sav(file)[0], "q") == [1, 2, None, None, None, None]
    assert frame["text"].tolist() == [(text or "").rstrip() for text in ROWS["text"]]
    assert cells(frame, "\u00fc" * 32) == [1, 40_000, -(2**40), 0, None, 7] and cells(frame, "real") == ROWS["real"]
    assert cells(frame, "day") == [day and datetime.date.fromisoformat(day) for day in ROWS["day"]]


@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_a_query_writes_the_file_of_its_table(tmp_path: Path, kind: str) -> None:
    read = {"sav": pyreadstat.read_sav, "dta": pyreadstat.read_dta}[kind]
    with sondage.Sandbox.demo("waves") as box:
        query = box.client(page_size=50).interviews(box.survey_id)
        done = getattr(query, f"to_{kind}")(tmp_path / f"query.{kind}")
        table = query.table()
        assert getattr(table.with_labels("both"), f"to_{kind}")(tmp_path / f"table.{kind}") == done.size and done.rows == len(table)

        async def both() -> None:
            async with box.async_client() as client:
                again = client.interviews(box.survey_id)
                await getattr(again, f"to_{kind}")(tmp_path / f"async.{kind}", missing=[96, 97])

        asyncio.run(both())
    getattr(table, f"to_{kind}")(tmp_path / f"missing.{kind}", missing=[96, 97])
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.{kind}" for name in ("async", "missing", "query", "table")]
    for one, other in (("query", "table"), ("async", "missing")):
        (frame, meta), (expected, of_table) = (read(tmp_path / f"{name}.{kind}", user_missing=kind == "sav") for name in (one, other))
        pd.testing.assert_frame_equal(frame, expected)
        assert meta.variable_value_labels == of_table.variable_value_labels and meta.missing_ranges == of_table.missing_ranges
        assert meta.column_names_to_labels == of_table.column_names_to_labels


def test_a_time_at_the_end_of_the_calendar_stays_in_it(tmp_path: Path) -> None:
    frame = pd.DataFrame({"EndDate": ["9999-12-31T23:59:59Z", "2024-01-01T00:00:00Z"], "a": [1, 2]})
    with sondage.Sandbox.from_frame(frame) as box:
        table = box.client().interviews(box.survey_id).table().select(["EndDate", "a"]).in_time_zone("Europe/Zurich")
    table.to_csv(tmp_path / "a.csv", spreadsheet=True)
    assert "9999-12-31 23:59:59" in (tmp_path / "a.csv").read_text() and "2024-01-01 01:00:00" in (tmp_path / "a.csv").read_text()
    table.to_sav(tmp_path / "a.sav")
    read = pyreadstat.read_sav(str(tmp_path / "a.sav"))[0]
    assert [str(time) for time in read["EndDate"]] == ["9999-12-31 23:59:59", "2024-01-01 01:00:00"]


def test_a_sheet_counts_codes_that_are_written_as_decimals(tmp_path: Path) -> None:
    with sondage.Sandbox.from_frame(pd.DataFrame({"q": [1.0, 2.0, 1.0]}), labels={"q": {1.0: "a", 2.0: "b"}}) as box:
        box.client().interviews(box.survey_id).table().to_xlsx(tmp_path / "a.xlsx")
    sheet = pd.read_excel(tmp_path / "a.xlsx", sheet_name="frequencies")
    assert list(sheet["n"][sheet["variable"] == "q"]) == [2, 1]


@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_codes_of_a_column_that_is_not_there(tmp_path: Path, kind: str) -> None:
    """The code plan is part of the first page: what it says is refused there, and nothing is left."""
    with sondage.Sandbox.demo() as box:
        query = box.client(page_size=100).interviews(box.survey_id, fields=["vote"])
        box.ledger.clear()
        with pytest.raises(sondage.InvalidArgument, match='no column or question "nope"'):
            getattr(query, f"to_{kind}")(tmp_path / f"a.{kind}", missing={"vote": [9], "nope": [1]})
        assert list(tmp_path.iterdir()) == [] and len(box.ledger.requests()) < 5
        # Members have no plan: their columns are known at the end. What was downloaded is kept, and used again.
        members = box.client().members(box.panel_id, fields=["Email", "Gender"])
        with pytest.raises(sondage.InvalidArgument, match=r"no column or question \"nope\".*kept in .*\.part.*resumes"):
            getattr(members, f"to_{kind}")(tmp_path / f"a.{kind}", missing={"nope": [1]})
        box.ledger.clear()
        getattr(members, f"to_{kind}")(tmp_path / f"a.{kind}", missing={"Gender": ["x"]})
        assert [path.name for path in tmp_path.iterdir()] == [f"a.{kind}"]


def test_a_warning_tells_sheets_from_columns(tmp_path: Path) -> None:
    frame = pd.DataFrame({"q": [1, 2], "t": ["x" * 40_000, "a"]})
    with sondage.Sandbox.from_frame(frame, labels={"q": {1: "y" * 40_000, 2: "b"}}) as box:
        report = box.client().interviews(box.survey_id).to_xlsx(tmp_path / "a.xlsx")
    [cut] = [warning for warning in report.warnings if "are cut" in warning]
    assert cut.startswith("3 texts") and "t, sheet values, sheet frequencies" in cut


def test_measures_widths_and_the_weight_of_an_spss_file(tmp_path: Path) -> None:
    columns = {
        "agree": [1, 2, 3, 9_999_999],
        "down": [3, 2, 1, 1],
        "place": [1, 7, 4, 4],
        "sex": [1, 2, 1, 2],
        "ends": [1, 9, 4, 5],
        "age": [20, 30, 40, 10**12],
        "word": ["a", "b", "c", "a"],
        "w": [0.5, 1.5, -12_345_678.5, 1.0],
    }
    labels: dict[str, dict[Any, str]] = {
        "agree": {1: "no", 2: "partly", 3: "yes", 9_999_999: "Not available"},
        "down": {3: "high", 2: "middle", 1: "low"},
        "place": {1: "Bern", 7: "Chur", 4: "Zug"},
        "sex": {1: "f", 2: "m"},
        "ends": {1: "never", 9: "always"},
        "word": {"a": "A", "b": "B", "c": "C"},
    }
    file = tmp_path / "a.sav"
    with sondage.Sandbox.from_frame(pd.DataFrame(columns), labels=labels) as box:
        query = box.client().interviews(box.survey_id)
        table = query.table()
        query.to_sav(tmp_path / "query.sav", weight="w")
        with pytest.raises(sondage.InvalidArgument, match=r"weight: there is no column `W`"):
            query.to_sav(tmp_path / "wrong.sav", weight="W")
    table.to_sav(file, weight="w")
    assert file.stat().st_size == (tmp_path / "query.sav").stat().st_size
    _, meta = pyreadstat.read_sav(file)
    measures = {name: meta.variable_measure[name] for name in columns}
    ordinal = {name for name in columns if measures[name] == "ordinal"}
    assert ordinal == {"agree", "down", "ends"}
    assert {name for name in columns if measures[name] == "nominal"} == {"place", "sex", "word"}
    # Ordinal are the labels that a frame has in order, and that are more than two.
    frame = table.with_labels().to_pandas()
    assert ordinal == {name for name in labels if name != "word" and frame[name].cat.ordered and len(frame[name].cat.categories) > 2}
    assert meta.original_variable_types["age"] == "F13.0" and meta.original_variable_types["w"] == "F12.2"
    # The header has the number of the weight's slot; texts have one for each 8 bytes.
    with file.open("rb") as header:
        assert int.from_bytes(header.read(80)[76:80], "little") > len(columns)
    for wrong, problem in {"word": "SPSS weights by numbers only", "none": "there is no column"}.items():
        with pytest.raises(sondage.InvalidArgument, match=f"weight: {problem}"):
            table.to_sav(tmp_path / "wrong.sav", weight=wrong)
    assert not (tmp_path / "wrong.sav").exists()


def test_stata_keeps_names_with_an_underscore_and_whole_questions(tmp_path: Path) -> None:
    columns = {"_x": [1, 2], "_all": [1, 2], "_n": [1, 2], "2nd": [1, 2]}
    with sondage.Sandbox.from_frame(pd.DataFrame(columns)) as box:
        table = box.client().interviews(box.survey_id).table().select(list(columns))
    with pytest.warns(sondage.DataWarning, match="3 columns have another name"):
        table.to_dta(tmp_path / "a.dta")
    assert list(pd.read_stata(tmp_path / "a.dta").columns) == ["_x", "_all_", "_n_", "v2nd"]
    with sondage.Sandbox.demo("waves") as box:
        wave = box.client().interviews(box.survey_id, fields=["remark"]).table()
    wave.to_dta(tmp_path / "b.dta")
    _, meta = pyreadstat.read_dta(tmp_path / "b.dta")
    whole, label = wave.label("remark"), meta.column_names_to_labels["remark"]
    assert whole is not None and label is not None and len(label) <= 80 < len(whole)
    content = (tmp_path / "b.dta").read_bytes()
    begin, end = content.index(b"<characteristics>") + len(b"<characteristics>"), content.index(b"</characteristics>")
    characteristic = content[begin:end]
    assert characteristic.startswith(b"<ch>") and characteristic.endswith(b"\0</ch>")
    length = int.from_bytes(characteristic[4:8], "little")
    assert characteristic[8:15] == b"remark\0" and characteristic[137:146] == b"question\0"
    assert length == len(characteristic) - 13 and characteristic[266:-6].decode() == whole


def test_thirty_three_thousand_columns(tmp_path: Path) -> None:
    with sondage.Sandbox(generated_interviews=3, generated_questions=33_000) as box:
        assert box.generated_survey_id is not None
        query = box.client().interviews(box.generated_survey_id)
        table = query.table()
        columns = len(table.columns)
        with pytest.raises(sondage.InvalidArgument, match=f"the table has {columns} columns, and a file of Stata at most 32767"):
            query.to_dta(tmp_path / "a.dta")
    for refused, most in (("dta", "Stata at most 32767"), ("xlsx", "Excel at most 16384")):
        with pytest.raises(sondage.InvalidArgument, match=f"the table has {columns} columns, and a file of {most}"):
            getattr(table, f"to_{refused}")(tmp_path / f"a.{refused}")
    table.to_sav(tmp_path / "a.sav")
    _, meta = pyreadstat.read_sav(tmp_path / "a.sav", metadataonly=True)
    assert meta.column_names == table.columns and meta.number_rows == 3
    for name in table.columns[::1_000]:
        assert meta.column_names_to_labels[name] == (table.label(name) or name)
        assert meta.variable_value_labels.get(name, {}) == table.values(name)
    most = table.select(table.columns[:32_767])
    most.to_dta(tmp_path / "most.dta")
    assert len(pyreadstat.read_dta(tmp_path / "most.dta", metadataonly=True)[1].column_names) == 32_767


def _marked(values: list[int], labels: dict[Any, str]) -> sondage.Table:
    frame = pd.DataFrame({"q": values})
    with sondage.Sandbox.from_frame(frame, labels={"q": labels}) as box:
        return box.client().interviews(box.survey_id).table()


def test_a_missing_code_without_a_letter_stays_the_value_that_it_is(tmp_path: Path) -> None:
    labels: dict[Any, str] = {1: "a", **{100 + number: f"m{number}" for number in range(40)}, 9_999_999: "Not available"}
    table, file = _marked([1, 125, 9_999_999, *range(100, 125)], labels), tmp_path / "a.dta"
    with pytest.warns(sondage.DataWarning, match="missing codes"):
        table.to_dta(file, missing={"q": range(100, 140)})
    read = pd.read_stata(file, columns=["q"], convert_categoricals=False, convert_missing=True)["q"]
    # 25 letters beside .n: those of codes that rows have come first, and 125 is the 26th.
    assert [str(one) for one in read[:4]] == ["1", "125", ".n", ".a"] and len({str(one) for one in read}) == 28


def test_the_service_s_code_is_declared_before_codes_that_no_row_has(tmp_path: Path) -> None:
    labels: dict[Any, str] = {**{number: str(number) for number in range(11)}, 9_999_999: "Not available"}
    table, file = _marked([1, 5, 9, 10, 9_999_999, 9_999_999], labels), tmp_path / "a.sav"
    with pytest.warns(sondage.DataWarning, match="missing code"):
        table.to_sav(file, missing={"q": [0, 2, 4]})
    assert pyreadstat.read_sav(file)[0]["q"].mean() == 6.25
