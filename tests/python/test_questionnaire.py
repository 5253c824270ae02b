"""Questionnaires from helpers: the same as in the other languages, and accepted by the sandbox."""

from __future__ import annotations

import json

import pytest
import sondage
from conftest import ROOT
from sondage import questionnaire as ask

F = sondage.field
EXPECTED = json.loads((ROOT / "tests/questionnaire.json").read_text("utf-8"))


def everything() -> sondage.SurveyDefinition:
    """One of each, as `tests/questionnaire.json` has it."""
    yes_no = {"1": {"en": "Yes", "de": "Ja"}, "2": {"en": "No", "de": "Nein"}}
    other = ask.choice("9", {"en": "Other", "de": "Anderes"}, allow_text_entry=True)
    visit = [
        ask.single_choice("back", {"en": "Will you come back?", "de": "Kommen Sie wieder?"}, yes_no),
        ask.open_question(
            "why",
            {"en": "Why?", "de": "Warum?"},
            force_response=True,
            condition=ask.show_when(F.question("back") == "2"),
        ),
        ask.page_break(),
        ask.multiple_choice("seen", {"en": "What did you see?"}, [ask.choice("1", {"en": "Owls"}), other]),
        ask.dropdown("from", {"en": "Where are you from?"}, {"ch": {"en": "Switzerland"}, "at": {"en": "Austria"}}),
    ]
    rating = [
        ask.date("day", {"en": "When?"}),
        ask.nps("nps", {"en": "Would you recommend us?"}),
        ask.slider("warmth", {"en": "How warm was it?"}, -10, 40),
        ask.matrix("staff", {"en": "Our staff"}, {"a": {"en": "was kind"}, "b": {"en": "was quick"}}, yes_no),
        ask.text_block({"en": "That is all."}),
    ]
    end = {"en": "Thank you!", "de": "Danke!"}
    return ask.questionnaire(["en", "de"], {"Visit": visit, "Rating": rating}, end=end)


def test_it_is_the_same_as_in_the_other_languages() -> None:
    assert everything().to_dict() == EXPECTED


def test_a_survey_can_be_made_of_it(box: sondage.Sandbox, client: sondage.Client) -> None:
    made = client.create_survey(workspace_id=box.workspace_id, name="Visitors", survey_definition=everything())
    assert made.survey_id is not None
    read = client.read_survey(survey_id=made.survey_id).survey
    assert read is not None
    assert [element.code for element in read.sections[1].elements][:3] == ["day", "nps", "warmth"]


def test_an_element_can_be_used_twice() -> None:
    why = ask.open_question("why", {"en": "Why?"})
    made = ask.questionnaire(["en"], {"One": [why], "Two": [why]}, allow_multiple_participation=True)
    assert [section.elements[0].id for section in made.sections] == [2, 4]
    assert why.id == 0
    assert made.allow_multiple_participation


def test_a_condition_that_cannot_be_written_is_an_error() -> None:
    with pytest.raises(sondage.InvalidArgument):
        ask.show_when(F("a").is_in(["one, two"]))
