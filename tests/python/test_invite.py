"""Planned invitations: as many messages are sent as the plan says."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import sondage
from sondage import field

GERMANS = field("Language") == "de"


def asked(box: sondage.Sandbox, **more: Any) -> dict[str, Any]:
    ids = {"survey_id": box.survey_id, "panel_id": box.panel_id, "message_template_id": box.message_template_id}
    return {**ids, "where": GERMANS, **more}


def sent(box: sondage.Sandbox) -> list[int]:
    messages = [effect for effect in box.ledger.effects("InviteMembers") if effect.kind == "MessagesSent"]
    return sorted(int(member) for message in messages for member in message.ids)


def test_the_number_of_the_plan_is_the_number_of_messages(client: sondage.Client, box: sondage.Sandbox) -> None:
    plan = client.plan_invite(**asked(box))
    first, cost, cheaper, confirm = str(plan).splitlines()
    assert first == f"survey {box.survey_id}, panel {box.panel_id}: reaches 58 of 66: 6 have no address, 2 opted out"
    assert f" costs {plan.calls} calls" in cost and plan.token in confirm and "15 minutes" in confirm
    assert cheaper == f"  cheaper: {plan.cheaper[0]}" and f"the workspace of the survey, {box.workspace_id}:" in cheaper
    assert (len(plan.members), len(plan), plan.matches, sent(box)) == (58, 58, 66, [])
    reasons = [left.reason for left in plan.left_out]
    assert (reasons.count("no_address"), reasons.count("opted_out")) == (6, 2)
    report = plan.run(confirm=plan.token).raise_if_stopped()
    assert sent(box) == plan.members == report.members and report.distributor_id
    with pytest.raises(sondage.InvalidArgument, match="this plan has already been run"):
        plan.run(confirm=plan.token)
    none = client.plan_invite(**asked(box))
    assert "58 were invited before" in str(none) and none.run(confirm=none.token).done == 0


def test_text_blocks_are_sent(client: sondage.Client, box: sondage.Sandbox) -> None:
    block = "6f1c1f8e-7b0a-4f57-9d2e-2f0c3a5b9e11"
    with pytest.raises(sondage.InvalidArgument, match="the text block .* has no text"):
        client.plan_invite(**asked(box, text_blocks={block: {}}))
    texts = {"de": "Hallo " * 40, "en": "Hello " * 40}
    plan = client.plan_invite(**asked(box, cap=1, text_blocks={block: texts}))
    plan.run(confirm=plan.token).raise_if_stopped()
    (call,) = box.ledger.requests("InviteMembers")
    assert call.bytes > sum(map(len, texts.values()))


def test_a_plan_is_refused_when_it_is_not_true_any_more(client: sondage.Client, box: sondage.Sandbox) -> None:
    plan = client.plan_invite(**asked(box, cap=5))
    with pytest.raises(sondage.InvalidArgument, match="does not confirm this plan"):
        plan.run(confirm="yes")
    gone = sondage.EmailItem(
        email=next(m["Email"] for m in client.members(box.panel_id) if m.id == plan.members[0]), opt_out_operation="Add"
    )
    client.write_opt_out_list(workspace_id=box.workspace_id, emails=[gone])
    with pytest.raises(sondage.InvalidArgument, match=rf"1 added .*1 removed \({plan.members[0]}\)"):
        plan.run(confirm=plan.token)
    old = client.plan_invite(**asked(box, max_age=0))
    with pytest.raises(sondage.InvalidArgument, match="seconds old, and may be at most 0"):
        old.run(confirm=old.token)
    assert sent(box) == [] and box.ledger.requests("InviteMembers") == []


def test_what_is_wrong_is_said_before_anything_is_read(client: sondage.Client, box: sondage.Sandbox) -> None:
    yesterday = datetime.now(timezone.utc) - timedelta(days=1)
    wrong = [({"cap": 0}, "`cap` is 0"), ({"schedule_date_time": yesterday}, "passed"), ({"channel": "LinkList"}, "LinkList")]
    for more, why in wrong:
        with pytest.raises(sondage.InvalidArgument, match=why):
            client.plan_invite(**asked(box, **more))
    assert box.ledger.requests() == []


def test_an_answer_that_is_lost_is_in_the_report(box: sondage.Sandbox) -> None:
    async def run() -> None:
        async with box.async_client() as client:
            plan = await client.plan_invite(**asked(box))
            box.fault("InviteMembers", cut="afterEffect")
            report = await plan.run(confirm=plan.token)
            assert isinstance(report.stopped, sondage.OutcomeUnknown) and "read_distributor_list" in report.stopped.reconcile
            with pytest.raises(sondage.OutcomeUnknown):
                report.raise_if_stopped()
            assert sent(box) == plan.members and report.distributor_id is None

    asyncio.run(run())


def test_a_field_report_counts_everybody_who_was_invited(client: sondage.Client, box: sondage.Sandbox) -> None:
    report = client.field_report(box.feedback_survey_id, partial=True)
    counted = report.complete + report.partial + report.refusal + report.other + report.unknown + report.not_eligible
    assert counted == report.cases == 60 and report.uninvited == 0
    assert report.rr1 == pytest.approx(report.complete / (report.cases - report.not_eligible))
    assert report.rr2 is not None and report.rr1 is not None and report.rr2 > report.rr1
    assert client.field_report(box.survey_id).rr1 is None


def test_a_field_report_is_broken_down_by_a_column(client: sondage.Client, box: sondage.Sandbox) -> None:
    whole = client.field_report(box.feedback_survey_id)
    report = client.field_report(box.feedback_survey_id, by="Language")
    assert whole.groups == [] and (report.by, report.cases) == ("Language", 60)
    assert len(report.groups) > 1 and sum(group.cases for group in report.groups) == report.cases
    assert sum(group.complete for group in report.groups) == report.complete
    frame = report.to_pandas()
    assert list(frame["value"]) == ["all", *(group.value for group in report.groups)]


def test_a_distribution_is_a_funnel_in_which_nothing_is_invented(client: sondage.Client, box: sondage.Sandbox) -> None:
    (distributor,) = set(client.interviews(box.feedback_survey_id, fields=["DistributorId"]).table().to_pandas()["DistributorId"])
    found = client.distribution(int(distributor), survey_id=box.feedback_survey_id)
    assert found.invited == client.field_report(box.feedback_survey_id).cases == 60
    states = client.interviews(box.feedback_survey_id, fields=["State"]).table().to_pandas()["State"].value_counts()
    assert (found.completed, found.in_progress, found.not_responded) == (
        states["Completed"],
        states["InProgress"],
        states["NotResponded"],
    )
    assert found.started == found.invited - found.not_responded - found.other
    assert found.opened is None and found.not_bounced is not None and found.not_bounced <= found.invited
    assert sum(day.completed for day in found.days) + found.completed_without_day == found.completed
    text = str(found)
    assert "opened unknown" in " ".join(text.split())
    assert "opened: unknown" in found.to_svg()
    with pytest.raises(sondage.InvalidArgument, match="there is no distributor 1"):
        client.distribution(1)
    with pytest.raises(sondage.InvalidArgument, match="there is no distributor 1"):
        client.distribution(1, survey_id=box.feedback_survey_id)


def test_a_distribution_counts_only_what_is_certain(box: sondage.Sandbox) -> None:
    survey = box.feedback_survey_id

    def distribution(**answers: list[dict[str, Any]]) -> sondage.Distribution:
        for operation, rows in answers.items():
            name = {"ReadInterviewListCompact": "interviews", "ReadBounceList": "bounces"}[operation]
            box.fault(operation, body=json.dumps({"isSuccess": True, name: rows, "totalCount": len(rows)}), times=None)
        return box.client(facts="off").distribution(7, survey_id=survey)

    interviews = [{"Id": "a", "State": "Completed", "DistributorId": "7", "EndDate": None}, {"Id": "b", "State": "Completed", "DistributorId": None}]
    bounce = {"distributorId": 7, "bounceType": "Blocked", "timestamp": "2026-05-01T12:00:00Z", "reason": "x", "interviewId": "a"}
    found = distribution(ReadInterviewListCompact=interviews, ReadBounceList=[bounce])
    assert (found.invited, found.completed, found.hard_bounces, found.not_bounced) == (1, 1, 0, None)
    box.clear_faults()
    with pytest.raises(sondage.UnexpectedResponse, match="no `DistributorId`"):
        distribution(ReadInterviewListCompact=[{"Id": "a", "State": "Completed"}])


def test_a_new_distribution_has_invited_people_who_have_not_begun(client: sondage.Client, box: sondage.Sandbox) -> None:
    plan = client.plan_invite(**asked(box, cap=5))
    report = plan.run(confirm=plan.token)
    assert report.distributor_id is not None
    found = client.distribution(report.distributor_id)
    assert (found.survey_id, found.panel_id, found.channel) == (box.survey_id, box.panel_id, "Email")
    assert (found.invited, found.not_responded, found.started, found.completed) == (5, 5, 0, 0)
    assert found.opt_outs_of_panel is not None and found.hard_bounces is not None and found.completion == 0


def test_new_members_are_created_and_invited_by_one_call(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    people = [{"Email": "new@plans.example", "Language": "de"}, {"Email": "", "Language": "de"}]
    people.append({"Email": "second@plans.example", "CellPhoneNumber": "0791234567"})

    def plan(rows: list[dict[str, str]]) -> sondage.SendPlan:
        ids = asked(box, journal=tmp_path / "new.journal", quiet=0)
        del ids["where"]
        return client.plan_create_and_invite(rows, key="Email", **ids)

    first = plan(people)
    assert (first.rows, len(first), first.matches, first.members) == ([0], 1, 3, [])
    left = [(row.row, row.reason, row.why) for row in first.rows_left_out]
    wants = 'the column "CellPhoneNumber" needs an integer without leading zeros'
    assert left == [(1, "invalid", "it has no key"), (2, "invalid", wants)]
    box.fault("CreateAndInviteMembers", cut="afterEffect")
    lost = first.run(confirm=first.token)
    assert [row.status for row in lost.rows] == ["unknown", "left_out", "left_out"]
    again = plan(people)
    report = again.run(confirm=again.token).raise_if_stopped()
    [new] = [m.id for m in client.members(box.panel_id, fields=["Email"]) if m["Email"] == "new@plans.example"]
    assert (report.rows[0].status, report.rows[0].member_id, report.members) == ("done", new, [new])
    messages = [effect.ids for effect in box.ledger.effects("CreateAndInviteMembers") if effect.kind == "MessagesSent"]
    assert messages == [[str(new)]]
    with pytest.raises(sondage.InvalidArgument, match="its rows, its message"):
        plan(people[:1])
