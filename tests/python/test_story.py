"""The life of a survey, using the public API only, with both clients. Only the respondents come from the
sandbox."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import sondage
from conftest import DEADLINE
from sondage import questionnaire as ask


class Waiting:
    """The blocking client with the async client's interface, so that the test is written once."""

    def __init__(self, client: sondage.Client) -> None:
        self._client = client

    def __getattr__(self, operation: str) -> Any:
        async def call(*given: Any, **request: Any) -> Any:
            return getattr(self._client, operation)(*given, **request)

        return call

    async def table(self, survey: int, fields: list[str]) -> sondage.Table:
        return self._client.interviews(survey, fields=fields).table()


class Awaiting(Waiting):
    """The client for asyncio."""

    def __init__(self, client: sondage.AsyncClient) -> None:
        self._async = client

    def __getattr__(self, operation: str) -> Any:
        return getattr(self._async, operation)

    async def table(self, survey: int, fields: list[str]) -> sondage.Table:
        return await self._async.interviews(survey, fields=fields).table()


def fetch(link: str) -> bytes:
    with urllib.request.urlopen(link, timeout=DEADLINE) as answer:
        document: bytes = answer.read()
    return document


async def go(client: Waiting, survey: int, target: str) -> None:
    """Takes the survey through its workflow, if the transitions exist."""
    state = (await client.read_survey(survey_id=survey)).survey_state
    ways = await client.read_workflow_transitions(workflow="SurveyDesign", current_state=state)
    assert target in [way.new_state for way in ways.transitions]
    await client.execute_workflow_transition(workflow="SurveyDesign", survey_id=survey, target_state=target)


async def life(box: sondage.Sandbox, client: Waiting, folder: Path) -> None:
    back = ask.single_choice(
        "back", {"en": "Will you come back?"}, {"1": {"en": "Yes"}, "2": {"en": "No"}}, force_response=True
    )
    definition = ask.questionnaire(["en"], {"Visit": [back, ask.open_question("why", {"en": "Why?"})]})
    made = await client.create_survey(
        workspace_id=box.workspace_id, name="Visitors", survey_definition=definition
    )
    survey = made.survey_id
    await go(client, survey, "Published")

    panel = (await client.create_panel(workspace_id=box.workspace_id, name="Visitors", panel_type="Basic")).id
    people = [sondage.NewMember.of(Email=f"{name}@example.com") for name in ("ada", "alan", "grace")]
    imported = await client.create_members(panel_id=panel, members=people)
    assert (len(imported.members_ids), imported.validation_issues) == (3, [])

    letter = box.message_template_id
    invited = await client.invite_members(
        survey_id=survey, panel_id=panel, message_template_id=letter, channel="Email"
    )
    assert sent(box, "InviteMembers") == 3
    assert box.emit("fill", survey_id=survey, people=1)
    await client.remind_members(distributor_id=invited.distributor_id, message_template_id=letter)
    assert sent(box, "RemindMembers") == 2, "not who has answered"

    table = await client.table(survey, ["Id", "State", "back"])
    rows = list(table)
    assert len(rows) == 3
    (done,) = [row for row in rows if row["State"] == "Completed"]
    assert str(done["back"]) in {"1", "2"}
    document = await client.download_answers(survey_id=survey, interview_id=done["Id"])
    assert fetch(document.download_url).startswith(b"%PDF-")

    archived = await client.archive_answers(survey, folder)
    assert (archived.progress.stored, archived.failed) == (1, [])
    assert (folder / f"{done['Id']}.pdf").read_bytes().startswith(b"%PDF-")

    await go(client, survey, "Closed")
    await client.delete_survey(survey_id=survey)
    await client.delete_panel(panel_id=panel, keep_interviews=True)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetch(document.download_url)
    with pytest.raises(sondage.ApiError) as gone:
        await client.read_survey(survey_id=survey)
    assert gone.value.error_code == "SurveyNotFound"


def sent(box: sondage.Sandbox, operation: str) -> int:
    """The number of messages sent."""
    return sum(effect.count for effect in box.ledger.effects(operation) if effect.kind == "MessagesSent")


def test_the_life_of_a_survey(box: sondage.Sandbox, tmp_path: Path) -> None:
    asyncio.run(life(box, Waiting(box.client()), tmp_path))


def test_the_life_of_a_survey_with_asyncio(box: sondage.Sandbox, tmp_path: Path) -> None:
    async def main() -> None:
        async with box.async_client() as client:
            await life(box, Awaiting(client), tmp_path)

    asyncio.run(main())


def test_a_cut_creates_once_and_deletes_all_the_same(box: sondage.Sandbox, client: sondage.Client) -> None:
    definition = ask.questionnaire(["en"], {"Visit": [ask.nps("nps", {"en": "Would you recommend us?"})]})
    box.fault("CreateSurvey", cut="afterEffect")
    with pytest.raises(sondage.OutcomeUnknown) as error:
        client.create_survey(workspace_id=box.workspace_id, name="Visitors", survey_definition=definition)
    assert "read_survey_list" in str(error.value.reconcile)
    surveys = client.read_survey_list(workspace_id=box.workspace_id).surveys
    (found,) = [survey for survey in surveys if survey.name == "Visitors"]
    box.fault("DeleteSurvey", cut="afterEffect")
    client.delete_survey(survey_id=found.id)
    assert len(box.ledger.requests("DeleteSurvey")) == 2
    assert len(box.ledger.effects("DeleteSurvey")) == 1
