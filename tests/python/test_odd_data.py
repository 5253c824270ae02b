"""Unusual data: warnings of tables as Python warnings, and SPSS files of values that SPSS does not have."""

from __future__ import annotations

import json
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
    with pytest.raises(sondage.InvalidArgument, match='no column "Q9"'):
        query.to_sav(tmp_path / "a.sav", missing={"Q9": [99]})


def test_spss_gets_large_integers_as_text_instead_of_rounded(box: sondage.Sandbox, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")
    query = answered(box, {"Id": "a", "n": 2**53 + 1}, {"Id": "b", "n": None}, {"Id": "c", "n": -(2**53) - 1})
    with pytest.warns(sondage.DataWarning, match="n: SPSS rounds integers beyond 2\\^53"):
        query.to_sav(tmp_path / "a.sav")
    frame, _ = pyreadstat.read_sav(str(tmp_path / "a.sav"))
    assert frame["n"].tolist() == ["9007199254740993", "", "-9007199254740993"]
    assert query.to_pandas()["n"].tolist()[0] == 2**53 + 1 and pd.isna(query.to_pandas()["n"][1])
