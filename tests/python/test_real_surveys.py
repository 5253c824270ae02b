"""Questionnaires with the shape of real ones, answered by invented people: what they hold arrives in both forms."""

from __future__ import annotations

import warnings
from json import loads
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
import sondage

SHAPES = Path(__file__).parents[1] / "shapes"
FEATURES = loads((SHAPES / "features.json").read_text("utf-8"))
NOT_AVAILABLE = 9_999_999


@pytest.fixture(scope="module")
def box() -> Any:
    names = sorted({feature["shape"] for feature in FEATURES})
    with sondage.Sandbox(surveys=[SHAPES / f"survey-{name}.json" for name in names]) as box:
        for survey_id in box.survey_ids.values():
            assert len(set(box.fill(survey_id, 300, seed=7))) == 300
        yield box


@pytest.fixture(scope="module")
def surveys(box: sondage.Sandbox) -> dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """The rows of both forms, by the name of the survey."""
    client = box.client()
    return {
        name: (
            [dict(row) for row in client.read_interview_list_compact(survey_id=survey_id).interviews],
            [
                {column.id: column.value for column in row.columns}
                for row in client.read_interview_list(survey_id=survey_id).interviews
            ],
        )
        for name, survey_id in box.survey_ids.items()
    }


def _holds(feature: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
    answers = [row[feature["column"]] for row in rows]
    given = [answer for answer in answers if answer is not None]
    numbers = [number for number in given if isinstance(number, (int, float)) and number != NOT_AVAILABLE]
    if feature["check"] == "value":
        return feature["value"] in given
    if feature["check"] == "text":
        return any(isinstance(answer, str) and answer for answer in given)
    if feature["check"] == "range":
        low, high = feature["range"]
        return len(set(numbers)) > 1 and all(low <= number <= high for number in numbers)
    if feature["check"] == "asked_of_some":
        completed = [row[feature["column"]] for row in rows if row["State"] == "Completed"]
        return 20 < sum(answer is None for answer in completed) < len(completed) - 20
    return len(given) > 50


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature["feature"])
def test_what_real_surveys_have_arrives_in_both_forms(surveys: Any, feature: dict[str, Any]) -> None:
    compact, structured = surveys[f"survey-{feature['shape']}"]
    assert _holds(feature, compact)
    assert compact == structured


def test_a_questionnaire_that_was_read_is_accepted_as_it_is(box: sondage.Sandbox) -> None:
    client = box.client()
    for survey_id in box.survey_ids.values():
        definition = client.read_survey(survey_id=survey_id).survey
        assert definition is not None
        copy = client.create_survey(workspace_id=box.workspace_id, name="Copy", survey_definition=definition).survey_id
        assert client.read_survey(survey_id=copy).survey == definition
        client.update_survey(survey_id=copy, survey_definition=definition)
        assert client.read_survey(survey_id=copy).survey == definition


def test_answers_are_given_row_by_row_and_a_wrong_one_changes_nothing(box: sondage.Sandbox) -> None:
    survey_id = box.survey_ids["survey-5"]
    client = box.client()
    before = client.interviews(survey_id).count()
    rows = [{"mAzuDema": "1", "WInegOluXoma": "6", "State": "InProgress", "Language": "en"}, {"WInegOluXoma": None}]
    first, second = box.answer(survey_id, rows)
    states = {row["Id"]: (row["State"], row["WInegOluXoma"]) for row in client.read_interview_list_compact(survey_id=survey_id).interviews}
    assert (states[first], states[second]) == (("InProgress", 6), ("Completed", None))
    for wrong, named in [
        ({"WInegOluXoma": 77}, "rows[1].WInegOluXoma: this answer is not one of the choices"),
        ({"nothing": 1}, "rows[1].nothing: the survey has no such column"),
        ({"State": "Over"}, "rows[1].State: this is not a state"),
    ]:
        with pytest.raises(sondage.InvalidArgument) as refused:
            box.answer(survey_id, [{}, wrong])
        assert named in str(refused.value) and "Nothing was changed" in str(refused.value)
    for rows, said in (
        (None, r"^rows must be a list of mappings, not NoneType\. Nothing was changed"),
        (5, r"^rows must be a list of mappings, not int\. Nothing was changed"),
        ("abc", r"^rows must be a list of mappings, not str\. Nothing was changed"),
        ([1], r"^rows\[0\] must be a mapping, not int\. Nothing was changed"),
        ([{}, None], r"^rows\[1\] must be a mapping, not NoneType\. Nothing was changed"),
    ):
        with pytest.raises(sondage.InvalidArgument, match=said):
            box.answer(survey_id, rows)  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match=r"rows\[0\].State: a text is needed"):
        box.answer(survey_id, [{"State": 5}])
    with pytest.raises(sondage.InvalidArgument, match="people: at most 1000000 are accepted in one call"):
        box.fill(survey_id, 10**9)
    assert box.answer(survey_id, []) == []
    with pytest.raises(sondage.InvalidArgument, match="there is no survey 1"):
        box.fill(1)
    with pytest.raises(sondage.InvalidArgument, match="unfinished: a share from 0 to 1"):
        box.fill(survey_id, unfinished=2.0)
    assert client.interviews(survey_id).count() == before + 2


def test_what_is_not_carried_out_is_one_list(box: sondage.Sandbox) -> None:
    lines = box.not_carried_out(box.survey_ids["survey-3"])
    assert len(lines) == 4
    kind, places = lines[0].split(": ")
    assert kind == "a calculation, which is not computed" and len(places.split(", ")) == 14
    assert box.not_carried_out(box.feedback_survey_id) == []


def test_a_file_that_is_no_questionnaire_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    for text, why in [("{", "is not JSON"), ("{}", "has no list `sections`"), ('{"sections": [{}]}', "is not a questionnaire")]:
        file.write_text(text, "utf-8")
        with pytest.raises(sondage.InvalidArgument, match="mine.json") as refused:
            sondage.Sandbox(surveys=[file])
        assert why in str(refused.value) and "No sandbox was started" in str(refused.value)


# What is expected of tables of real surveys.


def _table(box: sondage.Sandbox, name: str, **options: Any) -> sondage.Table:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sondage.DataWarning)
        return box.client().interviews(box.survey_ids[name], **options).table()


@pytest.mark.parametrize("name", sorted({f"survey-{feature['shape']}" for feature in FEATURES}))
def test_no_label_has_tags(box: sondage.Sandbox, name: str) -> None:
    table = _table(box, name)
    texts = [table.label(column, part) or "" for column in table.columns for part in (None, "question", "row", "choice")]
    texts += [label for column in table.columns for label in table.values(column).values()]
    lists = table.with_lists()
    texts += [label for column in lists.columns for label in lists.values(column).values()]
    assert any(texts) and not [text for text in texts if "</" in text or "<undefined" in text]


def test_labels_are_plain_text(box: sondage.Sandbox) -> None:
    table = _table(box, "survey-5")
    labels = [label for column in table.columns for label in table.values(column).values()]
    assert labels
    marked = ("<strong>", "&nbsp;", "<br", "\u00a0", "  ")
    assert not [label for label in [*labels, *(table.label(name) or "" for name in table.columns)] if any(mark in label for mark in marked)]
    raw = _table(box, "survey-5", text="raw")
    originals = [label for column in raw.columns for label in raw.values(column).values()]
    assert len(originals) == len(labels) and any("<" in label or "&" in label for label in originals)
    arrow = table.to_arrow().schema
    kept = [loads(field.metadata[b"sondage.original"]) for field in arrow if b"sondage.original" in (field.metadata or {})]
    assert kept and {label for one in kept for label in one["labels"]} <= set(originals)


def test_labels_have_parts(box: sondage.Sandbox) -> None:
    table = _table(box, "survey-1")
    with_choice = [name for name in table.columns if table.label(name, "choice") and table.label(name, "question")]
    for name in with_choice:
        parts = [table.label(name, part) for part in ("question", "row", "choice")]  # type: ignore[arg-type]
        assert (table.label(name) or "").startswith(" – ".join(part for part in parts if part))
    beside = [name for name in with_choice if name.endswith("_text")]
    assert beside and all((table.label(name) or "").endswith(" (text)") for name in beside)
    assert len({table.label(name) for name in with_choice}) == len(with_choice)
    with pytest.raises(sondage.InvalidArgument, match="part must be question, row or choice, not 'section'"):
        table.label(with_choice[0], "section")  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match="text.*plain.*raw"):
        _table(box, "survey-1", text="html")


def test_no_mean_contains_not_available(box: sondage.Sandbox) -> None:
    assert _table(box, "survey-3").to_pandas()["GodexoGoneroBA"].mean() <= 100


def test_a_multiple_choice_is_a_list_although_somebody_has_no_answer(box: sondage.Sandbox) -> None:
    assert "q4" in _table(box, "survey-1").with_lists().columns


def test_declared_they_are_missing(box: sondage.Sandbox) -> None:
    table = _table(box, "survey-3").with_missing(NOT_AVAILABLE)
    assert 0 <= table.to_pandas()["GodexoGoneroBA"].mean() <= 100
    assert "q4" in _table(box, "survey-1").with_missing(NOT_AVAILABLE).with_lists().columns


@pytest.mark.parametrize("way", ["csv", "jsonl", "parquet", "sav"])
def test_every_way_out_holds_every_row(box: sondage.Sandbox, tmp_path: Path, way: str) -> None:
    for name in ("survey-1", "survey-6"):
        table = _table(box, name)
        file = tmp_path / f"{name}.{way}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sondage.DataWarning)
            getattr(table, f"to_{way}")(file)
        if way == "csv":
            back = pd.read_csv(file, dtype=str, keep_default_na=False)
        elif way == "jsonl":
            back = pd.DataFrame([loads(line) for line in file.read_text("utf-8").splitlines()])
        elif way == "parquet":
            back = pd.read_parquet(file)
        else:
            back, _ = pyreadstat.read_sav(file)
        assert len(back) == len(table) >= 300, name
        assert len(back.columns) == len(table.columns), name
