"""Other features of clients: options, raw calls, full responses, logging."""

from __future__ import annotations

import logging

import pytest
import sondage


def test_a_whole_answer(box: sondage.Sandbox, client: sondage.Client) -> None:
    answer = client.with_response(client.read_panel, panel_id=box.panel_id)
    assert answer.value == client.read_panel(panel_id=box.panel_id)
    assert (answer.status, answer.attempts) == (200, 1)
    assert answer.headers["content-type"].startswith("application/json") and '"isSuccess":true' in answer.text
    with pytest.raises(TypeError, match="method of a client"):
        client.with_response(len, "text")


def test_a_raw_call(box: sondage.Sandbox, client: sondage.Client) -> None:
    body = {"panelId": box.panel_id, "tenant": box.tenant}
    answer = client.with_response(client.raw, "/publicapi/Panel/v3/ReadPanel", body, effect="read")
    assert answer.value["isSuccess"] is True and answer.status == 200
    with pytest.raises(sondage.UnexpectedResponse, match="no such operation"):
        client.raw("/publicapi/Panel/v3/NoSuchCall", {}, effect="read")
    with pytest.raises(sondage.InvalidArgument, match="effect must be"):
        client.raw("/publicapi/Panel/v3/ReadPanel", body, effect="maybe")  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match="absolute path"):
        client.raw("https://elsewhere.example/", body, effect="read")


def test_a_raw_write_is_not_repeated(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("CreateMembers", cut="midAnswer", times=None)
    field = {"name": "FirstName", "fieldType": "String", "value": "Ada"}
    body = {"tenant": box.tenant, "panelId": box.panel_id, "members": [{"fields": {"FirstName": field}}]}
    with pytest.raises(sondage.OutcomeUnknown):
        client.raw("/publicapi/Panel/v3/CreateMembers", body, effect="create")
    assert len(box.ledger.requests("CreateMembers")) == 1


def test_extra_fields(box: sondage.Sandbox, client: sondage.Client) -> None:
    with pytest.raises(sondage.ApiError, match="colour"):  # the sandbox is strict: its refusal shows that it was sent
        client.with_options(extra={"colour": {"red": [1, None]}}).read_panel(panel_id=box.panel_id)
    with pytest.raises(sondage.InvalidArgument, match="panelId"):
        client.with_options(extra={"panelId": 5}).read_panel(panel_id=box.panel_id)
    with pytest.raises(sondage.InvalidArgument, match="extra.colour is NaN"):
        client.with_options(extra={"colour": float("nan")})
    with pytest.raises(sondage.InvalidArgument, match="deadline"):
        client.with_options(deadline=0)
    assert client.read_panel(panel_id=box.panel_id).panel, "the client itself is unchanged"


def test_options_of_calls(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", status=503, times=None)
    with pytest.raises(sondage.NetworkError) as failed:
        client.with_options(attempts=1).read_panel(panel_id=box.panel_id)
    assert failed.value.attempts == 1 == len(box.ledger.requests("ReadPanel"))
    for wrong, named in (
        ({"headers": {"Authorization": "Bearer of-another"}}, "the header `authorization` cannot be set"),
        ({"attempts": 0}, "`attempts` must be from 1 to 20"),
        ({"timeout": 0}, "timeout must be a positive number of seconds"),
    ):
        with pytest.raises(sondage.InvalidArgument, match=named) as refused:
            client.with_options(**wrong)  # type: ignore[arg-type]
        assert "of-another" not in str(refused.value)
    team = client.with_options(timeout=60, headers={"X-Team": "panel"})
    assert list(team.members(box.panel_id)), "lists have them too"


def test_the_log(box: sondage.Sandbox, client: sondage.Client, caplog: pytest.LogCaptureFixture) -> None:
    client.read_panel(panel_id=box.panel_id)
    caplog.set_level(logging.DEBUG, "sondage")
    box.fault("ReadPanel", status=503)
    client.read_panel(panel_id=box.panel_id)
    records = [record for record in caplog.records if record.name.startswith("sondage")]
    assert any("ReadPanel" in record.getMessage() for record in records)
    assert not any(box.client_secret in record.getMessage() for record in records)


def test_a_client_that_is_only_made_sends_nothing(box: sondage.Sandbox) -> None:
    settings = {"base_url": box.base_url, "auth_url": box.auth_url, "tenant": box.tenant, "client_secret": box.client_secret}
    client = sondage.Client(**settings)
    assert (box.ledger.requests(), box.ledger.token_requests()) == ([], [])
    client.read_workspace_list()
    assert len(box.ledger.requests("ReadWorkspaceList")) == len(box.ledger.token_requests()) == 1
