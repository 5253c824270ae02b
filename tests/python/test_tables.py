"""Tables: types and labels in pandas, polars, pyarrow and DuckDB."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sondage

COLUMNS = ["PID", "educ", "age", "vote"]


@pytest.fixture(scope="module")
def query(reader: sondage.Client, shared_box: sondage.Sandbox) -> sondage.Interviews:
    return reader.interviews(shared_box.survey_id, fields=COLUMNS)


@pytest.mark.parametrize("asynchronous", [False, True], ids=["blocking", "asyncio"])
def test_a_query_is_a_request(box: sondage.Sandbox, asynchronous: bool) -> None:
    writer, loop = box.client(), asyncio.new_event_loop()
    client: Any = box.async_client() if asynchronous else writer
    interviews = client.interviews(box.feedback_survey_id, fields=["Id", "nps"])
    members = client.members(box.panel_id, fields=["Division"])

    def here(result: Any) -> Any:
        return loop.run_until_complete(result) if asynchronous else result

    def seen() -> dict[str, list[dict[str, Any]]]:
        queries = {"interviews": interviews, "members": members}
        return {f"{name} {way}": rows for name, query in queries.items() for way, rows in ways(query)}

    def ways(query: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        yield "arrow", here(query.to_arrow()).to_pylist()
        yield "pandas", here(query.to_pandas()).astype(object).to_dict("records")
        yield "polars", here(query.to_polars()).to_dicts()
        yield "table", list(here(query.table()))
        if not asynchronous:
            yield "capsule", pa.table(query).to_pylist()

    table, before = here(interviews.table()), seen()
    answered, deleted = table.to_arrow()["Id"].to_pylist()[:2]
    assert box.emit("complete", id=answered, answers={"nps": 3})
    writer.delete_interview(survey_id=box.feedback_survey_id, interview_id=deleted)
    assert box.emit("updateMember", member_id=500_001, fields={"Division": "Cartography"})
    after = seen()
    assert [way for way in before if after[way] == before[way]] == []
    new = {row["Id"]: row["nps"] for row in after["interviews arrow"]}
    assert new[answered] == 3 and deleted not in new and len(table) == len(new) + 1, "a table is what one keeps"
    assert "Cartography" in {row["Division"] for row in after["members arrow"]}
    here(client.close())
    loop.close()


def test_plain_values_need_no_other_package(query: sondage.Interviews) -> None:
    rows = list(query.table())
    assert len(rows) == 944 and set(rows[0]) == set(COLUMNS)
    assert all(isinstance(row["age"], int) for row in rows)
    labels = {row["vote"] for row in query.table().with_labels()}
    assert labels == {"Clinton", "Dole"} == set(query.table().with_labels().choices("vote"))


def test_pandas(query: sondage.Interviews) -> None:
    codes, labels = query.to_pandas(), query.to_pandas(labels=True)
    assert codes["age"].dtype == pd.Int64Dtype() and len(codes) == 944
    assert labels["educ"].cat.ordered
    assert list(labels["educ"].cat.categories)[:2] == ["1-8 grades", "Some high school"]
    assert (labels["PID"] >= "Weak Republican").sum() > 0, "ordered, so they can be compared"
    both = query.to_pandas(labels="both")
    assert {"PID", "PID_label"} <= set(both.columns)


def test_polars(query: sondage.Interviews) -> None:
    labels = query.to_polars(labels=True)
    assert labels.schema["vote"] == pl.Enum(["Clinton", "Dole"]) and labels.schema["age"] == pl.Int64
    assert labels.filter(pl.col("vote") == "Dole").height > 300


def test_arrow_and_duckdb(query: sondage.Interviews) -> None:
    table = pa.table(query)
    assert table.num_rows == 944 and table.schema.field("PID").metadata[b"sondage.label"]
    assert query.to_arrow(labels=True).column("vote").type == pa.dictionary(pa.int32(), pa.string(), ordered=True)
    answers = query.table().with_labels()  # noqa: F841: DuckDB finds it by its name
    counted = duckdb.sql("select count(*) from answers where vote = 'Clinton'")
    assert counted is not None and counted.fetchall() == [(551,)]


def test_members(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    frame = reader.members(shared_box.panel_id).to_pandas()
    objects = list(reader.members(shared_box.panel_id))
    assert list(frame["id"]) == [one.id for one in objects]
    assert frame["CellPhoneNumber"].dtype == pd.Int64Dtype(), "integers keep their gaps"
    assert [None if pd.isna(v) else v for v in frame["Division"]] == [one["Division"] for one in objects]
    assert frame["created_at"].dt.tz is not None


def test_filters_of_interviews(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    feedback = reader.interviews(shared_box.feedback_survey_id, fields=["State"])
    states = [row["State"] for row in feedback.table()]
    completed = feedback.completed().table()
    assert {row["State"] for row in completed} == {"Completed"} and len(completed) == states.count("Completed")
    late = reader.interviews(shared_box.survey_id, fields=["Id"])
    assert len(late.updated_since(datetime(2999, 1, 1, tzinfo=timezone.utc)).table()) == 0
    with pytest.raises(sondage.InvalidArgument, match="updated_since must be a datetime with a time zone"):
        late.updated_since(datetime(2024, 1, 1)).table()


def test_the_structured_form_is_the_same_table(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    compact = reader.interviews(shared_box.survey_id, fields=COLUMNS, labels=True)
    structured = reader.interviews(shared_box.survey_id, fields=COLUMNS, labels=True, structured=True)
    assert list(compact.table()) == list(structured.table())


def test_what_columns_mean(query: sondage.Interviews) -> None:
    table = query.table()
    assert table.label("PID") and "Clinton" in table.codebook().to_markdown()
    assert list(query.to_pandas().columns) == table.columns
    with pytest.raises(sondage.InvalidArgument, match="no column"):
        table.select(["colour"])
    with pytest.raises(sondage.InvalidArgument, match="both"):
        table.with_labels("all")  # type: ignore[arg-type]


def test_shown(query: sondage.Interviews) -> None:
    table = query.table().with_labels()
    text, html = repr(table), table._repr_html_()
    assert "[944 rows x 4 columns]" in text and len(text.splitlines()) == 12
    assert "<th>vote</th>" in html and "<td>Clinton</td>" in html


@pytest.mark.parametrize(("module", "method"), [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow")])
def test_a_missing_package_is_named(
    query: sondage.Interviews, monkeypatch: pytest.MonkeyPatch, module: str, method: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'sondage\["):
        getattr(query, method)()


def test_multiple_choice_as_lists(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    names = ["topics_1", "topics_2", "topics_3"]
    columns = reader.interviews(shared_box.feedback_survey_id, fields=[*names, "nps"]).table()
    lists = columns.with_lists()
    assert set(lists.columns) == {"topics", "nps"}
    rows = list(columns)
    asked = [any(row[name] is not None for name in names) for row in rows]
    chosen = [[name for name in names if row[name] == 1] if yes else None for row, yes in zip(rows, asked)]
    assert [row["topics"] for row in lists] == chosen
    assert [] in chosen and None in chosen
    partly = any(0 < sum(row[name] is None for name in names) < len(names) for row in rows)
    assert partly and "answer to some choices only: topics. " in str(lists.warnings)
    words = {"topics_1": "Politik", "topics_2": "Kultur", "topics_3": "Sport"}
    labels = [one and [words[name] for name in one] for one in chosen]
    frame = lists.with_labels().to_polars()
    assert frame.schema["topics"] == pl.List(pl.Enum(list(words.values()))) and frame["topics"].to_list() == labels
    assert [row["topics_label"] for row in lists.with_labels("both")] == labels
    in_pandas = lists.with_labels().to_pandas()["topics"]
    assert [None if one is None else list(one) for one in in_pandas] == labels
    answers = lists.with_labels()  # noqa: F841: DuckDB finds it by its name
    counted = duckdb.sql("select count(*) from answers where list_contains(topics, 'Kultur')").fetchall()
    assert counted == [(sum("Kultur" in (one or []) for one in labels),)]


def test_local_time(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    utc = reader.interviews(shared_box.feedback_survey_id, fields=["StartDate"]).table()
    local = utc.in_time_zone("Asia/Kathmandu")
    before, after = [[row["StartDate"] for row in table] for table in (utc, local)]
    assert before == after, "the same moments"
    assert {time.utcoffset() for time in after if time} == {timedelta(hours=5, minutes=45)}
    assert {time.tzinfo for time in before if time} == {timezone.utc}
    assert str(local.to_pandas()["StartDate"].dt.tz) == "Asia/Kathmandu"
    assert local.to_polars().schema["StartDate"].time_zone == "Asia/Kathmandu"  # type: ignore[attr-defined]
    with pytest.raises(sondage.InvalidArgument, match="Kathmando"):
        utc.in_time_zone("Asia/Kathmando")
