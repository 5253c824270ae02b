"""Models: their operations, and that nothing in a response is lost."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from datetime import datetime, timezone
from decimal import Decimal

import pytest
import sondage

NOON = datetime(2024, 5, 1, 12, 30, tzinfo=timezone.utc)


def member(**changes: object) -> sondage.Member:
    email = sondage.MemberField(name="Email", field_type="String", value="ada@example.org")
    known: dict[str, object] = {"id": 2**60, "fields": {"Email": email}, "created_at": NOON, **changes}
    return sondage.Member(**known)  # type: ignore[arg-type]


def test_attributes_and_fields() -> None:
    ada = member()
    assert (ada.id, ada["Email"], ada.created_at, ada.updated_by) == (2**60, "ada@example.org", NOON, None)
    assert "Email" in ada and "Age" not in ada and ada.get("Age", 36) == 36
    with pytest.raises(KeyError):
        ada["Age"]


def test_models_cannot_be_changed() -> None:
    ada = member()
    with pytest.raises(AttributeError, match="cannot be changed"):
        ada.id = 5  # type: ignore[misc]
    with pytest.raises(AttributeError):
        ada.colour = "red"  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        del ada.id


def test_equality_and_hash() -> None:
    assert member() == member() and member() != member(id=5) and member() != member(extra={"new": 1})
    text = sondage.Translation(language_code="de", text="Hallo")
    assert len({text, sondage.Translation(language_code="de", text="Hallo")}) == 1
    assert len({member(), member(), member(id=5), member(extra={"new": [1, {}]}), member(extra={"new": [1, {}]})}) == 3


def test_a_changed_copy_and_json() -> None:
    ada = member(extra={"new": 1})
    other = ada.replace(id=7, fields={})
    assert (other.id, other.fields, other.created_at, other.extra) == (7, {}, ada.created_at, {"new": 1})
    assert other.replace(id=ada.id, fields=ada.fields) == ada and ada.id != 7
    with pytest.raises(TypeError, match="colour"):
        ada.replace(colour="red")
    assert json.loads(ada.to_json()) == ada.to_dict() and sondage.Member.from_dict(json.loads(ada.to_json())) == ada
    digits = sondage.MemberField(name="Score", field_type="Real", value=Decimal("0.1000000000000000055"))
    assert '"0.1000000000000000055"' in digits.to_json()


def test_attributes_are_documented_at_run_time() -> None:
    assert inspect.getdoc(sondage.Member.id) == "Assigned by the service."
    assert inspect.getdoc(sondage.webhooks.Survey.workspace_id) == "Its workspace, if known."
    for name in sondage._models.HOME:
        model = getattr(sondage, name)
        assert all(inspect.getdoc(getattr(model, attribute)) for attribute in model.__match_args__), name


def test_repr_can_be_read_back() -> None:
    text = sondage.Translation(language_code="de", text="Hallo")
    assert repr(text) == "Translation(language_code='de', text='Hallo')"
    assert eval(repr(text), {"Translation": sondage.Translation}) == text


def test_secrets_are_not_shown() -> None:
    answer = sondage.GetApiTokenResponse(access_token="very secret")
    assert "very secret" not in repr(answer) and answer.access_token == "very secret"
    document = sondage.DownloadAnswersResponse(download_url="https://example.com/very/secret")
    assert "very/secret" not in repr(document) and str(document.download_url).endswith("very/secret")


def test_a_long_list_is_shown_short() -> None:
    answer = sondage.ReadMemberListResponse(members=[member(id=n) for n in range(10_000)])
    assert len(repr(answer)) < 2000 and "9,997 more" in repr(answer)


@pytest.mark.parametrize("through", [lambda m: pickle.loads(pickle.dumps(m)), copy.copy, copy.deepcopy])
def test_copies_are_equal(through: object) -> None:
    ada = member(extra={"shoeSize": 38})
    twin = through(ada)  # type: ignore[operator]
    assert twin == ada and twin.extra == {"shoeSize": 38} and type(twin) is sondage.Member


def test_the_apis_own_form() -> None:
    ada = member(extra={"shoeSize": 38})
    data = ada.to_dict()
    assert data["createdAt"] == "2024-05-01T12:30:00Z" and data["shoeSize"] == 38
    assert data["fields"]["Email"] == {"name": "Email", "fieldType": "String", "value": "ada@example.org"}
    assert sondage.Member.from_dict(json.loads(json.dumps(data))) == ada


def test_what_is_absent_is_absent() -> None:
    assert sondage.Paging(page_size=5, page=1).to_dict() == {"pageSize": 5, "page": 1}
    empty = sondage.MemberField(name="Age", field_type="Number", value=None)
    assert empty.to_dict() == {"name": "Age", "fieldType": "Number", "value": None}


def test_null_in_an_answer_is_empty_or_none() -> None:
    ada = sondage.Member.from_dict({"id": 1, "createdAt": "2024-05-01T12:30:00", "interviews": None, "updatedBy": None})
    assert (ada.interviews, ada.fields, ada.updated_by) == ([], {}, None)
    assert ada.created_at == NOON, "a time without an offset is UTC (API 13.2)"


def test_a_required_field_is_required() -> None:
    with pytest.raises(TypeError, match="created_at"):
        sondage.Member(id=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="colour"):
        sondage.Paging(page_size=1, page=1, colour="red")  # type: ignore[call-arg]


def test_match() -> None:
    match sondage.Translation(language_code="de", text="Hallo"):
        case sondage.Translation("de", text):
            assert text == "Hallo"
        case _:
            raise AssertionError


def test_new_member_in_short() -> None:
    new = sondage.NewMember.of(Email="ada@example.org", Age=36, Vip=True, Note=None)
    kinds = {name: field.field_type for name, field in new.fields.items()}
    assert kinds == {"Email": "String", "Age": "Number", "Vip": "String", "Note": "String"}


def test_unknown_fields_and_words_are_kept(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadPanel", "unknownFields")
    box.fault("ReadMemberList", "unknownEnums")
    panel = client.read_panel(panel_id=box.panel_id)
    assert panel.extra and panel.panel is not None and panel.panel.extra
    members = client.read_member_list(panel_id=box.panel_id, fields_to_download=["Email"]).members
    kinds = {field.field_type for one in members for field in one.fields.values()}
    assert kinds and kinds.isdisjoint({"String", "Number"}), kinds


def test_no_digit_is_lost(box: sondage.Sandbox, client: sondage.Client) -> None:
    body = """{"isSuccess": true, "totalCount": 9223372036854775807, "big": 123456789012345678901234567890,
        "fine": 3.14159265358979323846264338, "plain": 0.1, "members": []}"""
    box.fault("ReadMemberList", body=body)
    answer = client.read_member_list(panel_id=box.panel_id)
    assert answer.total_count == 2**63 - 1
    assert answer.extra["big"] == 123456789012345678901234567890
    assert answer.extra["fine"] == Decimal("3.14159265358979323846264338")
    assert answer.extra["plain"] == 0.1 and isinstance(answer.extra["plain"], float)
