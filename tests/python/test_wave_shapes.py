"""Waves of real questionnaires: every kind of change is found and classed, and what is no change of meaning is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sondage
from wave_mutations import MUTATIONS, Questionnaire

SHAPES = Path(__file__).parents[1] / "shapes"
NUMBERS = [1, 2, 3, 5, 6, 8]
pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")


def shape(number: int) -> Path:
    return SHAPES / f"survey-{number}.json"


@pytest.mark.parametrize("number", NUMBERS)
def test_every_planted_change_is_found_and_classed(number: int, tmp_path: Path) -> None:
    definition = json.loads(shape(number).read_text("utf-8"))
    planted = {}
    for place, (what, mutate, _) in enumerate(MUTATIONS):
        planted[what] = Questionnaire(definition)
        mutate(planted[what])
        (tmp_path / f"{place}.json").write_text(json.dumps(planted[what].definition), "utf-8")
    files = [shape(number), *(tmp_path / f"{place}.json" for place in range(len(MUTATIONS)))]
    with sondage.Sandbox(surveys=files) as box:
        client = box.client()
        waves = {name: client.interviews(survey).head(1) for name, survey in box.survey_ids.items()}
        for place, (what, _, expected) in enumerate(MUTATIONS):
            comparison = sondage.compare(waves[shape(number).stem], waves[str(place)])
            assert {(change.severity, change.kind) for change in comparison.changes} == expected, (what, comparison.changes)
            it = planted[what]
            touched = {it.scale["code"], it.open["code"], "Zufo", Questionnaire(definition).open["code"]}
            others = [one for one in comparison.changes if one.column not in touched and not one.column.startswith(it.multiple["code"])]
            assert others == [], (what, others)
            assert comparison.breaking == sum(change.severity == "breaking" for change in comparison.changes)


@pytest.mark.parametrize("number", NUMBERS)
def test_languages_markup_and_answers_are_no_changes(number: int) -> None:
    with sondage.Sandbox(surveys=[shape(number)]) as box:
        client = box.client()
        (survey,) = box.survey_ids.values()
        before = client.interviews(survey).table()
        questions = sondage.compare(before, before).identical
        assert questions > 100
        box.fill(survey, 20, seed=1)
        definition = client.read_survey(survey_id=survey).survey
        assert definition is not None
        languages = definition.languages or []
        again = [
            client.interviews(survey).table(),
            client.interviews(survey, text="raw").table(),
            client.interviews(survey, structured=True).table(),
            *(client.interviews(survey, language=language).table() for language in languages),
        ]
        for other in again:
            for one, two in [(before, other), (other, before)]:
                comparison = sondage.compare(one, two)
                assert (comparison.changes, comparison.identical, comparison.notes) == ([], questions, [])
