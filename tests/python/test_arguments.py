"""Arguments: each mistake is reported with its position, before anything is sent."""

from __future__ import annotations

import enum
import math
import re
import warnings
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sondage


@pytest.fixture(autouse=True)
def nothing_is_sent(box: sondage.Sandbox, request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "refused" in request.node.name:
        assert not [arrival for arrival in box.ledger.requests() if arrival.operation != "token"]


def member(value: Any) -> dict[str, Any]:
    return {"fields": {"Email": {"name": "Email", "fieldType": "String", "value": value}}}


INVITE: dict[str, Any] = {"survey_id": 1, "panel_id": 1, "message_template_id": 1}


@pytest.mark.parametrize(
    ("method", "arguments", "place"),
    [
        ("read_panel", {"panel_id": "5"}, "panel_id must be an integer, not str"),
        ("read_panel", {"panel_id": 5.0}, "panel_id must be an integer, not float"),
        ("read_panel", {"panel_id": True}, "panel_id must be an integer, not bool"),
        ("read_panel", {"panel_id": None}, "panel_id must be an integer, not None"),
        ("read_panel", {"panel_id": 2**63}, "panel_id does not fit into 64 bits"),
        ("read_panel", {"panel_id": -(2**63) - 1}, "panel_id does not fit into 64 bits"),
        ("read_member_list", {"panel_id": 1, "fields_to_download": "Email"}, "fields_to_download must be a list"),
        ("read_member_list", {"panel_id": 1, "fields_to_download": ["a", 3]}, "fields_to_download[1] must be text"),
        ("read_member_list", {"panel_id": 1, "interviews_required": 1}, "interviews_required must be True or False"),
        ("read_member_list", {"panel_id": 1, "paging": {"pageSize": 5, "page": "1"}}, "paging.page must be"),
        ("read_member_list", {"panel_id": 1, "paging": {"page": 5}}, "paging.pageSize is missing"),
        ("read_member_list", {"panel_id": 1, "paging": 5}, "paging must be a mapping or a model, not int"),
        ("create_members", {"panel_id": 1, "members": {}}, "members must be a list, not dict"),
        ("create_members", {"panel_id": 1, "members": [member("a"), 5]}, "members[1] must be a mapping"),
        ("create_members", {"panel_id": 1, "members": [member(2**63)]}, "members[0].fields.Email.value is not valid: a number of more than 64 bits"),
        ("create_members", {"panel_id": 1, "members": [member(float("nan"))]}, "members[0].fields.Email.value is NaN"),
        ("create_members", {"panel_id": 1, "members": [member("\ud800")]}, "members[0].fields.Email.value holds half"),
        ("create_members", {"panel_id": 1, "members": [member(object())]}, "members[0].fields.Email.value must be"),
        ("create_members", {"panel_id": 1, "members": [member(b"x")]}, "members[0].fields.Email.value must be"),
        ("create_members", {"panel_id": 1, "members": [{"fields": {5: 5}}]}, "members[0].fields has a key"),
        ("invite_members", {**INVITE, "schedule_date_time": "2024-05-01T12:00:00Z"}, "schedule_date_time must be a datet"),
        ("invite_members", {**INVITE, "schedule_date_time": date(2024, 5, 1)}, "schedule_date_time must be a datetime"),
        ("invite_members", {**INVITE, "schedule_date_time": datetime(2024, 5, 1)}, "schedule_date_time must be a datetime"),
        ("invite_members", {**INVITE, "member_ids": [1, "2"]}, "member_ids[1] must be an integer"),
        ("invite_members", {**INVITE, "member_ids": "12"}, "member_ids must be a list, not str"),
        ("invite_members", {**INVITE, "conditions": "Division = 'Sales'"}, "conditions must be a list, not str"),
        ("invite_members", {**INVITE, "member_ids": []}, "`member_ids` is an empty list, which selects nobody"),
        ("invite_members", {**INVITE, "conditions": []}, "`conditions` is an empty list, which selects nobody"),
        ("invite_members", {**INVITE, "conditions": iter(())}, "`conditions` is an empty list, which selects nobody"),
        ("invite_members", {**INVITE, "conditions": np.array([])}, "`conditions` is an empty list, which selects nobody"),
        ("remind_members", {"distributor_id": 1, "message_template_id": 1, "conditions": ()}, "`conditions` is an empty list"),
        ("delete_members", {"panel_id": 1, "panel_members_ids": [], "keep_interviews": True}, "`panel_members_ids` is an empty"),
        ("delete_members", {"panel_id": 1, "panel_members_ids": "12", "keep_interviews": True}, "panel_members_ids must be a list"),
        ("create_members", {"panel_id": 1, "members": []}, "`members` is an empty list: the call would change nothing"),
        ("update_members", {"panel_id": 1, "members": iter([])}, "`members` is an empty list: the call would change nothing"),
        ("write_opt_out_list", {"panel_id": 1, "emails": [], "cell_phones": []}, "`emails` and `cell_phones` are empty lists"),
    ],
)
def test_refused_with_its_place(client: sondage.Client, method: str, arguments: dict[str, Any], place: str) -> None:
    with pytest.raises(sondage.InvalidArgument) as caught:
        getattr(client, method)(**arguments)
    error = caught.value
    assert f": {place}" in str(error), str(error)
    assert isinstance(error, ValueError) and error.operation and error.delivery == "no"


def test_one_text_is_refused_where_a_list_is_wanted(client: sondage.Client, box: sondage.Sandbox) -> None:
    F = sondage.field
    for call in (
        lambda: F("Language").is_in("de"),
        lambda: F("Language").is_not_in("de"),
        lambda: client.members(box.panel_id, fields="Email").table(),
        lambda: list(client.members(box.panel_id, fields="Email")),
        lambda: client.interviews(box.feedback_survey_id, fields="nps").table(),
        lambda: client.plan_update(box.panel_id, [{"Id": 1}], key="Id", fields="Email"),
    ):
        with pytest.raises(sondage.InvalidArgument, match="list"):
            call()


def test_one_text_is_no_list_of_columns(client: sondage.Client, box: sondage.Sandbox) -> None:
    table = client.interviews(box.feedback_survey_id, fields=["nps"]).table()
    with pytest.raises(sondage.InvalidArgument, match="columns must be a list, not str"):
        table.select("nps")


def test_an_empty_filter_is_refused_around_the_arguments(client: sondage.Client, box: sondage.Sandbox) -> None:
    for name in ("memberIds", "conditions"):
        with pytest.raises(sondage.InvalidArgument, match=f"`{name}` is an argument of this call"):
            client.with_options(extra={name: []}).invite_members(**INVITE)


def test_refused_a_naive_time_says_what_to_write(client: sondage.Client) -> None:
    with pytest.raises(sondage.InvalidArgument, match="tzinfo=timezone.utc"):
        client.invite_members(**INVITE, schedule_date_time=datetime(2024, 5, 1, 12))


def test_refused_a_time_of_sending_that_has_passed(client: sondage.Client, box: sondage.Sandbox) -> None:
    box.ledger.clear()
    for call in (
        lambda: client.invite_members(**INVITE, schedule_date_time=datetime(2024, 5, 1, tzinfo=timezone.utc)),
        lambda: client.remind_members(
            distributor_id=1, message_template_id=1, schedule_date_time=datetime(2024, 5, 1, tzinfo=timezone.utc)
        ),
    ):
        with pytest.raises(sondage.InvalidArgument, match="`schedule_date_time` is 2024-05-01T00:00:00.*has passed"):
            call()
    assert box.ledger.requests("InviteMembers") == box.ledger.requests("RemindMembers") == []


def test_refused_an_endless_list(client: sondage.Client) -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(sondage.InvalidArgument, match="nested too deeply"):
        client.create_members(panel_id=1, members=[member(endless)])


def test_refused_a_time_that_is_none(client: sondage.Client) -> None:
    with pytest.raises(sondage.InvalidArgument, match="quiet is not valid: it must be a number of seconds, not -1"):
        client.reconcile(write_id="x", quiet=-1)


def test_refused_a_misspelt_keyword(client: sondage.Client) -> None:
    with pytest.raises(TypeError, match="panelid"):
        client.read_panel(panelid=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        client.create_members(5, [])  # type: ignore[call-arg]


def test_refused_exceptions_of_the_callers_own_objects_come_through(client: sondage.Client) -> None:
    def broken() -> Iterator[dict[str, Any]]:
        yield member("a")
        raise LookupError("my own")

    with pytest.raises(LookupError, match="my own"):
        client.create_members(panel_id=1, members=broken())


class Channel(str, enum.Enum):
    """Enumerations that the caller has defined are text as well."""

    EMAIL = "Email"


def test_what_is_good_arrives(box: sondage.Sandbox, client: sondage.Client) -> None:
    berlin = timezone(timedelta(hours=2))
    some = client.read_member_list(panel_id=np.int64(box.panel_id), paging=sondage.Paging(page_size=5, page=1))
    assert len(some.members) == 5
    client.invite_members(
        survey_id=box.feedback_survey_id,
        panel_id=box.panel_id,
        message_template_id=box.message_template_id,
        channel=Channel.EMAIL,
        member_ids=(one.id for one in some.members),
        schedule_date_time=datetime(2999, 1, 1, 12, tzinfo=berlin),
        text_blocks=[{"name": "0f8fad5b-d9cb-469f-a165-70867728950e", "type": "editarea",
                      "text": (sondage.Translation(language_code="de", text="Hallo"),)}],
    )  # fmt: skip
    (sent,) = client.read_distributor_list(survey_id=box.feedback_survey_id, panel_id=box.panel_id).distributors[-1:]
    assert sent.scheduled_distribution == datetime(2999, 1, 1, 10, tzinfo=timezone.utc)


@pytest.mark.parametrize("value", ["Jürgen Groß", "👩‍🚀 emoji", "", None, "null", "a,b;\"c'\n\t", "\u0000" * 0 + "𝔘𝔫𝔦"])
def test_text_comes_back_as_it_was(box: sondage.Sandbox, client: sondage.Client, value: str | None) -> None:
    new = sondage.NewMember.of(Email=f"{abs(hash(value))}@example.org", FirstName=value)
    (created,) = client.create_members(panel_id=box.panel_id, members=[new]).members_ids
    found = {one.id: one for one in client.members(box.panel_id)}
    assert created is not None and found[created]["FirstName"] == value


def test_who_was_not_created_has_no_id(box: sondage.Sandbox, client: sondage.Client) -> None:
    # The service writes 0 in the place of such a member.
    people = [sondage.NewMember.of(Email=email) for email in ("one@ids.example", "no address", "two@ids.example")]
    first, refused, last = client.create_members(panel_id=box.panel_id, members=people).members_ids
    assert first and refused is None and last


def test_numpy_and_pandas_scalars(box: sondage.Sandbox, client: sondage.Client) -> None:
    new: list[Any] = [sondage.NewMember.of(Email="np@example.org", Gender=np.int64(2)), member(np.str_("np2@example.org"))]
    assert len(client.create_members(panel_id=box.panel_id, members=new).members_ids) == 2
    with pytest.raises(sondage.InvalidArgument, match="value is NaN"):
        client.create_members(panel_id=box.panel_id, members=[member(np.float64("nan"))])


def test_what_is_no_number_is_no_code(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    table = reader.interviews(shared_box.survey_id, fields=["vote"]).table()
    for codes, place in ((math.nan, "codes"), ({"vote": [1, np.nan]}, r"codes\.vote\[1\]")):
        with pytest.raises(sondage.InvalidArgument, match=f"{place} is NaN, which cannot be sent and is the code of no answer: leave it out"):
            table.with_missing(codes)


WRONG: list[Any] = [None, 7, 2**70, -(2**70), 1.5, float("nan"), float("inf"), True, "", "no such", b"x", [], [[1]], [None], {}, {"a": {"b": 1}}, object(), range(5, 1), {1: 2}]


def test_an_option_that_is_true_or_false(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    """A text such as "no" is true for Python, and a number may be a slip: no option takes either, whoever decides on it."""
    table = reader.interviews(shared_box.survey_id, fields=["age", "vote"]).table()
    nowhere = reader.interviews(10**9)  # asking for it is another error
    calls: dict[str, Any] = {
        "nullable": lambda value: table.to_pandas(nullable=value),
        "naive": lambda value: table.in_time_zone("Europe/Zurich", naive=value),
        "browser": lambda value: sondage.login("https://acme.example", browser=value),
        "missing": lambda value: table.frequencies("vote", missing=value),
    }
    for name, call in calls.items():
        for value in ("no", 3, 0, []):
            with pytest.raises(sondage.InvalidArgument, match=rf"{name} must be True or False, not {type(value).__name__}"):
                call(value)
    with pytest.raises(sondage.InvalidArgument, match="nullable must be"):
        nowhere.to_pandas(nullable="no")  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match="labels must be"):
        nowhere.to_polars(labels="no")  # type: ignore[arg-type]
    flags: Any = np.bool_(False), np.bool_(True)
    assert table.to_pandas(nullable=flags[0])["age"].dtype == "float64"
    assert table.in_time_zone("Europe/Zurich", naive=flags[1]).columns == table.columns


def test_no_word_of_rust_reaches_a_caller(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    """Every argument of tables and queries, with values of every other type: accepted, or an error in words of Python."""
    rust = re.compile(r"\b([iu](8|16|32|64|128|size)|f64|string \"|sequence|invalid type|newtype|unit value|boolean `|integer `|expected|Utf8|Some\(|deserializ\w*)\b")
    query = reader.interviews(shared_box.survey_id, fields=["age", "vote"])
    table = query.table()
    calls: dict[str, Any] = {
        "with_missing": table.with_missing,
        "with_missing by name": lambda value: table.with_missing({"vote": value}),
        "with_missing in a list": lambda value: table.with_missing([value]),
        "show": lambda value: table.with_missing(1, show=value),
        "with_labels": table.with_labels,
        "select": table.select,
        "in_time_zone": table.in_time_zone,
        "in_language": table.in_language,
        "values": table.values,
        "label": table.label,
        "part": lambda value: table.label("vote", value),
        "frequencies": table.frequencies,
        "weight": lambda value: table.frequencies("vote", weight=value),
        "missing": lambda value: table.frequencies("vote", missing=value),
        "codebook": lambda value: table.codebook(frequencies=value),
        "spreadsheet": lambda value: table.to_csv(tmp_path / "a.csv", spreadsheet=value),
        "separator": lambda value: table.to_csv(tmp_path / "a.csv", separator=value),
        "decimal": lambda value: table.to_csv(tmp_path / "a.csv", decimal=value),
        "bom": lambda value: table.to_csv(tmp_path / "a.csv", bom=value),
        "shared": lambda value: table.to_csv(tmp_path / "a.csv", shared=value),
        "sav": lambda value: table.to_sav(tmp_path / "a.sav", missing=value),
        "query sav": lambda value: query.to_sav(tmp_path / "b.sav", missing=value),
        "query labels": lambda value: query.to_csv(tmp_path / "b.csv", labels=value),
        "head": query.head,
        "fields": lambda value: reader.interviews(shared_box.survey_id, fields=value).head(1),
        "page_size": lambda value: reader.interviews(shared_box.survey_id, page_size=value).head(1),
        "language": lambda value: reader.interviews(shared_box.survey_id, language=value).head(1),
        "text": lambda value: reader.interviews(shared_box.survey_id, text=value).head(1),
        "not_available": lambda value: reader.interviews(shared_box.survey_id, not_available=value).head(1),
        "concat": sondage.concat,
    }
    said: dict[str, str] = {}
    for name, call in calls.items():
        for value in WRONG:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", sondage.DataWarning)
                    call(value)
            except sondage.SondageError as error:
                if rust.search(str(error)):
                    said[f"{name}({value!r})"] = str(error)
    assert not said
    assert not list(tmp_path.glob("*.part"))
