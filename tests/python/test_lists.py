"""Lists are complete or an error, however long they are."""

from __future__ import annotations

import pytest
import sondage

F = sondage.field


@pytest.mark.parametrize("count", [0, 1, 10_000, 10_001, 100_000])
def test_members_in_any_number(count: int) -> None:
    with sondage.Sandbox(extra_members=max(count - 200, 0)) as box:
        client = box.client(page_size=10_000)
        where = F.column("Id") > 2**62 if count == 0 else None
        if count == 1:
            first = client.read_member_list(panel_id=box.panel_id, paging=sondage.Paging(page_size=1, page=1)).members[0]
            where = F.column("Id") == first.id
        members = list(client.members(box.panel_id, where=where))
        assert len(members) == count == len({one.id for one in members})
        assert len(client.members(box.panel_id, where=where).table()) == count


def test_only_some_fields(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    for one in reader.members(shared_box.panel_id, fields=["Email"]):
        assert list(one.fields) == ["Email"]


def test_a_wrong_count_is_no_loop_bound(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadMemberList", total_count=0, times=None)
    assert len(list(client.members(box.panel_id, page_size=50))) == 200


def test_a_count_that_promises_more_is_an_error(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadMemberList", total_count=250, times=None)
    with pytest.raises(sondage.Incomplete):
        list(client.members(box.panel_id, page_size=50))
    assert len(list(client.members(box.panel_id, page_size=50, verify_total=False))) == 200


def test_a_page_that_repeats(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.fault("ReadMemberList", "repeatPage", skip=1)
    members = list(client.members(box.panel_id, page_size=50))
    assert len(members) == 200 == len({one.id for one in members})
    box.fault("ReadMemberList", "repeatPage", skip=1, times=None)
    with pytest.raises(sondage.Incomplete):
        list(client.members(box.panel_id, page_size=50))


@pytest.mark.parametrize("first_page", [0, 1])
def test_whatever_the_first_page_is_called(first_page: int) -> None:
    with sondage.Sandbox(profile={"firstPage": first_page}) as box:
        assert len(list(box.client(first_page=first_page).members(box.panel_id, page_size=30))) == 200


def test_ids_above_2_53() -> None:
    with sondage.Sandbox(first_member_id=2**53 + 1) as box:
        client = box.client()
        ids = [one.id for one in client.members(box.panel_id)]
        assert min(ids) > 2**53 and len(set(ids)) == 200 and any(number % 2 for number in ids)
        (created,) = client.create_members(panel_id=box.panel_id, members=[sondage.NewMember.of(Email="a@b.example")]).members_ids
        assert created is not None and created > max(ids)


def test_pages_of_any_operation(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    surveys = list(reader.pages(reader.read_survey_list, workspace_id=shared_box.workspace_id))
    assert shared_box.survey_id in [survey.id for survey in surveys]
    with pytest.raises(sondage.InvalidArgument, match="does not read a list"):
        next(reader.pages(reader.read_panel, panel_id=5))  # type: ignore[arg-type]


def test_filters(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    everybody = list(reader.members(shared_box.panel_id))
    wanted = (F("Division") == "Sales") & (F("Language").is_in(["de", "fr"]) | F("Gender").is_empty())
    found = list(reader.members(shared_box.panel_id, where=wanted))
    expected = [
        one.id
        for one in everybody
        if one["Division"] == "Sales" and (one["Language"] in ("de", "fr") or one["Gender"] is None)
    ]
    assert [one.id for one in found] == expected and expected
    by_hand = reader.read_member_list(panel_id=shared_box.panel_id, conditions=wanted).members
    assert [one.id for one in by_hand] == expected
    narrower = reader.members(shared_box.panel_id).where(F("Division") == "Sales").where(~(F("Language") == "de"))
    assert all(one["Division"] == "Sales" and one["Language"] != "de" for one in narrower)


def test_a_comma_in_a_list_is_refused() -> None:
    with pytest.raises(sondage.InvalidArgument, match="comma"):
        F("Division").is_in(["Sales, Europe", "Support"]).compile()


def test_a_naive_time_in_a_filter_is_refused() -> None:
    from datetime import date, datetime, timezone

    with pytest.raises(sondage.InvalidArgument, match="time zone"):
        (F.column("UpdatedAt") > datetime(2024, 5, 1)).compile()
    (day,) = (F("Born") >= date(2000, 1, 31)).compile()
    (then,) = (F.column("UpdatedAt") > datetime(2024, 5, 1, 12, tzinfo=timezone.utc)).compile()
    assert (day.value, then.value) == ("2000-01-31", "2024-05-01 12:00:00.000")


def test_and_or_not_are_refused() -> None:
    with pytest.raises(TypeError, match="joined with &"):
        assert (F("Division") == "Sales") and (F("Language") == "de")
    with pytest.raises(TypeError, match=r"field\.is_in\(values\)"):
        assert F("Language") in ["de"]


def test_filters_that_are_written_otherwise_name_the_right_form(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    interviews = reader.interviews(shared_box.feedback_survey_id)
    for name, place in {"nps": r"`field\.question\(\"nps\"\)`", "State": r"`field\.column\(\"State\"\)`"}.items():
        with pytest.raises(sondage.ApiError, match=place):
            interviews.where(F(name) == "9").table()
    with pytest.raises(sondage.InvalidArgument, match=r'sondage\.field\.question\("S1"\) == 1` for interviews'):
        interviews.where("nps == 9")  # type: ignore[arg-type]
    for name, method in {"isin": "is_in", "isna": "is_empty", "not_contains": None, "startswith": None}.items():
        with pytest.raises(AttributeError, match=f"Did you mean `{method}`" if method else f"has no '{name}'$"):
            getattr(F("Division"), name)
