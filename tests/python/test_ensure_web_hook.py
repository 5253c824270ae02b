"""A webhook registration that is ensured: created, changed, or left unchanged."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sondage
from sondage import webhooks

ADDRESS = "https://acme.example/hooks"
PASSWORD = "a password that is in no file"


def made(box: sondage.Sandbox) -> int:
    return len([effect for effect in box.ledger.effects("CreateWebHook") if effect.kind == "WebHookCreated"])


def asked(folder: Path) -> dict[str, Any]:
    return {"address": ADDRESS, "event_type": "InterviewComplete", "state": folder / "webhook.json"}


def test_the_same_line_makes_one_webhook(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    hook = webhooks.basic("survalyzer", PASSWORD)
    state = tmp_path / "webhook.json"
    done = client.ensure_web_hook(hook, address=ADDRESS, event_type="InterviewComplete", state=state)
    assert (done.outcome, done.entity_identifier, done.ends, done.others) == ("created", "*", None, [])
    again = client.ensure_web_hook(hook, **asked(tmp_path))
    assert (again.outcome, again.web_hook_id, made(box)) == ("unchanged", done.web_hook_id, 1)
    other = client.ensure_web_hook(webhooks.basic("survalyzer", "another one"), **asked(tmp_path))
    assert (other.outcome, other.web_hook_id, made(box)) == ("updated", done.web_hook_id, 1)
    assert PASSWORD not in (tmp_path / "webhook.json").read_text() and ADDRESS not in (tmp_path / "webhook.json").read_text()


def test_one_that_is_there_is_shown_and_not_taken_over(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    hook = webhooks.bearer("worthless-key-for-tests-of-webhooks-0123456789", "acme", days=90)
    theirs = client.create_web_hook(**hook.registration(ADDRESS, "InterviewComplete")).web_hook_id
    assert theirs
    with pytest.raises(sondage.InvalidArgument, match=theirs):
        client.ensure_web_hook(hook, **asked(tmp_path))
    taken = client.ensure_web_hook(hook, web_hook_id=theirs, **asked(tmp_path))
    assert (taken.outcome, taken.ends, made(box)) == ("updated", hook.ends, 1)
    (tmp_path / "webhook.json").write_text("{")
    with pytest.raises(sondage.InvalidArgument, match="damaged"):
        client.ensure_web_hook(hook, **asked(tmp_path))


def test_an_answer_that_is_lost_makes_no_second_one(box: sondage.Sandbox, tmp_path: Path) -> None:
    async def work() -> None:
        async with box.async_client() as client:
            box.fault("CreateWebHook", cut="afterEffect")
            with pytest.raises(sondage.OutcomeUnknown, match="Run the same again"):
                await client.ensure_web_hook(webhooks.basic("survalyzer", PASSWORD), **asked(tmp_path))
            found = await client.ensure_web_hook(webhooks.basic("survalyzer", PASSWORD), **asked(tmp_path))
            assert found.outcome == "created" and "an earlier run" in found.reason

    asyncio.run(work())
    assert made(box) == 1
