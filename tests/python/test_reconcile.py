"""Finding out whether a write with an unknown outcome took effect."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sondage


def person(name: str) -> sondage.NewMember:
    return sondage.NewMember.of(Email=f"{name}@reconcile.example", FirstName=name)


def lost(box: sondage.Sandbox, name: str, **fault: Any) -> sondage.OutcomeUnknown:
    box.fault("CreateMembers", **fault)
    with pytest.raises(sondage.OutcomeUnknown) as failed:
        box.client().create_members(panel_id=box.panel_id, members=[person(name)])
    return failed.value


def test_what_happened_is_found_and_what_did_not_can_be_called_again(client: sondage.Client, box: sondage.Sandbox) -> None:
    error = lost(box, "Ada", cut="afterEffect")
    assert error.write_id and error.reconcile and "`reconcile`" in error.reconcile and "`read_member_list`" in error.reconcile
    became = client.reconcile(write_id=error.write_id)
    (made,) = box.ledger.effects("CreateMembers")
    assert (became.verdict, became.ids, became.attributed, became.missing) == ("happened", made.ids, True, [])
    assert "ada@" not in repr(error) + str(became) + repr(became) + str(error.__dict__)
    error = lost(box, "Bea", status=503)
    assert error.write_id
    early = client.reconcile(write_id=error.write_id, wait=0)
    assert early.verdict == "still_unknown" and early.again_in is not None and 170 < early.again_in <= 180
    assert client.reconcile(write_id=error.write_id, quiet=0).verdict == "did_not_happen"


def test_a_reminder_leaves_nothing_to_find(box: sondage.Sandbox) -> None:
    async def story() -> None:
        async with box.async_client() as client:
            invited = await client.invite_members(
                survey_id=box.survey_id,
                panel_id=box.panel_id,
                message_template_id=box.message_template_id,
                channel="Email",
                member_ids=[500_001],
            )
            assert invited.distributor_id
            box.fault("RemindMembers", cut="afterEffect")
            with pytest.raises(sondage.OutcomeUnknown) as failed:
                await client.remind_members(
                    distributor_id=invited.distributor_id, message_template_id=box.message_template_id
                )
            assert failed.value.write_id
            became = await client.reconcile(write_id=failed.value.write_id)
            assert became.verdict == "still_unknown" and "Nothing in the API lists reminders" in became.evidence

    asyncio.run(story())


def test_what_nobody_can_be_asked_is_said(client: sondage.Client, box: sondage.Sandbox) -> None:
    with pytest.raises(sondage.InvalidArgument, match="knows no write with the id elsewhere"):
        client.reconcile(write_id="elsewhere")
    with pytest.raises(sondage.InvalidArgument, match="`write_id` is empty"):
        client.reconcile(write_id="")
    box.fault("ReadMemberList", cut="afterEffect", times=9)
    with pytest.raises(sondage.NetworkError) as failed:
        client.read_member_list(panel_id=box.panel_id)
    assert failed.value.write_id is None
    error = lost(box, "Cleo", status=503)
    assert error.write_id
    with sondage.Sandbox.demo() as other, pytest.raises(sondage.InvalidArgument, match="this client is of the account"):
        other.client().reconcile(write_id=error.write_id)
    client.close()
    with pytest.raises(sondage.InvalidArgument, match="the client is closed"):
        client.reconcile(write_id=error.write_id)
