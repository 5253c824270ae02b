"""The sandbox from Python: its fixture, its clock, its faults, its ledger."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
import sondage

pytest_plugins = ["pytester"]


def test_the_fixture_is_there_for_everybody(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_panel(sondage_sandbox):
            client = sondage_sandbox.client()
            assert client.read_panel(panel_id=sondage_sandbox.panel_id).panel
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_plugin_costs_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import sys\ndef test_nothing(): assert 'sondage._native' not in sys.modules")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_time_can_be_moved(box: sondage.Sandbox) -> None:
    now = box.clock.now()
    assert abs(now - datetime.now(timezone.utc)) < timedelta(seconds=5)
    box.clock.advance(3600)
    assert box.clock.now() - now >= timedelta(hours=1)
    then = box.clock.now()
    box.clock.advance(-3600.5)  # also by parts of a second
    assert timedelta(hours=1) < then - box.clock.now() <= timedelta(seconds=3600.5)
    day = datetime(1996, 11, 5, tzinfo=timezone.utc)
    box.clock.set(day)
    assert box.clock.now() - day < timedelta(seconds=5)
    box.clock.reset()
    with pytest.raises(sondage.InvalidArgument, match="time must be a datetime"):
        box.clock.set(datetime(1996, 11, 5))


def test_the_ledger_knows_what_arrived_and_what_happened(box: sondage.Sandbox, client: sondage.Client) -> None:
    client.create_members(panel_id=box.panel_id, members=[sondage.NewMember.of(Email="ada@example.org")])
    (arrival,) = box.ledger.requests("CreateMembers")
    assert (arrival.status, arrival.whole, arrival.tenant) == (200, True, box.tenant) and arrival.at.tzinfo
    (effect,) = box.ledger.effects()
    assert (effect.kind, effect.count, effect.operation) == ("MembersCreated", 1, "CreateMembers")
    assert [token.grant for token in box.ledger.token_requests()] == ["client_credentials"]
    box.ledger.clear()
    assert box.ledger.requests() == [] == box.ledger.effects()


def test_faults_can_be_counted_and_removed(box: sondage.Sandbox, client: sondage.Client) -> None:
    fault = box.fault("ReadPanel", status=500, times=None)
    with pytest.raises(sondage.NetworkError):
        client.read_panel(panel_id=box.panel_id)
    assert fault.hits == 3
    fault.remove()
    assert client.read_panel(panel_id=box.panel_id).panel
    with pytest.raises(sondage.InvalidArgument, match="explode"):
        box.fault("ReadPanel", "explode")  # type: ignore[arg-type]


def test_two_sandboxes_are_two_worlds() -> None:
    with sondage.Sandbox(seed=1) as one, sondage.Sandbox(seed=2) as other:
        assert one.base_url != other.base_url and one.client_secret != other.client_secret
        ours, theirs = (list(box.client().members(box.panel_id)) for box in (one, other))
        assert [member["Email"] for member in ours] != [member["Email"] for member in theirs]


def test_a_stopped_sandbox(box: sondage.Sandbox, client: sondage.Client) -> None:
    box.stop()
    box.stop()
    with pytest.raises(sondage.NetworkError):
        client.read_panel(panel_id=5)
    with pytest.raises(sondage.InvalidArgument, match="stopped"):
        box.ledger.requests()


def test_profiles(box: sondage.Sandbox) -> None:
    box.set_profile({"firstPage": 0})
    assert len(list(box.client(first_page=0).members(box.panel_id, page_size=50))) == 200
    with pytest.raises(sondage.InvalidArgument, match="colour"):
        box.set_profile({"colour": "red"})


def test_two_waves_of_a_survey() -> None:
    with sondage.Sandbox.demo("waves") as box:
        assert list(box.survey_ids) == ["Library visitors 2025", "Library visitors 2026"]
        assert box.survey_id == box.survey_ids["Library visitors 2026"]
        whole: list[float] = []
        for survey in box.survey_ids.values():
            fields = ["State", "score", "weight"]
            with pytest.warns(sondage.DataWarning, match='9999999 stands for "not available"'):
                rows = list(box.client().interviews(survey, fields=fields, not_available=None).table())
            assert 9999999 not in {row["score"] for row in box.client().interviews(survey, fields=fields).table()}
            assert len(rows) == 400 and {row["State"] for row in rows} == {"Completed", "InProgress", "Screenout"}
            assert sum(row["score"] == 9999999 for row in rows) > 5, "not available"
            weights = [row["weight"] for row in rows if row["weight"] is not None]
            assert abs(sum(weights) / len(weights) - 1) < 1e-4
            whole += weights
        assert 0.4 < min(whole) < 0.5 and 2.3 < max(whole) < 2.5
    with sondage.Sandbox.demo() as box:
        assert box.survey_ids == {}
    with pytest.raises(sondage.InvalidArgument, match=r'content must be one of \["demo", "waves"\], not "wave"'):
        sondage.Sandbox.demo("wave")  # type: ignore[arg-type]


def test_a_fixed_secret_stays_and_a_short_one_is_refused_without_being_repeated() -> None:
    with sondage.Sandbox(secret="not-a-real-one") as box:
        assert box.client_secret == "not-a-real-one"
        assert box.client().read_panel(panel_id=box.panel_id).panel
    with pytest.raises(sondage.InvalidArgument) as refused:
        sondage.Sandbox(secret="tiny")
    assert "tiny" not in str(refused.value) and "8" in str(refused.value)
