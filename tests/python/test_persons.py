"""The data held about a person: exported, and erased with a receipt."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import sondage

EMAIL = "Marker.Personne@example.com"


def person(box: sondage.Sandbox, client: sondage.Client) -> dict[str, Any]:
    made = client.create_members(
        panel_id=box.panel_id, members=[sondage.NewMember.of(Email=EMAIL, FirstName="Zebulonia")]
    )
    assert not made.validation_issues
    return {"panel_ids": [box.panel_id], "key": "Email", "value": EMAIL}


def test_what_is_held_is_exported_and_erased(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    who = person(box, client)
    plan = client.plan_export_person(**who)
    assert plan.calls > 3 and [member.panel_id for member in plan.members] == [box.panel_id]
    export = client.export_person(**who, folder=tmp_path / "ada")
    assert {"members", "interviews", "opt_outs"} <= {source.name for source in export.sources if source.outcome == "read"}
    assert sorted(export.files) == ["manifest.json", "person.json"] and export.json is None
    assert json.loads((tmp_path / "ada" / "person.json").read_text())["members"][0]["member"]["fields"]["Email"]["value"] == EMAIL
    with pytest.raises(sondage.InvalidArgument, match="other files"):
        client.export_person(**who, folder=tmp_path)

    choices = {**who, "keep_interviews": False, "files": [str(tmp_path / "ada")]}
    erasure = client.plan_erase_person(**choices)
    assert [step.what for step in erasure.steps if step.outcome == "planned"] == ["file", "member"]
    with pytest.raises(sondage.InvalidArgument, match="does not confirm"):
        client.erase_person(tmp_path / "receipt.json", **choices, confirm="yes")
    receipt = client.erase_person(tmp_path / "receipt.json", **choices, confirm=erasure.token)
    assert (receipt.erased, receipt.ended is not None) == (2, True)
    assert client.erase_person(tmp_path / "receipt.json", **choices, confirm=erasure.token) == receipt
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or EMAIL.lower() not in path.read_text().lower(), path
    with pytest.raises(sondage.InvalidArgument, match="no member of the panels"):
        client.plan_export_person(**who)


def test_who_is_almost_the_same_is_somebody_else(client: sondage.Client, box: sondage.Sandbox) -> None:
    who = person(box, client)
    with pytest.raises(sondage.InvalidArgument, match="differs only by case"):
        client.plan_erase_person(**{**who, "value": EMAIL.lower()}, keep_interviews=True)
    with pytest.raises(sondage.InvalidArgument, match="members of the panel"):
        client.plan_export_person(panel_ids=[box.panel_id], key="Language", value="de")


def test_for_asyncio(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    who = person(box, client)

    async def work() -> None:
        async with box.async_client() as other:
            export = await other.export_person(**who)
            assert EMAIL in str(export.json) and export.files == []
            plan = await other.plan_erase_person(**who, keep_interviews=True)
            box.fault("DeleteMembers", cut="afterEffect", times=None)
            with pytest.raises(sondage.SondageError, match="goes on from there"):
                await other.erase_person(tmp_path / "receipt.json", **who, keep_interviews=True, confirm=plan.token)

    asyncio.run(work())
    assert EMAIL not in (tmp_path / "receipt.json").read_text()
