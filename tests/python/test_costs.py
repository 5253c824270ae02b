"""What lists, loads, imports and plans cost in calls, cold and warm: the table of docs/budget.md, by the ledger of the sandbox."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sondage

if TYPE_CHECKING:
    from collections.abc import Callable

NOBODY = sondage.field("Email") == "nobody@example.invalid"
MEMBERS = 10_202


def cost(box: sondage.Sandbox, job: Callable[[sondage.Client], object]) -> int:
    """The calls of a job of a new client: what earlier ones have learned is shared by the process."""
    box.ledger.clear()
    client = box.client()
    job(client)
    return sum(arrival.operation != "token" for arrival in box.ledger.requests())


def twice(box: sondage.Sandbox, job: Callable[[sondage.Client], object]) -> list[int]:
    return [cost(box, job), cost(box, job)]


def test_a_list_that_fits_one_page(box: sondage.Sandbox) -> None:
    assert twice(box, lambda client: client.members(box.panel_id).table()) == [2, 1]
    assert twice(box, lambda client: client.members(box.panel_id, thorough=True).table()) == [2, 2]
    assert twice(box, lambda client: list(client.members(box.panel_id, where=NOBODY))) == [3, 2]


def test_lists_of_many_pages() -> None:
    with sondage.Sandbox(extra_members=MEMBERS - 200) as box:
        assert twice(box, lambda client: client.members(box.panel_id).table()) == [11, 11]
        large = lambda client: client.members(box.panel_id, page_size=10_000).table()  # noqa: E731
        assert twice(box, large) == [2, 2]
        template = box.message_template_id
        plan = box.client().plan_invite(survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=template, again=True)
        (pages,) = [way for way in plan.cheaper if "pages of 10000 rows" in way]
        saved = int(pages.split(": ")[1].split()[0])
        with_large = box.client(page_size=10_000).plan_invite(
            survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=template, again=True
        )
        assert plan.calls - with_large.calls == saved >= 9 and not with_large.cheaper


def test_a_load_without_changes(box: sondage.Sandbox, tmp_path: Path) -> None:
    def load(client: sondage.Client) -> None:
        with client.interviews(box.feedback_survey_id, fields=["Id", "State"]).delta(tmp_path / "state") as changes:
            assert changes is not None

    assert cost(box, load) == 2
    assert twice(box, load) == [2, 1]


def test_an_import_of_a_thousand_rows(box: sondage.Sandbox) -> None:
    numbers = count()

    def bring(client: sondage.Client) -> None:
        rows = [{"Email": f"person{next(numbers)}@import.example"} for _ in range(1000)]
        assert client.import_members(box.panel_id, rows, key="Email").created == 1000

    assert twice(box, bring) == [4, 4]


def test_a_plan_and_its_run(box: sondage.Sandbox) -> None:
    survey, panel, template = box.survey_id, box.panel_id, box.message_template_id
    ways: list[list[str]] = []

    def plan(client: sondage.Client) -> sondage.SendPlan:
        made = client.plan_invite(survey_id=survey, panel_id=panel, message_template_id=template)
        ways.append(made.cheaper)
        return made

    assert twice(box, plan) == [14, 10]
    assert "name the workspace of the survey" in ways[0][0] and not ways[1]
    made = plan(box.client())
    box.ledger.clear()
    made.run(confirm=made.token)
    assert len([arrival for arrival in box.ledger.requests() if arrival.operation != "token"]) == 10 == made.calls


def test_the_doctor(box: sondage.Sandbox) -> None:
    assert twice(box, lambda client: client.doctor()) == [7, 6]


@pytest.mark.parametrize("again", [False, True])
def test_a_plan_costs_what_it_says_where_counts_are_those_of_a_page(again: bool) -> None:
    with sondage.Sandbox(profile={"totalCount": "page"}) as box:
        plan = box.client().plan_invite(
            survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=box.message_template_id, again=again
        )
        box.ledger.clear()
        plan.run(confirm=plan.token)
        assert sum(one.operation != "token" for one in box.ledger.requests()) == plan.calls


def test_a_run_that_the_budget_does_not_cover_is_not_begun(tmp_path: Path) -> None:
    with sondage.Sandbox() as box:
        arguments = {"survey_id": box.survey_id, "panel_id": box.panel_id, "message_template_id": box.message_template_id}
        box.client().plan_invite(**arguments)
        client = box.client(budget="stop", budget_loopback=True, budget_folder=str(tmp_path), budget_calls=20)
        plan = client.plan_invite(**arguments)
        left = client.budget().calls_left
        box.ledger.clear()
        assert 0 < left < plan.calls
        with pytest.raises(sondage.BudgetSpent, match=rf"not begun, because it takes {plan.calls} calls, and {left} of the 20 calls"):
            plan.run(confirm=plan.token)
        assert not box.ledger.requests() and client.budget().calls_left == left
        assert box.client().plan_invite(**arguments).token == plan.token
