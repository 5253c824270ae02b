"""A selection that holds nothing is refused by whatever sends, changes or deletes: every one, in every empty form."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sondage
from conftest import ROOT
from sondage import webhooks

TABLE = json.loads((ROOT / "tests/selections.json").read_text(encoding="utf-8"))["rows"]
NO_FILTER = sondage.Expression({"and": []})
EMPTY: dict[str, list[Any]] = {
    "filter": [None, [], "", {}, NO_FILTER],
    "list": [None, [], (), "", {}],
    "number": [None, ""],
    "text": [None, ""],
}
ROWS = [{"Email": "a@example.com", "Division": "Sales"}]


def arguments(box: sondage.Sandbox, folder: Path) -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    """What each method needs besides its selection."""
    message = {"message_template_id": box.message_template_id}
    invite = {**message, "survey_id": box.survey_id, "panel_id": box.panel_id}
    person = {"panel_ids": [box.panel_id], "key": "Email", "value": "a@example.com", "keep_interviews": False}
    hook = webhooks.basic("sender", "a long password")
    return {
        "archive_answers": ((box.survey_id, folder / "archive"), {}),
        "plan_invite": ((), invite),
        "plan_create_and_invite": ((ROWS,), {**invite, "key": "Email"}),
        "plan_remind": ((), {**message, "distributor_id": 1}),
        "plan_send_mail": ((box.panel_id,), {**message, "sender": "us@example.com"}),
        "plan_redeem": ((1,), {}),
        "plan_erase_person": ((), person),
        "erase_person": ((folder / "receipt.json",), {**person, "confirm": "none"}),
        "ensure_web_hook": ((hook,), {"address": "https://hooks.example.com", "event_type": "InterviewComplete"}),
        "plan_update": ((box.panel_id, ROWS), {"key": "Email"}),
    }


def smallest(row: dict[str, Any]) -> dict[str, Any]:
    """The request of an operation: the smallest of its cases."""
    cases = json.loads((ROOT / f"tests/cases/{row['area']}/{row['call']}.json").read_text(encoding="utf-8"))
    snake = "".join
    named = cases["cases"][1]["call"].items()
    return {snake("_" + c.lower() if c.isupper() else c for c in name): value for name, value in named}


@pytest.fixture(scope="module")
def box() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox.demo() as box:
        yield box


@pytest.mark.parametrize("row", TABLE, ids=[f"{row['call']}-{row['property']}" for row in TABLE])
def test_an_empty_selection_is_refused(box: sondage.Sandbox, tmp_path: Path, row: dict[str, Any]) -> None:
    call, name = row["call"], row["property"]
    given, named = ((), smallest(row)) if "area" in row else arguments(box, tmp_path)[call]

    async def meanwhile(value: Any) -> None:
        async with box.async_client() as client:
            await getattr(client, call)(*given, **{**named, name: value})

    client = box.client()
    calls: list[Callable[[Any], Any]] = [
        lambda value: getattr(client, call)(*given, **{**named, name: value}),
        lambda value: asyncio.run(meanwhile(value)),
    ]
    for value in EMPTY[row["kind"]]:
        for make in calls:
            with pytest.raises(sondage.InvalidArgument) as refusal:
                make(value)
            if value is None and row["absent"]:
                assert f"{name} must be left out if you mean {row['absent']}, not None" in str(refusal.value)
    assert not box.ledger.effects()
