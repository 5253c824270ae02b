"""The OpenAPI document: the committed one, and the sandbox's own."""

from __future__ import annotations

import json
import re
import urllib.request
from typing import Any

import pytest
import sondage
from conftest import DEADLINE, ROOT
from openapi_spec_validator import OpenAPIV31SpecValidator

COMMITTED: dict[str, Any] = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))


def get(box: sondage.Sandbox, path: str) -> str:
    with urllib.request.urlopen(box.base_url + path, timeout=DEADLINE) as answer:
        text: str = answer.read().decode()
    return text


@pytest.fixture(scope="module")
def served(shared_box: sondage.Sandbox) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(get(shared_box, "/openapi.json"))
    return document


def test_both_are_valid(served: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(COMMITTED).validate()
    OpenAPIV31SpecValidator(served).validate()


def test_every_operation_says_what_it_may_do_and_where_it_is_known_from() -> None:
    operations = [path["post"] for path in COMMITTED["paths"].values()]
    assert len(operations) > 40
    for operation in operations:
        assert operation["x-effect"] in {"read", "idempotent_write", "create", "schema_change", "send", "token"}
        assert re.fullmatch(r"API \d+\.\d+, (specified|published)", operation["x-source"]), operation["operationId"]
        if operation["x-effect"] in {"create", "schema_change", "send"}:
            assert operation["x-reconcile"], operation["operationId"]
    assert "/publicapi/WebHook/v3/CreateWebHook" in COMMITTED["paths"], "the other path of an operation"


def test_what_is_not_closed_is_left_open() -> None:
    words = COMMITTED["components"]["schemas"]["EventType"]["anyOf"]
    assert "InterviewComplete" in words[0]["enum"]
    assert words[1] == {"type": "string"}, "the service may add to it"
    models = COMMITTED["components"]["schemas"]
    assert "additionalProperties" not in models["Member"]
    assert "additionalProperties" not in models["Condition"], "a distributor has some too"
    assert models["ReadPanelRequest"]["additionalProperties"] is False
    assert models["NewMember"]["additionalProperties"] is False, "it is sent and never answered"


def test_the_sandbox_serves_the_same_with_ids_that_lead_somewhere(
    served: dict[str, Any], shared_box: sondage.Sandbox
) -> None:
    assert list(served["paths"]) == list(COMMITTED["paths"])
    assert served["servers"][0]["url"] == shared_box.base_url
    examples = served["components"]["schemas"]["ReadMemberListRequest"]["properties"]["panelId"]["examples"]
    assert shared_box.panel_id in examples
    assert "examples" not in json.dumps(COMMITTED["components"]["schemas"]["ReadMemberListRequest"])


@pytest.mark.parametrize("path", ["/docs", "/docs/panel"])
def test_the_pages_load_nothing(shared_box: sondage.Sandbox, path: str) -> None:
    page = get(shared_box, path)
    assert 'id="ReadMemberList"' in page
    # Commands have the addresses of the sandbox.
    page = page.replace(shared_box.base_url, "").replace(shared_box.auth_url, "")
    for ours in ('<link rel="icon" href="data:,">', '<link rel="stylesheet" href="/console/style.css">'):
        assert ours in page
        page = page.replace(ours, "")
    assert not re.search(r"<script|<link|<img|https?://", page)
