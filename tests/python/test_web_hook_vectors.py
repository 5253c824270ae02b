"""The shared test vectors for webhooks, through the Python binding. The same file is run in every language."""

from __future__ import annotations

import base64
import json
from datetime import datetime
from typing import Any

import pytest
import sondage
from conftest import ROOT
from sondage import webhooks

FILE = json.loads((ROOT / "tests" / "cases" / "web_hook" / "vectors.json").read_text(encoding="utf-8"))
NOW = datetime.fromisoformat(FILE["now"].replace("Z", "+00:00"))
HOOKS = {name: webhooks.Hook.from_dict(settings) for name, settings in FILE["hooks"].items()}
VECTORS = {vector["name"]: vector for vector in FILE["vectors"]}


def read(value: Any) -> bytes:
    """A text, a repeated text, or bytes."""
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    text: str = value.get("before", "") + value["repeat"] * value["times"] + value.get("after", "")
    return text.encode()


def verify(vector: dict[str, Any]) -> webhooks.Event:
    headers = [(name, read(value)) for name, value in vector["headers"]]
    url, body = read(vector["url"]).decode(), read(vector["body"])
    return HOOKS[vector["hook"]].verify(url=url, headers=headers, body=body, now=NOW)


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_vector(vector: dict[str, Any]) -> None:
    if vector["verdict"] == "refused":
        with pytest.raises(webhooks.Refused) as refused:
            verify(vector)
        assert refused.value.reason == vector["reason"]
        return
    event = verify(vector)
    if "event" in vector:
        assert (event.event_type, event.entity.kind) == (vector["event"].get("eventType"), vector["event"]["kind"])
    assert event.key == vector.get("key", event.key)
    assert event.credential_ends_soon == vector.get("ends_soon", event.credential_ends_soon)


@pytest.mark.parametrize("shape", FILE["shapes"], ids=lambda shape: shape["name"])
def test_headers_of_every_shape(shape: dict[str, Any]) -> None:
    def verify() -> webhooks.Event:
        return HOOKS["basic"].verify(url="/hooks", headers=shape["headers"], body=b"{}", now=NOW)

    if shape.get("verdict") == "accepted":
        assert verify().entity.kind == "unknown"
        return
    with pytest.raises(webhooks.Refused if "reason" in shape else sondage.InvalidArgument, match=shape.get("reason", "^headers must be")):
        verify()


def test_there_are_vectors() -> None:
    assert len(VECTORS) >= 250


@pytest.mark.parametrize("vector", [vector for vector in VECTORS.values() if "after" in vector], ids=lambda v: v["name"])
def test_what_came_before_is_known(vector: dict[str, Any]) -> None:
    guard = webhooks.Guard()
    with guard.claim(verify(VECTORS[vector["after"]])) as first:
        assert first.is_new
    assert guard.claim(verify(vector)).state == vector["claim"]


@pytest.mark.parametrize("made", FILE["made"], ids=lambda made: f"{made['hook']} {made['base'][:60]}")
def test_what_is_made(made: dict[str, Any]) -> None:
    hook = HOOKS[made["hook"]]
    if "error" in made:
        with pytest.raises(sondage.InvalidArgument):
            hook.url(made["base"])
        return
    assert hook.url(made["base"]) == made["url"]
    assert hook.security_token == made["securityToken"]
    token = hook.security_token
    headers = {"Authorization": token} if token else {}
    assert hook.verify(url=made["url"], headers=headers, body=b"{}", now=NOW).entity.kind == "unknown"
    assert webhooks.Hook.from_dict(hook.to_dict()) == hook


@pytest.mark.parametrize("settings", FILE["impossible"], ids=lambda settings: json.dumps(settings)[:60])
def test_what_is_unsafe_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(sondage.InvalidArgument):
        webhooks.Hook.from_dict(settings)
