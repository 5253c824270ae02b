"""Changes that are planted in real questionnaires, and how each is classed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

Element = dict[str, Any]


class Questionnaire:
    """A questionnaire with a scale and an open question that nothing else refers to."""

    def __init__(self, definition: Element) -> None:
        self.definition = deepcopy(definition)
        self.text = json.dumps(definition)
        free = [element for element in self.elements() if self.is_free(element)]
        self.scale = next(element for element in free if element["elementType"] == "SingleChoice" and len(self.labels(element)) >= 4)
        self.open = next(element for element in free if element["elementType"] == "OpenQuestion" and self.is_text(element))
        self.multiple = next(element for element in self.elements() if element["elementType"] == "MultipleChoice")

    def elements(self) -> Iterator[Element]:
        for section in self.definition["sections"]:
            yield from section["elements"]

    def is_free(self, element: Element) -> bool:
        """Whether no condition and no other text refers to it, and its choices are plain."""
        choices = element.get("choices", [])
        own = [element["id"], *(choice["id"] for choice in choices)]
        plain = not any(choice["allowTextEntry"] or choice["conditions"] or choice["reusableListId"] for choice in choices)
        return plain and not any(f'"identifier": "{number}"' in self.text for number in own) and self.text.count(element.get("code", "")) == 1

    @staticmethod
    def is_text(element: Element) -> bool:
        return bool(element["contentValidation"]["validationType"] == "None")

    @staticmethod
    def labels(element: Element) -> list[list[Element]]:
        return [choice["text"] for choice in element["choices"]]

    def codes(self) -> list[str]:
        return [choice["code"] for choice in self.scale["choices"]]

    def section_of(self, element: Element) -> list[Element]:
        return next(section["elements"] for section in self.definition["sections"] if any(one is element for one in section["elements"]))

    def remove(self, element: Element) -> None:
        section = self.section_of(element)
        del section[next(place for place, one in enumerate(section) if one is element)]

    def choice(self, code: str, text: str) -> Element:
        added = deepcopy(self.scale["choices"][0])
        return {**added, "code": code, "id": 90_000 + int(code), "text": said(added["text"], text)}

    def question(self, code: str, text: str) -> Element:
        added = deepcopy(self.open)
        return {**added, "code": code, "id": 91_000, "text": said(added["text"], text)}


def said(texts: list[Element], text: str) -> list[Element]:
    """The same text in every language."""
    return [{**one, "text": text} for one in texts]


def ended(texts: list[Element]) -> list[Element]:
    """The texts with a word more."""
    return [{**one, "text": one["text"] + " fozu"} for one in texts]


def relabel(it: Questionnaire, order: Callable[[list[Any]], list[Any]]) -> None:
    for choice, text in zip(it.scale["choices"], order(it.labels(it.scale))):
        choice["text"] = text


def recode(it: Questionnaire, codes: list[str]) -> None:
    for choice, code in zip(it.scale["choices"], codes):
        choice["code"] = code


def free_code(it: Questionnaire) -> str:
    return str(max(int(code) for code in it.codes()) + 1)


def new_middle(it: Questionnaire) -> None:
    """A point in the middle, which moves those behind it."""
    labels = it.labels(it.scale)
    labels.insert(len(labels) // 2, said(labels[0], "Zufo neta"))
    it.scale["choices"].append(it.choice(free_code(it), "x"))
    relabel(it, lambda _: labels)


def other_code(it: Questionnaire) -> None:
    it.scale["choices"][-1]["code"] = free_code(it)


def other_answer(it: Questionnaire) -> None:
    it.scale["choices"][-1] = it.choice(free_code(it), "Zufo neta")


def as_text(it: Questionnaire) -> None:
    """The scale becomes an open question of the same code."""
    section, question = it.section_of(it.scale), it.question(it.scale["code"], "x")
    section[section.index(it.scale)] = {**question, "text": it.scale["text"]}


def elsewhere(it: Questionnaire) -> None:
    """To the end, or to the beginning if it is in the last section already."""
    sections = [section["elements"] for section in it.definition["sections"]]
    is_last = it.section_of(it.open) is sections[-1]
    it.remove(it.open)
    if is_last:
        sections[0].insert(0, it.open)
    else:
        sections[-1].append(it.open)


def renamed_and_reworded(it: Questionnaire) -> None:
    it.open["code"] = "Zufo"
    it.open["text"] = [{**one, "text": one["text"].rstrip(" :?") + " z"} for one in it.open["text"]]


def replaced(it: Questionnaire) -> None:
    """Another question instead of the old one."""
    section = it.section_of(it.open)
    section[section.index(it.open)] = it.question("Zufo", "In which year were you born?")


MOVED, REORDERED = ("breaking", "label_moved"), ("minor", "codes_reordered")
OTHER_TYPE, OTHER_TEXT = ("breaking", "type_changed"), ("minor", "text_changed")
NEW, GONE, RENAMED = ("notable", "question_new"), ("notable", "question_gone"), ("notable", "question_renamed")
NEW_CODE, GONE_CODE, OTHER_LABEL = ("notable", "code_new"), ("notable", "code_gone"), ("notable", "label_changed")

# What is changed, and which changes must be found.
MUTATIONS: list[tuple[str, Callable[[Questionnaire], object], set[tuple[str, str]]]] = [
    ("the text of a question", lambda it: it.scale.update(text=ended(it.scale["text"])), {OTHER_TEXT}),
    ("the text of a choice", lambda it: it.multiple["choices"][0].update(text=ended(it.multiple["choices"][0]["text"])), {OTHER_TEXT}),
    ("the words of a label", lambda it: it.scale["choices"][1].update(text=said(it.scale["choices"][1]["text"], "Zufo neta")), {OTHER_LABEL}),
    ("two labels exchanged", lambda it: relabel(it, lambda labels: [labels[-1], *labels[1:-1], labels[0]]), {MOVED}),
    ("a scale turned round", lambda it: relabel(it, lambda labels: labels[::-1]), {MOVED}),
    ("labels that move on by one", lambda it: relabel(it, lambda labels: labels[1:] + labels[:1]), {MOVED}),
    ("a new point in the middle", new_middle, {MOVED}),
    ("another code for a label", other_code, {MOVED}),
    ("all codes a hundred higher", lambda it: recode(it, [str(int(code) + 100) for code in it.codes()]), {MOVED}),
    ("codes turned round", lambda it: recode(it, it.codes()[::-1]), {MOVED, REORDERED}),
    ("a new code", lambda it: it.scale["choices"].append(it.choice(free_code(it), "Zufo neta")), {NEW_CODE}),
    ("a code that is gone", lambda it: it.scale["choices"].pop(1), {GONE_CODE}),
    ("another answer under another code", other_answer, {NEW_CODE, GONE_CODE}),
    ("another order of the codes", lambda it: it.scale["choices"].reverse(), {REORDERED}),
    ("an open question instead of a scale", as_text, {OTHER_TYPE, GONE_CODE}),
    ("a number instead of a text", lambda it: it.open["contentValidation"].update(validationType="Number", decimalPlaces=0), {OTHER_TYPE}),
    ("another place", elsewhere, {("minor", "reordered")}),
    ("a question that is gone", lambda it: it.remove(it.open), {GONE}),
    ("a question that is new", lambda it: it.section_of(it.open).append(it.question("Zufo", "In which year were you born?")), {NEW}),
    ("another name, and a letter more", renamed_and_reworded, {RENAMED}),
    ("another name", lambda it: it.open.update(code="Zufo"), {RENAMED}),
    ("another question", replaced, {NEW, GONE}),
]
