"""The lazy polars frame: only the columns and rows of the query plan are requested from the service."""

from __future__ import annotations

import polars as pl
import pytest
import sondage
from sondage._scan import conditions

OPERATION = "ReadInterviewListCompact"


@pytest.fixture
def lazy(client: sondage.Client, box: sondage.Sandbox) -> pl.LazyFrame:
    return client.interviews(box.survey_id, page_size=100).scan_polars()


def test_the_same_rows_as_all_at_once(client: sondage.Client, box: sondage.Sandbox, lazy: pl.LazyFrame) -> None:
    whole = client.interviews(box.survey_id).to_polars()
    assert lazy.collect().equals(whole)
    assert lazy.collect_schema() == whole.schema
    both = client.interviews(box.survey_id, fields=["vote"], labels="both")
    assert both.scan_polars().select("vote_label").collect().equals(both.to_polars().select("vote_label"))
    counted = both.scan_polars().filter(pl.col("vote_label") == "Dole").select(pl.len()).collect().item()
    assert counted == 393


def test_columns_are_pushed_down(box: sondage.Sandbox, lazy: pl.LazyFrame) -> None:
    box.ledger.clear()
    ages = lazy.select(pl.col("age").mean()).collect().item()
    assert 46 < ages < 48
    narrow = box.ledger.requests(OPERATION)
    assert len(narrow) == 10 and all(request.bytes < 260 for request in narrow)


def test_filters_are_pushed_down_and_applied(box: sondage.Sandbox, lazy: pl.LazyFrame) -> None:
    box.ledger.clear()
    frame = lazy.filter((pl.col("vote") == 1) & (pl.col("age") >= 60) & pl.col("PID").is_in([5, 6])).collect()
    assert frame.height == lazy.collect().filter(vote=1).filter(pl.col("age") >= 60, pl.col("PID") >= 5).height > 50
    box.ledger.clear()
    lazy.filter(pl.col("age") >= 90).collect()
    assert len(box.ledger.requests(OPERATION)) <= 4, "the service omits the others"


def test_limits_are_pushed_down(box: sondage.Sandbox, lazy: pl.LazyFrame) -> None:
    box.ledger.clear()
    assert lazy.head(5).collect().height == 5
    assert len(box.ledger.requests(OPERATION)) == 1
    assert lazy.filter(pl.col("vote") == 0).head(3).collect()["vote"].to_list() == [0, 0, 0]


def test_only_what_the_service_understands_is_sent() -> None:
    def sent(predicate: pl.Expr) -> list[str]:
        return [f"{one.condition_type} {one.identifier} {one.condition_operator} {one.value}"
                for test in conditions(predicate, {"State"}) for one in test.compile()]

    age = pl.col("age")
    assert sent((age > 3) & (pl.col("State") == "Completed") & (age + 1 < 9)) == [
        "Question age IsGreaterThan 3",
        "SQL State IsEqualTo Completed",
    ]
    assert sent(18 <= age) == ["Question age IsGreaterThanOrEqualTo 18"]
    for kept in [(age > 3) | (age < 1), ~(age == 3), age.is_null(), pl.col("State") > "A", age == 2.5, age.is_in([1])]:
        assert sent(kept) == []
