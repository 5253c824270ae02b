"""Unusual data: warnings of tables as Python warnings, and SPSS files of values that SPSS does not have."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sondage

OPERATION = "ReadInterviewListCompact"
VOTE = {"code": "ALL", "dataType": "Number", "questionCode": "ALL", "question": "Vote?", "sectionName": "One"}
VALUES = [{"id": "1", "value": "Yes"}, {"id": "2", "value": "No"}, {"id": "99", "value": "Refused"}]


def answered(box: sondage.Sandbox, *rows: dict[str, Any]) -> sondage.Interviews:
    plan = [{**VOTE, "values": VALUES}]
    body = {"isSuccess": True, "interviews": rows, "totalCount": len(rows), "codePlan": plan}
    box.fault(OPERATION, body=json.dumps(body), times=None)
    return box.client().interviews(7)


def test_an_answer_outside_the_code_plan_is_a_warning_once_for_a_download(box: sondage.Sandbox) -> None:
    query = answered(box, {"Id": "a", "ALL": 1}, {"Id": "b", "ALL": 7})
    table = query.table()
    with pytest.warns(sondage.DataWarning, match="7") as found:
        shown = table.with_labels()
        table.with_labels("both")
    assert [str(one.message) for one in found] == shown.warnings
    assert {one.filename for one in found} == {__file__}, "the line of the program, not one of the package"
    with pytest.warns(sondage.DataWarning, match="7"):
        query.to_pandas(labels=True)


def test_clean_data_and_codes_are_silent(box: sondage.Sandbox) -> None:
    query = answered(box, {"Id": "a", "ALL": 1}, {"Id": "b", "ALL": 2})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        query.to_pandas(labels=True)
        assert query.table().warnings == []


def test_a_value_that_differs_from_the_plan_is_a_warning_of_every_door(box: sondage.Sandbox, tmp_path: Path) -> None:
    query = answered(box, {"Id": "a", "ALL": 1}, {"Id": "b", "ALL": "perhaps"})
    with pytest.warns(sondage.DataWarning, match="ALL"):
        assert query.table().warnings
    with pytest.warns(sondage.DataWarning, match="ALL"):
        query.to_csv(tmp_path / "a.csv")
    with pytest.warns(sondage.DataWarning, match="ALL"):
        list(query.batches())


def test_spss_measures_missing_codes_and_reserved_names(box: sondage.Sandbox, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")
    rows = [{"Id": "a", "ALL": 1, "age": 30, "TO": "x"}, {"Id": "b", "ALL": 99, "age": None, "TO": None}]
    query = answered(box, *rows)
    query.to_sav(tmp_path / "a.sav", missing={"ALL": [99]})
    frame, meta = pyreadstat.read_sav(str(tmp_path / "a.sav"), user_missing=True)
    assert list(frame.columns) == ["Id", "ALL_", "age", "TO_"] and frame["ALL_"].tolist() == [1.0, 99.0]
    assert meta.variable_measure == {"Id": "nominal", "ALL_": "nominal", "age": "scale", "TO_": "nominal"}
    assert meta.original_variable_types["age"] == "F8.0" and meta.missing_ranges == {"ALL_": [{"lo": 99.0, "hi": 99.0}]}
    assert meta.variable_value_labels["ALL_"] == {1.0: "Yes", 2.0: "No", 99.0: "Refused"}
    for one in (99, "99", ["99"]):
        query.to_sav(tmp_path / "b.sav", missing={"ALL": one})  # type: ignore[dict-item]
        assert pyreadstat.read_sav(str(tmp_path / "b.sav"), user_missing=True)[1].missing_ranges == meta.missing_ranges
    everywhere: Any
    for everywhere in (99, [99], range(98, 100)):
        query.to_sav(tmp_path / "b.sav", missing=everywhere)
        assert pyreadstat.read_sav(str(tmp_path / "b.sav"), user_missing=True)[1].missing_ranges == meta.missing_ranges
    with pytest.raises(sondage.InvalidArgument, match='no column or question "Q9"'):
        query.to_sav(tmp_path / "a.sav", missing={"Q9": [99]})


def test_spss_gets_large_integers_as_text_instead_of_rounded(box: sondage.Sandbox, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")
    query = answered(box, {"Id": "a", "n": 2**53 + 1}, {"Id": "b", "n": None}, {"Id": "c", "n": -(2**53) - 1})
    with pytest.warns(sondage.DataWarning, match="SPSS rounds integers beyond 2\\^53, so they are written as text \\(n\\)"):
        query.to_sav(tmp_path / "a.sav")
    frame, _ = pyreadstat.read_sav(str(tmp_path / "a.sav"))
    assert frame["n"].tolist() == ["9007199254740993", "", "-9007199254740993"]
    assert query.to_pandas()["n"].tolist()[0] == 2**53 + 1 and pd.isna(query.to_pandas()["n"][1])


def entry(code: str, *labels: str, **more: str) -> dict[str, Any]:
    values = [{"id": str(number), "value": label} for number, label in enumerate(labels, 1)]
    return {"code": code, "questionCode": code, "question": code, "sectionName": "One", "values": values, **more}


def test_what_spss_cannot_hold_is_cut_where_it_does_no_harm_and_said(box: sondage.Sandbox, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")
    long, question = "\u00e9" * 119, "Frage \u00fc" * 60
    plan = [
        entry("Q-1", long + "a", long + "b", "short", dataType="Number", type="SingleChoice"),
        entry("Q_1", dataType="String", question=question, row="Row 1"),
        entry("q_1", dataType="String", question=question, row="Row 2"),
        {**entry("t", dataType="String"), "values": [{"id": "a code of a text", "value": "Long"}, {"id": "b", "value": "B"}]},
    ]
    rows = [
        {"Id": "a", "Q-1": 1, "Q_1": "\U0001f642" * 9000, "q_1": "a\0b", "t": "b", "age": 96},
        {"Id": "b", "Q-1": 2, "Q_1": "x", "q_1": "y", "t": "a code of a text", "age": 30},
    ]
    box.fault(OPERATION, body=json.dumps({"isSuccess": True, "interviews": rows, "totalCount": 2, "codePlan": plan}), times=None)
    table = box.client().interviews(7).table().with_missing({"age": [96, 97, 98, -1, -2], "t": ["b", "a code of a text"]}, show="code")
    with pytest.warns(sondage.DataWarning) as found:
        table.to_sav(tmp_path / "a.sav")
    assert sorted(str(one.message) for one in found if one.filename == __file__) == [
        "1 text has a NUL, which is written as \ufffd (q_1)",
        "1 text was longer than 32766 bytes and is cut (Q_1)",
        "2 columns have another name in the file, as SPSS requires (`Q-1` is `Q_1_2`, `q_1` is `q_1_3`)",
        "2 cut value labels have a number, so that they differ (Q-1)",
        "2 missing codes cannot be declared in SPSS, which has three for a column, or a range and one, and of texts at most 8 "
        "bytes; they stay values, with their labels (t, age)",
        "2 value labels were longer than 120 bytes and are cut (Q-1)",
        "2 variable labels were longer than 256 bytes: the question is cut (Q_1, q_1)",
    ]
    frame, meta = pyreadstat.read_sav(str(tmp_path / "a.sav"), user_missing=True)
    assert list(frame.columns) == ["Id", "Q_1_2", "Q_1", "q_1_3", "t", "age"]
    assert frame["Q_1"].tolist() == ["\U0001f642" * 8191, "x"] and frame["q_1_3"].tolist() == ["a\ufffdb", "y"]
    labels = meta.variable_value_labels
    assert [labels["Q_1_2"][code] for code in (1, 2, 3)] == ["\u00e9" * 58 + " (1)", "\u00e9" * 58 + " (2)", "short"]
    assert labels["t"] == {"a code of a text": "Long", "b": "B"}
    texts = [meta.column_names_to_labels[name] for name in ("Q_1", "q_1_3")]
    assert [text[-9:] for text in texts] == ["\u2026 \u2013 Row 1", "\u2026 \u2013 Row 2"]
    assert all(len(text.encode()) <= 256 for text in texts)
    assert meta.missing_ranges == {"t": [{"lo": "b", "hi": "b"}], "age": [{"lo": 96.0, "hi": 98.0}, {"lo": -2.0, "hi": -2.0}]}


def test_the_number_that_spss_has_for_nothing_is_a_warning(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")
    frame = pd.DataFrame({"f": [-sys.float_info.max, -1e308, 1.0]})
    with sondage.Sandbox.from_frame(frame) as box:
        table = box.client().interviews(box.survey_id, fields=["f"]).table()
    with pytest.warns(sondage.DataWarning, match=r"1 column has numbers beyond those of SPSS, .* \(f\)"):
        table.to_sav(tmp_path / "f.sav")
    assert pyreadstat.read_sav(str(tmp_path / "f.sav"))[0]["f"].isna().tolist() == [True, False, False]


def test_lists_are_columns_of_an_spss_file(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")
    columns = reader.interviews(shared_box.feedback_survey_id, fields=["topics"]).table()
    columns.to_sav(tmp_path / "columns.sav")
    (tmp_path / ".lists.sav.new").write_text("left by a process that was killed")
    with pytest.warns(sondage.DataWarning, match=r"1 column of lists is written as .* for each choice \(topics\)"):
        columns.with_lists().with_labels().to_sav(tmp_path / "lists.sav")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["columns.sav", "lists.sav"]
    expected, expected_meta = pyreadstat.read_sav(str(tmp_path / "columns.sav"))
    frame, meta = pyreadstat.read_sav(str(tmp_path / "lists.sav"))
    asked = expected.notna().any(axis="columns")
    chosen = expected.fillna(0).where(asked)
    pd.testing.assert_frame_equal(frame.drop(columns="topics"), chosen)
    assert frame["topics"].tolist() == [" ".join(name for name in chosen if row[name] == 1) for _, row in chosen.iterrows()]
    assert meta.column_names_to_labels.pop("topics")
    assert meta.column_names_to_labels == expected_meta.column_names_to_labels


def test_names_that_differ_in_case_only_are_a_warning(box: sondage.Sandbox) -> None:
    plan = [{**VOTE, "code": code, "questionCode": code, "values": VALUES} for code in ("q", "Q")]
    rows = [{"Id": "a", "q": 1, "Q": 2}]
    box.fault(OPERATION, body=json.dumps({"isSuccess": True, "interviews": rows, "totalCount": 1, "codePlan": plan}), times=None)
    with pytest.warns(sondage.DataWarning, match=r"names that differ in case only: q and Q\. DuckDB"):
        box.client().interviews(7).table()


def test_the_code_is_missing_in_a_question_whose_type_is_not_known(box: sondage.Sandbox) -> None:
    plan = [{"code": "x", "questionCode": "x", "dataType": "Number", "type": "Stars"}]
    rows = [{"Id": "a", "x": 4}, {"Id": "b", "x": 9999999}]
    box.fault(OPERATION, body=json.dumps({"isSuccess": True, "interviews": rows, "totalCount": 2, "codePlan": plan}), times=None)
    assert box.client().interviews(7).table().to_pandas()["x"].mean() == 4
