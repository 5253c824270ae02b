"""Calls that are recorded, and replayed without a network: blocking and in asyncio."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import sondage


def test_what_was_read_is_read_again_without_a_service(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    with sondage.Sandbox.demo() as box:
        panel, survey = box.panel_id, box.survey_id
        client = box.client(record=file, page_size=50)
        live = list(client.members(panel))
        table = client.interviews(survey, fields=["age", "vote"]).table()
    client = sondage.Client(replay=file, page_size=50)
    members = list(client.members(panel))
    assert [member.id for member in members] == [member.id for member in live]
    assert [member.fields.keys() for member in members] == [member.fields.keys() for member in live]
    assert len({member["Email"] for member in members}) == len({member["Email"] for member in live})
    again = client.interviews(survey, fields=["age", "vote"]).table()
    assert (again.columns, len(again)) == (table.columns, len(table))


def test_asyncio_replays_too(box: sondage.Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    list(box.client(record=file).members(box.panel_id))
    before = len(box.ledger.requests("ReadMemberList"))

    async def replayed() -> int:
        async with sondage.AsyncClient(replay=file) as client:
            return len([member async for member in client.members(box.panel_id)])

    assert asyncio.run(replayed()) == 200
    assert len(box.ledger.requests("ReadMemberList")) == before


def test_a_recording_has_no_secret_and_no_person(box: sondage.Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    client = box.client(record=file)
    live = list(client.members(box.panel_id))
    ada = sondage.NewMember.of(Email="canary@example.com", FirstName="Canary", LastName="Canaryson")
    client.create_members(panel_id=box.panel_id, members=[ada])
    client.read_survey_links(survey_id=box.survey_id)
    text = file.read_text(encoding="utf-8")
    people = [str(member[name]) for member in live for name in ("Email", "FirstName", "LastName") if member[name]]
    assert len(people) >= 400
    assert not [person for person in people if len(person) > 3 and person in text]
    for secret in (box.client_secret, box.tenant, box.base_url, "anary", "Bearer", "access_token", "@example"):
        assert secret not in text, secret
    for line in text.splitlines():
        assert json.loads(line)


def test_a_request_that_was_not_recorded_names_the_nearest(box: sondage.Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    box.client(record=file).read_panel(panel_id=box.panel_id)
    client = sondage.Client(replay=file)
    with pytest.raises(sondage.ConfigurationError) as failed:
        client.read_panel(panel_id=12345)
    assert f"line 2, where panelId is {box.panel_id} and not 12345" in str(failed.value)
    assert (failed.value.operation, failed.value.attempts) == ("ReadPanel", 1)
    with pytest.raises(sondage.ConfigurationError, match="ReadMemberList.*has responses to ReadPanel"):
        list(client.members(box.panel_id))
    assert len(box.ledger.requests("ReadPanel")) == 1


def test_a_file_that_is_no_recording_is_refused_and_left_as_it_is(box: sondage.Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("name,age\nada,41\n")
    with pytest.raises(sondage.ConfigurationError, match="is not a recording"):
        sondage.Client(replay=file)
    with pytest.raises(sondage.ConfigurationError, match="is not a recording"):
        box.client(record=file).read_panel(panel_id=box.panel_id)
    with pytest.raises(sondage.ConfigurationError, match="exclude each other"):
        box.client(record=file, replay=file)
    assert file.read_text() == "name,age\nada,41\n"
    assert not box.ledger.requests("ReadPanel")
