"""Waves: what has changed between the questions of two surveys is found before anybody compares their numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sondage
from sondage import questionnaire as ask


@pytest.fixture(scope="module")
def box() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox() as box:
        yield box


SCALE = {1: "never", 2: "sometimes", 3: "always"}


def wave(box: sondage.Sandbox, labels: dict[int, str], text: str = "How often do you read?") -> sondage.Table:
    client = box.client()
    choices = {str(code): {"en": label} for code, label in labels.items()}
    definition = ask.questionnaire(["en"], {"S": [ask.single_choice("Q1", {"en": text}, choices)]}, end={"en": "Thanks"})
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


def test_equal_waves_have_no_changes(box: sondage.Sandbox) -> None:
    comparison = sondage.compare(wave(box, SCALE), wave(box, SCALE, "<b>How often</b> do you read?"))
    assert (comparison.changes, comparison.breaking, comparison.notes) == ([], 0, [])
    assert comparison.identical > 0


def test_only_tables_are_compared(box: sondage.Sandbox) -> None:
    with pytest.raises(sondage.InvalidArgument, match="before must be a table"):
        sondage.compare({}, wave(box, SCALE))  # type: ignore[arg-type]
