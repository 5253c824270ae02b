"""A sandbox with a survey from the user's own files."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

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


SHAPES = Path(__file__).parents[1] / "shapes"


def test_all_faults_of_all_files_are_named_at_once(tmp_path: Path) -> None:
    data, plan, survey = tmp_path / "answers.csv", tmp_path / "plan.json", tmp_path / "export.json"
    data.write_text("Q1,weight,State,Q9\nGood,x,Over,\n,y,,\n")
    plan.write_text(json.dumps(PLAN))
    survey.write_text('{"sections": []}')
    with pytest.raises(sondage.InvalidArgument) as refused:
        sondage.Sandbox(data=data, code_plan=plan, surveys=[survey])
    told = str(refused.value)
    for part in (
        "line 1, column 4: the code plan has no variable", "line 2, column 1 (Q1)", "line 2, column 2 (weight)", "line 2, column 3 (State)",
        "line 3, column 2 (weight)", "languages is missing: list the tags of its languages", "defaultLanguage is missing: name one",
    ):  # fmt: skip
        assert part in told


def test_an_export_in_another_encoding(tmp_path: Path) -> None:
    (shape, *_) = sorted(SHAPES.glob("survey-*.json"))
    text, file = shape.read_text("utf-8"), tmp_path / "export.json"
    file.write_text(text, "utf-16")
    with sondage.Sandbox(surveys=[file]) as box:
        assert list(box.survey_ids) == ["export"]
    file.write_text(text[:-1] + ', "x": "\u00fc"}' if text.endswith("}") else text.rstrip()[:-1] + ', "x": "\u00fc"}', "latin-1", "ignore")
    with pytest.raises(sondage.InvalidArgument, match=r"export\.json: is not in UTF-8 \(line \d+ .*: save it as UTF-8"):
        sondage.Sandbox(surveys=[file])


def test_people_have_answered_at_the_start(tmp_path: Path) -> None:
    (shape, *_) = sorted(SHAPES.glob("survey-*.json"))
    with sondage.Sandbox(surveys=[shape], fill=30, state=tmp_path / "kept") as box:
        ids = [row["Id"] for row in box.client().interviews(box.survey_id, fields=["Id"]).table()]
        assert len(ids) == 30
    with sondage.Sandbox(surveys=[shape], state=tmp_path / "kept") as box:
        assert [row["Id"] for row in box.client().interviews(box.survey_id, fields=["Id"]).table()] == ids
    with pytest.raises(sondage.InvalidArgument, match="fill: there are no `surveys` whose questionnaires could be answered"):
        sondage.Sandbox(fill=5)
    with pytest.raises(sondage.InvalidArgument, match="fill: .*at most 1000000"):
        sondage.Sandbox(surveys=[shape], fill=10**7)
    with pytest.raises(sondage.InvalidArgument, match="fill"):
        sondage.Sandbox(surveys=[shape], fill=-1)


def test_a_clock_that_stands_still_makes_the_same_interviews() -> None:
    (shape, *_) = sorted(SHAPES.glob("survey-*.json"))
    noon = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)

    def interviews() -> list[Any]:
        with sondage.Sandbox(surveys=[shape]) as box:
            box.clock.freeze(noon)
            box.fill(box.survey_id, people=20, seed=7)
            assert box.clock.now() == noon
            table = box.client().interviews(box.survey_id).table()
            box.clock.advance(60)
            assert box.clock.now() == noon + timedelta(minutes=1)
            box.clock.set(None)
            assert box.clock.now() > noon + timedelta(days=30)
            return [{**row, "Link": row["Link"].replace(box.base_url, "")} for row in table]

    first = interviews()
    assert first == interviews()
    assert max(row["UpdatedAt"] for row in first) == noon


def test_an_integer_as_a_fraction_is_a_code() -> None:
    with sondage.Sandbox.demo("waves") as box:
        (answer,) = box.answer(box.survey_id, [{"visited": 1.0, "birth_year": 1980.0}])
        rows = {row["Id"]: row for row in box.client().read_interview_list_compact(survey_id=box.survey_id).interviews}
        assert (rows[answer]["visited"], rows[answer]["birth_year"]) == (1, 1980)
        with pytest.raises(sondage.InvalidArgument, match=r"rows\[0\].visited: .* choices; their codes are 1, 2"):
            box.answer(box.survey_id, [{"visited": 1.5}])
        with pytest.raises(sondage.InvalidArgument, match=r"rows\[1\].remark holds half of a surrogate pair"):
            box.answer(box.survey_id, [{}, {"remark": "x\ud83d"}])
