"""Planned mails, vouchers and transitions: each is made once, a journal resumes the run, and Ctrl-C raises an
error with the report so far."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
import sondage
from sondage import field


@pytest.fixture
def people(client: sondage.Client, box: sondage.Sandbox) -> list[int]:
    """Three members with an address, one without."""
    emails = [{"Email": f"{name}@mails.example"} for name in ("ada", "bea", "cem")]
    members = [sondage.NewMember.of(Division="Mails", **email) for email in [*emails, {}]]
    created = client.create_members(panel_id=box.panel_id, members=members)
    return [member for member in created.members_ids if member is not None]


def mails(box: sondage.Sandbox, **more: Any) -> dict[str, Any]:
    texts = {"subject": "News", "body": "There is news.", "language": "en", "sender": "us@example.com"}
    return {"panel_id": box.panel_id, "where": field("Division") == "Mails", **texts, **more}


def sent(box: sondage.Sandbox) -> list[str]:
    return [to for effect in box.ledger.effects("ExecuteSendMail") for to in effect.ids]


def test_each_mail_is_sent_once_and_has_a_row(client: sondage.Client, box: sondage.Sandbox, people: list[int]) -> None:
    plan = client.plan_send_mail(**mails(box))
    assert "reaches 3 of 4: 1 has no address\n" in str(plan)
    assert (len(plan), plan.members, plan.cost.calls, plan.report.not_sent) == (3, people[:3], plan.calls, 3)
    report = plan.run(confirm=plan.token).raise_if_stopped()
    assert [(row.target, row.status) for row in report.rows] == list(zip(people, ["done", "done", "done", "left_out"]))
    assert report.complete and sent(box) == [f"{name}@mails.example" for name in ("ada", "bea", "cem")]
    two = client.plan_send_mail(**mails(box, member_ids=iter(people[1:3])))
    assert two.members == people[1:3]


def test_a_journal_goes_on_and_a_finished_one_is_reported(
    client: sondage.Client, box: sondage.Sandbox, people: list[int], tmp_path: Path
) -> None:
    order = mails(box, journal=tmp_path / "mails.journal")
    plan = client.plan_send_mail(**order)
    box.fault("ExecuteSendMail", skip=1, cut="afterEffect")
    first = plan.run(confirm=plan.token)
    assert isinstance(first.stopped, sondage.OutcomeUnknown) and (first.done, first.unknown, first.not_sent) == (1, 1, 1)
    again = client.plan_send_mail(**order)
    assert {left.member: left.reason for left in again.left_out} == {people[0]: "sent", people[1]: "unknown", people[3]: "no_address"}
    second = again.run(confirm=again.token)
    assert (second.done, second.unknown, second.resumed, len(sent(box))) == (2, 1, True, 3)
    with pytest.raises(sondage.InvalidArgument, match="its message, its survey"):
        client.plan_send_mail(**{**order, "subject": "Other news"})


def test_ctrl_c_carries_what_is_known(client: sondage.Client, box: sondage.Sandbox, people: list[int]) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        plan = client.plan_send_mail(**mails(box))
        box.fault("ExecuteSendMail", skip=1, delay=30)
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt) as stopped:
            plan.run(confirm=plan.token)
    finally:
        signal.signal(signal.SIGINT, before)
    report = stopped.value.report  # type: ignore[attr-defined]
    assert [row.status for row in report.rows] == ["done", "unknown", "not_sent", "left_out"]
    assert "not_sent" in report.next and plan.report == report


def test_a_cancelled_task_carries_what_is_known(box: sondage.Sandbox, people: list[int]) -> None:
    async def story() -> None:
        async with box.async_client() as client:
            plan = await client.plan_send_mail(**mails(box))
            box.fault("ExecuteSendMail", skip=1, delay=30)
            run = asyncio.ensure_future(plan.run(confirm=plan.token))
            while plan.report.done == 0:
                await asyncio.sleep(0.01)
            run.cancel()
            with pytest.raises(asyncio.CancelledError) as stopped:
                await run
            assert stopped.value.report.done == plan.report.done == 1  # type: ignore[attr-defined]

    asyncio.run(story())


def test_vouchers_are_bought_once_and_not_shown(client: sondage.Client, box: sondage.Sandbox, people: list[int]) -> None:
    offer = client.read_incentive_list().panel_incentives[0]
    with pytest.raises(sondage.InvalidArgument, match="unknown how many"):
        client.plan_redeem(incentive_id=offer.id)
    plan = client.plan_redeem(incentive_id=offer.id, member_ids=people[:2])
    assert f"2 vouchers at {offer.price_in_credits} credits" in str(plan)
    report = plan.run(confirm=plan.token).raise_if_stopped()
    codes = [row.voucher_code for row in report.rows]
    assert [row.target for row in report.rows] == people[:2] and all(codes) and len(set(codes)) == 2
    assert not any(code in repr(report) for code in codes if code)


def test_a_transition_is_bound_to_the_state_that_was_planned(client: sondage.Client, box: sondage.Sandbox) -> None:
    plan = client.plan_transition(workflow="SurveyDesign", target_state="Closed", survey_id=box.survey_id)
    assert str(plan).startswith(f"survey {box.survey_id}: from Published to Closed by Close\n")
    client.execute_workflow_transition(workflow="SurveyDesign", survey_id=box.survey_id, target_state="Revision")
    with pytest.raises(sondage.InvalidArgument, match="then survey .* from Published .*, now survey .* from Revision"):
        plan.run(confirm=plan.token)
    plan = client.plan_transition(workflow="SurveyDesign", target_state="Closed", survey_id=box.survey_id)
    assert plan.run(confirm=plan.token).done == 1
    assert client.read_survey(survey_id=box.survey_id).survey_state == "Closed"
