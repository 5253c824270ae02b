"""Helpers for building questionnaires: texts in several languages, element ids, required switches.

    from sondage import questionnaire as ask

    visit = [
        ask.single_choice(
            "coming_back",
            {"en": "Will you come back?", "de": "Kommen Sie wieder?"},
            {"1": {"en": "Yes", "de": "Ja"}, "2": {"en": "No", "de": "Nein"}},
        ),
        ask.open_question("why", {"en": "Why?", "de": "Warum?"}),
    ]
    definition = ask.questionnaire(["en", "de"], {"Visit": visit}, end={"en": "Thank you!", "de": "Danke!"})
    client.create_survey(workspace_id=3, name="Visitors", survey_definition=definition)

A text is a dictionary of languages. Other fields of a question are keyword arguments with the names of `SurveyElement`:
`ask.open_question("why", {"en": "Why?"}, force_response=True)`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ._convert import several, wrong
from ._model import Model
from ._models import (
    Choice,
    ColumnGroup,
    ConditionDefinition,
    Section,
    SurveyDefinition,
    SurveyElement,
    Translation,
)

from ._questions import date as date
from ._questions import dropdown as dropdown
from ._questions import multiple_choice as multiple_choice
from ._questions import nps as nps
from ._questions import open_question as open_question
from ._questions import single_choice as single_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeVar, Union

    from ._condition import Expression
    from ._models._fields import ChoiceFields, DefinitionFields, ElementFields, QuestionFields, Unpack
    from .types import ElementType

    Texts = Mapping[str, str]
    Choices = Union[Mapping[str, Texts], Iterable[Choice]]
    Numbered = TypeVar("Numbered", bound=Model)


def questionnaire(
    languages: Iterable[str],
    sections: Mapping[str, Iterable[SurveyElement]],
    *,
    end: Texts | None = None,
    **more: Unpack[DefinitionFields],
) -> SurveyDefinition:
    """A questionnaire for `create_survey`. Each person can answer once, and can go back.

    Args:
        languages: Their codes. The first is the default.
        sections: The elements of each section, by the section's name, which is not displayed.
        end: The text at the end.
        more: Other fields of `SurveyDefinition`, for example `allow_multiple_participation=True`.
    """
    codes, made, last = several(languages), list[Section](), 0
    for name, elements in sections.items():
        number = last + 1
        asked = _numbered(elements, number + 1)
        last = number + len(asked)
        made.append(
            Section(id=number, name=name, randomize_pages=False, exclude_from_randomization=False, elements=asked)
        )
    usual: dict[str, Any] = {
        "allow_multiple_participation": False,
        "allow_navigate_back": True,
        "randomize_sections": False,
        "code_access_mode": "None",
        "default_language": codes[0] if codes else "",
        "custom_variables": [],
        **more,
    }
    return SurveyDefinition(languages=codes, sections=made, survey_end_text=texts(end or {}), **usual)


def texts(texts: Texts) -> list[Translation]:
    """One text in several languages, by their codes."""
    if not isinstance(texts, Mapping):
        hint = 'Hand over a dictionary of languages, for example {"en": "Why?"}.'
        raise wrong(f"a text cannot be of the type {type(texts).__name__}", hint)
    return [Translation(language_code=language, text=text) for language, text in texts.items()]


def element(kind: ElementType, **more: Unpack[ElementFields]) -> SurveyElement:
    """An element of any kind, with only its kind set."""
    return SurveyElement(id=0, element_type=kind, **more)


def choice(code: str, text: Texts, **more: Unpack[ChoiceFields]) -> Choice:
    """One of the choices of a question: its value in the data, and its label.

    For choices without further properties, a dictionary of codes and texts is equivalent.
    """
    usual: dict[str, Any] = {"allow_text_entry": False, "force_input": False, "autocomplete": False, "exclusive": False}
    return Choice(id=0, code=code, text=texts(text), **{**usual, **more})


def slider(code: str, text: Texts, from_: int, to: int, **more: Unpack[QuestionFields]) -> SurveyElement:
    """A slider."""
    said: dict[str, Any] = {"min_value": from_, "max_value": to, **more}
    return element("Slider", code=code, text=texts(text), **said)


def matrix(code: str, text: Texts, rows: Choices, columns: Choices, **more: Unpack[QuestionFields]) -> SurveyElement:
    """A matrix: rows that share the same columns, with one choice per row."""
    group = ColumnGroup(
        id=1,
        text=[],
        has_not_available_choice=False,
        randomize_columns=False,
        choice_type="Single",
        choices=_choices(columns),
    )
    said: dict[str, Any] = {"choices": _choices(rows), "column_type": "Single", "column_groups": [group], **more}
    return element("Matrix", code=code, text=texts(text), **said)


def text_block(text: Texts, **more: Unpack[QuestionFields]) -> SurveyElement:
    """A text between questions."""
    return element("TextBlock", text=texts(text), **more)


def page_break() -> SurveyElement:
    """A page break."""
    return element("PageBreak")


def show_when(expression: Expression) -> ConditionDefinition:
    """The condition under which an element is shown: `condition=ask.show_when(F("age") > 17)`.

    Raises:
        InvalidArgument: The expression cannot be written as conditions of the service.
    """
    return ConditionDefinition(condition_action="Passes", elements=expression.compile())


def _choices(choices: Choices) -> list[Choice]:
    if hasattr(choices, "items"):
        choices = [choice(code, text) for code, text in choices.items()]
    several = [] if isinstance(choices, str) else list(choices)
    if not several or not all(isinstance(one, Choice) for one in several):
        hint = 'Hand over a dictionary of codes and texts, for example {"1": {"en": "Yes"}}, or `choice(...)`s.'
        raise wrong(f"the choices cannot be of the type {type(choices).__name__}", hint)
    return _numbered(several, 1)


def _numbered(models: Iterable[Numbered], first: int) -> list[Numbered]:
    """Numbered copies: the originals may be used several times."""
    return [model.from_dict(model.to_dict() | {"id": number}) for number, model in enumerate(models, first)]
