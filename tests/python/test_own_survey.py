"""A sandbox with a survey from the user's own files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sondage

PLAN = [
    {
        "code": "Q1", "dataType": "Number", "type": "SingleChoice", "question": "How is it?",
        "values": [{"id": "1", "value": "Good"}, {"id": "2", "value": "Bad"}],
    },
    {"code": "weight", "dataType": "Real", "type": "OpenQuestion"},
]  # fmt: skip


def test_answers_with_labels(tmp_path: Path) -> None:
    data, plan = tmp_path / "answers.csv", tmp_path / "plan.json"
    data.write_text("Q1,weight\n2,0.5\n1,1.5\n,\n")
    plan.write_text(json.dumps(PLAN))
    with sondage.Sandbox(data=data, code_plan=str(plan)) as box:
        assert box.data_survey_id is not None
        table = box.client().interviews(box.data_survey_id, fields=["Q1", "weight"]).table()
        rows = sorted(((row["Q1"], row["weight"]) for row in table), key=str)
        assert rows == [(1, 1.5), (2, 0.5), (None, None)]
        assert table.values("Q1") == {1: "Good", 2: "Bad"} and table.label("Q1") == "How is it?"
        # What was exported becomes the same survey again.
        box.client().interviews(box.data_survey_id).to_csv(tmp_path / "again.csv")
        before = list(box.client().interviews(box.data_survey_id, fields=["Id", "Q1", "StartDate", "UpdatedAt"]).table())
    with sondage.Sandbox(data=tmp_path / "again.csv", code_plan=plan) as box:
        assert box.data_survey_id is not None
        again = box.client().interviews(box.data_survey_id, fields=["Id", "Q1", "StartDate", "UpdatedAt"])
        assert list(again.table()) == before


def test_what_cannot_be_read_is_said_with_its_place(tmp_path: Path) -> None:
    data, plan = tmp_path / "answers.csv", tmp_path / "plan.json"
    data.write_text("Q1,weight\n1,0.5\nGood,1\n")
    plan.write_text(json.dumps(PLAN))
    with pytest.raises(sondage.InvalidArgument, match=r'answers\.csv: line 3, column 1 \(Q1\): the value is not an integer'):
        sondage.Sandbox(data=data, code_plan=plan)
    plan.write_text('[{"code": "Q1",\n "dataType": "Numeric"}]')
    with pytest.raises(sondage.InvalidArgument, match=r"plan\.json: is not a code plan: .*`Numeric`.* line 2 column \d+"):
        sondage.Sandbox(data=data, code_plan=plan)
    with sondage.Sandbox() as box:
        assert box.data_survey_id is None
