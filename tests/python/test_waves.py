"""Waves: what has changed between the questions of two surveys is found before anybody compares their numbers."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import sondage
from sondage import questionnaire as ask
from test_command import COMMAND, account


@pytest.fixture(scope="module")
def box() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox() as box:
        yield box


SCALE = {1: "never", 2: "sometimes", 3: "always"}


def wave(box: sondage.Sandbox, labels: dict[int, str], text: str = "How often do you read?", language: str = "en") -> sondage.Table:
    client = box.client()
    choices = {str(code): {language: label} for code, label in labels.items()}
    questions = [ask.single_choice("Q1", {language: text}, choices)]
    definition = ask.questionnaire([language], {"S": questions}, end={language: "Thanks"})
    made = client.create_survey(workspace_id=box.workspace_id, name="Wave", survey_definition=definition)
    assert made.survey_id is not None
    client.execute_workflow_transition(workflow="SurveyDesign", target_state="Published", survey_id=made.survey_id)
    return client.interviews(made.survey_id).table()


def test_a_label_that_moved_is_breaking(box: sondage.Sandbox) -> None:
    before, after = wave(box, SCALE), wave(box, {1: "always", 2: "sometimes", 3: "never"})
    comparison = sondage.compare(before, after)
    assert comparison.breaking == 2
    first = comparison.changes[0]
    assert (first.severity, first.kind, first.column, first.code) == ("breaking", "label_moved", "Q1", "1")
    assert (first.before, first.after) == ("never", "always")
    assert "label_moved" in str(comparison) and "breaking" in str(comparison)
    html = comparison._repr_html_()
    assert html.count("label_moved") == 2 and "<table" in html and "<script" not in html


def test_equal_waves_have_no_changes(box: sondage.Sandbox) -> None:
    comparison = sondage.compare(wave(box, SCALE), wave(box, SCALE, "<b>How often</b> do you read?"))
    assert (comparison.changes, comparison.breaking, comparison.notes) == ([], 0, [])
    assert comparison.identical > 0


def test_waves_in_other_languages_are_compared_without_texts_and_not_stacked(box: sondage.Sandbox) -> None:
    german = {1: "nie", 2: "manchmal", 3: "immer"}
    before, after = wave(box, SCALE), wave(box, german, "Wie oft lesen Sie?", language="de")
    comparison = sondage.compare(before, after)
    assert (comparison.breaking, comparison.changes) == (0, [])
    assert any("no language in common" in note for note in comparison.notes), comparison.notes
    with pytest.raises(sondage.InvalidArgument, match="no language in common with"):
        sondage.stack({"2025": before, "2026": after})


def test_only_tables_are_compared(box: sondage.Sandbox) -> None:
    with pytest.raises(sondage.InvalidArgument, match="before must be a table"):
        sondage.compare({}, wave(box, SCALE))  # type: ignore[arg-type]


def answered(box: sondage.Sandbox, labels: dict[int, str], name: str = "Q1") -> sondage.Table:
    """A wave with an interview for each code of its scale."""
    client = box.client()
    choices = {str(code): {"en": label} for code, label in labels.items()}
    definition = ask.questionnaire(["en"], {"S": [ask.single_choice(name, {"en": "How often do you read?"}, choices)]}, end={"en": "Thanks"})
    made = client.create_survey(workspace_id=box.workspace_id, name="Wave", survey_definition=definition)
    assert made.survey_id is not None
    client.execute_workflow_transition(workflow="SurveyDesign", target_state="Published", survey_id=made.survey_id)
    box.answer(made.survey_id, [{name: code} for code in labels])
    return client.interviews(made.survey_id).table()


def test_waves_are_stacked_by_their_labels(box: sondage.Sandbox) -> None:
    before, after = answered(box, SCALE), answered(box, {1: "always", 2: "sometimes", 3: "never"})
    stacked = sondage.stack({"2025": before, "2026": after})
    assert stacked.columns[0] == "wave" and len(stacked) == len(before) + len(after)
    rows = stacked.with_labels().to_arrow().select(["wave", "Q1"]).to_pylist()
    by_wave = {wave: sorted(row["Q1"] for row in rows if row["wave"] == wave) for wave in ("2025", "2026")}
    assert by_wave == {"2025": ["always", "never", "sometimes"], "2026": ["always", "never", "sometimes"]}
    codes = stacked.to_arrow().select(["wave", "Q1"]).to_pylist()
    labels = after.with_labels("both").to_arrow().select(["Q1", "Q1_label"]).to_pylist()
    expected = sorted({"never": 1, "sometimes": 2, "always": 3}[row["Q1_label"]] for row in labels)
    assert sorted(row["Q1"] for row in codes if row["wave"] == "2026") == expected


def test_what_does_not_fit_is_listed(box: sondage.Sandbox) -> None:
    before = answered(box, SCALE)
    after = answered(box, {1: "never", 2: "now and then", 3: "always"}, "Q1_new")
    crosswalk = {"2026": {"Q1_new": "Q1"}}
    with pytest.raises(sondage.InvalidArgument, match='the code 2 of `Q1` is "now and then" in 2026, and "sometimes" before.*crosswalk'):
        sondage.stack({"2025": before, "2026": after}, crosswalk=crosswalk)
    stacked = sondage.stack({"2025": before, "2026": after}, crosswalk={"2026": {"Q1_new": "Q1", "Q1": {2: 2}}})
    assert stacked.values("Q1") == SCALE and len(stacked) == len(before) + len(after)
    with pytest.warns(sondage.DataWarning, match="2025 does not have the columns Q1_new"):
        sondage.stack({"2025": before, "2026": after})
    for wrong in (before, [before], {"2025": 1}):
        with pytest.raises(sondage.InvalidArgument, match="Nothing was stacked"):
            sondage.stack(wrong)  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match="for each of them a name or codes"):
        sondage.stack({"2025": before}, crosswalk={"2025": {"Q1": 5}})  # type: ignore[dict-item]


def test_a_delta_stops_when_answers_mean_something_else(box: sondage.Sandbox, tmp_path: Path) -> None:
    client, state = box.client(), tmp_path / "s.state"
    choices = {str(code): {"en": label} for code, label in SCALE.items()}
    definition = ask.questionnaire(["en"], {"S": [ask.single_choice("Q1", {"en": "How often?"}, choices)]}, end={"en": "Thanks"})
    made = client.create_survey(workspace_id=box.workspace_id, name="Delta", survey_definition=definition)
    assert made.survey_id is not None
    client.execute_workflow_transition(workflow="SurveyDesign", target_state="Published", survey_id=made.survey_id)
    box.answer(made.survey_id, [{"Q1": 1}])
    query = client.interviews(made.survey_id)
    with query.delta(state) as new:
        assert len(new) == 1
    with query.delta(state) as new:
        assert len(new) == 0, "an unchanged questionnaire stops nothing"
    # The state of a load when the labels stood the other way round.
    stored = json.loads(state.read_text())
    values = next(variable["values"] for name, variable in stored["questions"]["columns"] if name == "Q1")
    values[0]["value"], values[2]["value"] = values[2]["value"], values[0]["value"]
    state.write_text(json.dumps(stored))
    before = state.read_text()
    with pytest.raises(sondage.InvalidArgument, match='`Q1`, code 1: label moved, from "always" to "never".*Nothing was loaded'):
        query.delta(state).__enter__()
    assert state.read_text() == before
    with query.delta(state, evolve=True):
        pass
    with query.delta(state):
        pass

    async def again() -> None:
        async with box.async_client() as other:
            async with other.interviews(made.survey_id or 0).delta(state, evolve=True) as new:
                assert len(new) == 0

    asyncio.run(again())


def test_the_command_compares_two_surveys(box: sondage.Sandbox) -> None:
    client = box.client()

    def published(labels: dict[int, str]) -> str:
        choices = {str(code): {"en": label} for code, label in labels.items()}
        definition = ask.questionnaire(["en"], {"S": [ask.single_choice("Q1", {"en": "How often?"}, choices)]}, end={"en": "Thanks"})
        made = client.create_survey(workspace_id=box.workspace_id, name="Wave", survey_definition=definition)
        assert made.survey_id is not None
        client.execute_workflow_transition(workflow="SurveyDesign", target_state="Published", survey_id=made.survey_id)
        return str(made.survey_id)

    first, same, turned = published(SCALE), published(SCALE), published({1: "always", 2: "sometimes", 3: "never"})
    nothing = ask.questionnaire(["en"], {"S": [ask.text_block({"en": "Welcome"})]}, end={"en": "Thanks"})
    empty = str(client.create_survey(workspace_id=box.workspace_id, name="Empty", survey_definition=nothing).survey_id)
    for words, code, text in [
        ([first, empty], 1, "note: the later table has no questions"),
        ([first, same], 0, "0 changes, 0 of them breaking"),
        ([first, turned], 3, "breaking: Q1, 1: label moved"),
        ([first, turned, "--html"], 3, "<table"),
    ]:
        done = subprocess.run([*COMMAND, "compare", *words], env=account(box), capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == code and text in done.stdout, done
