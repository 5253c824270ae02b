"""`sondage mcp` with the official client of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sondage
from mcp import Client, MCPError, StdioServerParameters

PROGRAM = Path(sys.executable).with_name("sondage.exe" if os.name == "nt" else "sondage")


@pytest.fixture
def own() -> Iterator[sondage.Sandbox]:
    """A sandbox of the test's own: what is sent is counted."""
    with sondage.Sandbox.demo() as box:
        yield box


@asynccontextmanager
async def assistant(box: sondage.Sandbox, *options: str, mode: str = "auto") -> AsyncIterator[Client]:
    settings = {"BASE_URL": box.base_url, "AUTH_URL": box.auth_url, "TENANT": box.tenant, "CLIENT_SECRET": box.client_secret}
    environment = os.environ | {f"SONDAGE_{name}": value for name, value in settings.items()}
    async with Client(StdioServerParameters(command=str(PROGRAM), args=["mcp", *options], env=environment), mode=mode) as client:
        yield client


def content(result: Any) -> Any:
    """The result of a tool; its text has the same content for clients without structured output."""
    fields = result.model_dump(by_alias=True)
    said, structure = fields["content"][0]["text"], fields["structuredContent"]
    assert structure is None or json.loads(said) == structure
    return said if structure is None else structure


async def read(session: Client, operation: str, arguments: dict[str, Any]) -> Any:
    return await session.call_tool("call", {"operation": operation, "arguments": arguments})


def is_error(result: Any) -> bool:
    return bool(result.model_dump(by_alias=True)["isError"])


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_an_assistant_reads_and_cannot_write(own: sondage.Sandbox, mode: str, version: str) -> None:
    async def main() -> None:
        async with assistant(own, mode=mode) as session:
            assert session.protocol_version == version
            tools = (await session.list_tools()).tools
            hints = {tool.name: tool.model_dump(by_alias=True)["annotations"] for tool in tools}
            assert len(tools) == 6 and all(hint["readOnlyHint"] is True for hint in hints.values())
            answer = content(await read(session, "ReadPanel", {"panelId": own.panel_id}))
            assert answer["data"]["panel"]["groups"]
            page = {"panelId": own.panel_id, "paging": {"page": 1, "pageSize": 3}}
            members = content(await read(session, "ReadMemberList", page))["data"]["members"]
            assert [member["fields"] for member in members] == [{}] * 3
            wrong = await read(session, "ReadPanel", {"panelId": 77})
            assert is_error(wrong) and "PanelNotFound" in content(wrong)["error"]
            assert "There is no panel" not in content(wrong)["error"], "the service's words may name a person"
            votes = {"survey_id": own.survey_id, "question": "vote"}
            results = content(await session.call_tool("survey_results", votes))
            assert {answer["label"]: answer["n"] for answer in results["answers"]} == {"Clinton": 551, "Dole": 393}
            refused = await session.call_tool("DeletePanel", {"panelId": own.panel_id})
            assert is_error(refused)
            with pytest.raises(MCPError, match="There is no such tool"):
                await session.call_tool("NoSuchTool", {})

    asyncio.run(main())
    assert own.ledger.effects() == []


def test_two_confirmations_at_once_have_one_effect(own: sondage.Sandbox) -> None:
    invitation = {"surveyId": own.survey_id, "panelId": own.panel_id, "messageTemplateId": own.message_template_id}

    async def main() -> list[Any]:
        async with assistant(own, "--allow", "InviteMembers") as session:
            wanted = {"operation": "InviteMembers", "arguments": invitation}
            plan = content(await session.call_tool("plan", wanted))
            assert plan["effect"] == "send" and own.ledger.effects() == []
            confirm = [session.call_tool("confirm", {"token": plan["token"]}) for _ in range(3)]
            return [content(result) for result in await asyncio.gather(*confirm)]

    reports = asyncio.run(main())
    assert reports[0] == reports[1] == reports[2]
    (sent,) = [effect.count for effect in own.ledger.effects() if effect.kind == "MessagesSent"]
    assert reports[0]["done"] == sent > 0
    assert len(own.ledger.requests("InviteMembers")) == 1
