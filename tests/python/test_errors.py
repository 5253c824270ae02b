"""Errors: one exception class for each action that a caller can take, with every available detail."""

from __future__ import annotations

import pickle
from datetime import timedelta
from typing import Any

import pytest
import sondage
from sondage import _errors


def new() -> list[sondage.NewMember]:
    return [sondage.NewMember.of(Email="ada@example.org")]


def test_every_kind_is_a_sondage_error() -> None:
    assert len(_errors.BY_KIND) == 12
    for kind, error in _errors.BY_KIND.items():
        assert issubclass(error, sondage.SondageError) and error.kind == kind and error.__doc__


def test_the_services_own_words(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", refuse=("PanelNotFound", "There is no such panel"))
    with pytest.raises(sondage.ApiError, match="There is no such panel") as caught:
        client.read_panel(panel_id=5)
    error = caught.value
    assert (error.error_code, error.error_message, error.status) == ("PanelNotFound", "There is no such panel", 200)
    assert (error.operation, error.attempts, error.delivery) == ("ReadPanel", 1, "answered")


def test_errors_can_be_pickled(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", refuse=("PanelNotFound", "There is no such panel"))
    with pytest.raises(sondage.ApiError) as caught:
        client.read_panel(panel_id=5)
    twin = pickle.loads(pickle.dumps(caught.value))
    assert type(twin) is sondage.ApiError and str(twin) == str(caught.value) and vars(twin) == vars(caught.value)


@pytest.mark.parametrize("action", ["html", "text", "garbageBody", "truncatedJson", "noEnvelope", "brokenGzip"])
def test_an_answer_that_is_none(box: sondage.Sandbox, client: sondage.Client, action: Any) -> None:
    fault = box.fault("ReadPanel", action, times=None)
    with pytest.raises(sondage.UnexpectedResponse) as caught:
        client.read_panel(panel_id=box.panel_id)
    assert caught.value.operation == "ReadPanel" and fault.hits >= 1
    fault.remove()
    assert client.read_panel(panel_id=box.panel_id).panel, "the next call works"


def test_a_gzip_bomb_does_not_explode(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", "gzipBomb", times=None)
    with pytest.raises(sondage.SondageError, match="ceiling|ratio|larger"):
        client.read_panel(panel_id=box.panel_id)


@pytest.mark.parametrize(("cut", "effects"), [("afterEffect", 1), ("midAnswer", 1)])
def test_a_cut_create_is_not_repeated(box: sondage.Sandbox, client: sondage.Client, cut: Any, effects: int) -> None:
    box.fault("CreateMembers", cut=cut)
    with pytest.raises(sondage.OutcomeUnknown) as caught:
        client.create_members(panel_id=box.panel_id, members=new())
    error = caught.value
    assert error.delivery == "unknown" and not error.safe_to_retry and error.reconcile and error.attempts == 1
    assert error.reconcile in str(error)
    assert len(box.ledger.effects("CreateMembers")) == effects
    assert len(box.ledger.requests("CreateMembers")) == 1


def test_a_cut_read_is_repeated(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", cut="midAnswer")
    answer = client.with_response(client.read_panel, panel_id=box.panel_id)
    assert answer.value.panel and answer.attempts == 2


def test_too_many_calls(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("InviteMembers", status=429, headers={"Retry-After": "7"})
    with pytest.raises(sondage.RateLimited) as caught:
        client.invite_members(survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=1)
    assert caught.value.retry_after == 7.0 and not box.ledger.effects("InviteMembers")


def test_a_deadline(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", delay=5, times=None)
    with pytest.raises(sondage.NetworkError):
        client.with_options(deadline=0.3).read_panel(panel_id=box.panel_id)
    with pytest.raises(TimeoutError, match="Nothing was changed") as caught:
        client.with_options(deadline=timedelta(milliseconds=300)).read_panel(panel_id=box.panel_id)
    error = caught.value
    assert type(error) is sondage.NetworkTimeout and error.timed_out and error.kind == "Network"
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error) and str(twin) == str(error) and vars(twin) == vars(error)


def test_what_is_no_timeout(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", reset=True, cut="beforeRequest", times=None)
    with pytest.raises(sondage.NetworkError) as caught:
        client.read_panel(panel_id=box.panel_id)
    assert type(caught.value) is sondage.NetworkError and not caught.value.timed_out
    # Whoever catches a timeout calls again: an unknown outcome must not be caught with it.
    assert not issubclass(sondage.OutcomeUnknown, TimeoutError)


def test_errors_are_shown_by_their_public_names(client: sondage.Client) -> None:
    for error in (*_errors.BY_KIND.values(), sondage.NetworkTimeout, sondage.SondageError):
        assert error.__module__ == "sondage" and getattr(sondage, error.__name__) is error
    with pytest.raises(TypeError, match=r"^Client\.read_panel\(\) got an unexpected keyword argument 'panelid'"):
        client.read_panel(panelid=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^there is no setting `secret`\. Nothing was changed\. Did you mean `client_secret`\?$"):
        sondage.Client(secret="x")  # type: ignore[call-arg]


def test_without_the_right(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("CreateMembers", status=403)
    with pytest.raises(sondage.PermissionDenied, match="client credentials"):
        client.create_members(panel_id=box.panel_id, members=new())


def test_no_raw_call_passes_a_client_that_only_reads(box: sondage.Sandbox) -> None:
    before = len(box.ledger.requests("CreateMembers"))
    with box.client(read_only=True) as client, box.client() as other:
        for path in ("/publicapi/Panel/v3/CreateMembers", "/publicapi/x/../Panel//v3/./createmembers/", "/publicapi/Panel/v3/NewThing"):
            with pytest.raises(sondage.ConfigurationError, match="The setting `read_only` forbids it"):
                client.raw(path, {"panelId": box.panel_id, "members": []}, effect="read")
        with pytest.raises(sondage.InvalidArgument, match="the effect of `CreateMembers` is `create`, not `read`"):
            other.raw("/publicapi/Panel/v3/CreateMembers", {}, effect="read")
    assert len(box.ledger.requests("CreateMembers")) == before


def test_a_closed_client(client: sondage.Client) -> None:
    with client as same:
        assert same is client
    with pytest.raises(sondage.InvalidArgument, match="closed"):
        client.read_panel(panel_id=5)
