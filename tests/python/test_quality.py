"""Interviews that may not be worth counting, equal to what pandas finds."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
import sondage

pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")


@pytest.fixture(scope="module")
def box() -> Any:
    with sondage.Sandbox.demo("waves") as box:
        yield box


def test_speeders_and_drop_out_are_those_of_pandas(box: sondage.Sandbox) -> None:
    query = box.client().interviews(box.survey_id)
    table = query.table()
    frame = table.to_pandas()
    complete = frame[frame["State"] == "Completed"]
    for share in (40, 70, 90):
        found = table.quality(speeder_percent=share)
        assert (found.rows, found.complete, found.broken_off) == (400, len(complete), (frame["State"] == "InProgress").sum())
        seconds = (complete["EndDate"] - complete["StartDate"]).dt.total_seconds()
        fast = set(complete["Id"][seconds < seconds.median() * share / 100])
        marked = {one.id for one in found.interviews if "speeding" in one.checks}
        assert marked == fast, share
    assert sum(place.n for place in found.drop_out) == found.broken_off
    assert query.quality(speeder_percent=90) == found
    own = table.quality(duration="duration", speeder_percent=70)
    durations = complete["duration"].astype(float)
    assert {one.row for one in own.interviews if "speeding" in one.checks} == set(
        complete.index[durations < durations.median() * 0.7]
    )
    long = found.to_table().to_pandas()
    assert len(long) == len(found.interviews) and isinstance(long, pd.DataFrame)
    assert "speeding" in str(found) and found.to_svg().startswith("<svg")


def test_thresholds_out_of_range_are_refused(box: sondage.Sandbox) -> None:
    table = box.client().interviews(box.survey_id).head(3)
    for name, value in {"speeder_percent": 100, "matrix_rows": 1, "text_length": 0, "not_available_percent": 0}.items():
        with pytest.raises(sondage.InvalidArgument, match="percent|rows|length"):
            table.quality(**{name: value})
    with pytest.raises(sondage.InvalidArgument, match="duration"):
        table.quality(duration="nothing")
