"""Stores that are kept equal to a survey: a Parquet file and a table of DuckDB, over HTTP against the sandbox."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
import sondage
from sondage import questionnaire as ask
from sync_kills import rows


def survey(box: sondage.Sandbox) -> sondage.Interviews:
    return box.client(retry_base=0.01).interviews(box.feedback_survey_id, page_size=20)


def expected(query: sondage.Interviews) -> Counter[str]:
    return rows(query.table().to_arrow().to_pylist())


def of_parquet(path: Path) -> Counter[str]:
    return rows(pq.read_table(path).to_pylist())


def of_duckdb(connection: duckdb.DuckDBPyConnection, table: str) -> Counter[str]:
    return rows(connection.sql(f'SELECT * FROM "{table}"').to_arrow_table().to_pylist())


def change(box: sondage.Sandbox, query: sondage.Interviews) -> None:
    """Answers one interview, and deletes another."""
    box.clock.advance(60)
    first, second, *_ = (row["Id"] for row in query.state("NotResponded").table())
    assert box.emit("complete", id=first, answers={"since": "2024-02-03"})
    box.client().delete_interview(survey_id=box.feedback_survey_id, interview_id=second)


def test_a_file_is_equal_after_every_sync(box: sondage.Sandbox, tmp_path: Path) -> None:
    query, path = survey(box), tmp_path / "s.parquet"
    first = query.sync(path)
    assert first.complete and first.added == first.rows > 20 and first.took > 0
    assert of_parquet(path) == expected(query)
    change(box, query)
    second = query.sync(path)
    assert (second.added, second.changed, second.removed, second.complete) == (0, 1, 1, False)
    assert of_parquet(path) == expected(query)
    third = query.sync(path)
    assert (third.changed, third.removed, third.unchanged) == (0, 0, first.rows - 1)
    assert list(tmp_path.iterdir()) == [path]


async def _synced(box: sondage.Sandbox, path: Path) -> sondage.SyncReport:
    return await box.async_client().interviews(box.feedback_survey_id).sync(path)


def test_also_for_asyncio(box: sondage.Sandbox, tmp_path: Path) -> None:
    import asyncio

    assert asyncio.run(_synced(box, tmp_path / "s.parquet")).added > 20


def test_a_table_of_duckdb_is_equal_after_every_sync(box: sondage.Sandbox, tmp_path: Path) -> None:
    query = survey(box)
    with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
        first = query.sync(connection, table="answers")
        assert first.complete and first.took > 0 and of_duckdb(connection, "answers") == expected(query)
        change(box, query)
        second = query.sync(connection, table="answers")
        assert (second.added, second.changed, second.removed) == (0, 1, 1)
        assert of_duckdb(connection, "answers") == expected(query)
        assert query.sync(connection, table="answers").unchanged == second.rows
        labels = connection.execute("SELECT count(*) FROM sondage_values WHERE name = 'answers'").fetchall()
        assert labels[0][0] > 0


def test_a_table_of_duckdb_that_was_altered_is_left_alone(box: sondage.Sandbox) -> None:
    query = survey(box)
    connection = duckdb.connect()
    connection.execute("CREATE TABLE answers (a INTEGER)")
    with pytest.raises(sondage.InvalidArgument, match="was not made by a sync"):
        query.sync(connection, table="answers")
    query.sync(connection)
    name = f"survey_{box.feedback_survey_id}"
    before = of_duckdb(connection, name)
    with pytest.raises(sondage.InvalidArgument, match="belongs to another query"):
        query.completed().sync(connection)
    connection.execute("BEGIN")
    with pytest.raises(sondage.InvalidArgument, match="was not changed"):
        query.sync(connection)
    connection.execute("ROLLBACK")
    assert of_duckdb(connection, name) == before
    connection.execute(f"DELETE FROM {name} WHERE Id IN (SELECT Id FROM {name} LIMIT 1)")
    with pytest.raises(sondage.InvalidArgument, match="other rows than the last sync left there"):
        query.sync(connection)
    connection.execute(f"DROP TABLE {name}")
    with pytest.raises(sondage.InvalidArgument, match="Restore it"):
        query.sync(connection)


def test_columns_that_differ_need_a_word(box: sondage.Sandbox, tmp_path: Path) -> None:
    query, connection = survey(box), duckdb.connect()
    path = tmp_path / "s.parquet"
    query.sync(path)
    query.sync(connection, table="answers")
    before = of_duckdb(connection, "answers")
    box.clock.advance(60)
    first = next(row["Id"] for row in query.state("NotResponded").table())
    box.set_profile({"acceptedAnswers": "any"})
    assert box.emit("complete", id=first, answers={"since": "long ago"})
    for store, table in [(path, None), (connection, "answers")]:
        with pytest.raises(sondage.InvalidArgument, match="`since` was date, and is text now"):
            query.sync(store, table=table)
    assert of_duckdb(connection, "answers") == of_parquet(path) == before
    for store, table in [(path, None), (connection, "answers")]:
        report = query.sync(store, table=table, evolve=True)
        assert report.columns_changed == ["since"] and report.complete
    assert of_duckdb(connection, "answers") == of_parquet(path) == expected(query)


def revised(box: sondage.Sandbox, elements: list[Any], survey_id: int | None = None) -> int:
    """A published survey with these questions, new or changed."""
    client = box.client()
    definition = ask.questionnaire(["en"], {"S": elements}, end={"en": "Thanks"})
    if survey_id is None:
        survey_id = client.create_survey(workspace_id=box.workspace_id, name="Reading", survey_definition=definition).survey_id
        assert survey_id is not None
    else:
        client.execute_workflow_transition(workflow="SurveyDesign", target_state="Revision", survey_id=survey_id)
        client.update_survey(survey_id=survey_id, survey_definition=definition)
    client.execute_workflow_transition(workflow="SurveyDesign", target_state="Published", survey_id=survey_id)
    return survey_id


def test_a_table_of_duckdb_follows_the_questionnaire(box: sondage.Sandbox) -> None:
    connection = duckdb.connect()

    def often(label: str) -> Any:
        return ask.single_choice("often", {"en": "How often?"}, {"1": {"en": "never"}, "2": {"en": label}})

    topics = ask.multiple_choice("topics", {"en": "Which?"}, {"1": {"en": "one"}, "2": {"en": "two"}})
    survey_id = revised(box, [often("allways"), topics])
    box.answer(survey_id, [{"often": 2, "topics_1": 1}])
    box.clock.advance(60)
    query = box.client().interviews(survey_id)
    query.sync(connection, table="answers")
    # As if only the former rows had had a column of no question, such as a parameter of the address.
    connection.execute("ALTER TABLE answers ADD COLUMN parameter VARCHAR")
    former = '"columns":[{"name":"parameter","kind":"text","asked":false},'
    connection.execute("UPDATE sondage_sync SET state = replace(state, ?, ?)", ['"columns":[', former])

    revised(box, [often("always"), topics], survey_id)
    report = query.sync(connection, table="answers")
    assert (report.added, report.changed, report.columns_relabelled) == (0, 0, ["often"])
    labels = connection.execute("SELECT label FROM sondage_values WHERE variable = 'often' ORDER BY place").fetchall()
    assert labels == [("never",), ("always",)]

    revised(box, [often("always")], survey_id)
    with pytest.raises(sondage.InvalidArgument, match="gone: `topics_1`"):
        query.sync(connection, table="answers")
    query.sync(connection, table="answers", evolve=True)
    box.answer(survey_id, [{"often": 1}])
    query.sync(connection, table="answers")
    columns = [name for (name,) in connection.execute("SELECT column_name FROM information_schema.columns WHERE table_name = 'answers'").fetchall()]
    assert "often" in columns and not [name for name in columns if name.startswith("topics") or name == "parameter"]
    assert of_duckdb(connection, "answers") == expected(query)


def test_a_label_that_moved_to_another_code_stops_a_sync(box: sondage.Sandbox, tmp_path: Path) -> None:
    connection, path = duckdb.connect(), tmp_path / "s.parquet"

    def often(first: str, second: str) -> Any:
        return ask.single_choice("often", {"en": "How often?"}, {"1": {"en": first}, "2": {"en": second}})

    survey_id = revised(box, [often("never", "always")])
    box.answer(survey_id, [{"often": 1}])
    query = box.client().interviews(survey_id)
    stores: list[tuple[Any, str | None]] = [(path, None), (connection, "answers")]
    for store, table in stores:
        query.sync(store, table=table)
    before = of_duckdb(connection, "answers")
    revised(box, [often("always", "never")], survey_id)
    for store, table in stores:
        with pytest.raises(sondage.InvalidArgument, match='`often`: code 1 was "never", and is "always" now, which was code 2'):
            query.sync(store, table=table)
    assert of_duckdb(connection, "answers") == of_parquet(path) == before
    labels = "SELECT label FROM sondage_values WHERE variable = 'often' ORDER BY place"
    assert connection.execute(labels).fetchall() == [("never",), ("always",)]
    for store, table in stores:
        report = query.sync(store, table=table, evolve=True)
        assert report.columns_changed == ["often"] and report.complete
    assert connection.execute(labels).fetchall() == [("always",), ("never",)]


def test_a_table_of_duckdb_keeps_the_columns_of_others(box: sondage.Sandbox) -> None:
    query, connection = survey(box), duckdb.connect()
    query.sync(connection, table="answers")
    connection.execute("ALTER TABLE answers ADD COLUMN note VARCHAR")
    connection.execute("UPDATE answers SET note = 'of ' || Id")
    without = "SELECT * EXCLUDE note FROM answers"

    def stored() -> Counter[str]:
        assert connection.sql("SELECT count(*) FROM answers WHERE note IS DISTINCT FROM 'of ' || Id").fetchall() == [(0,)]
        return rows(connection.sql(without).to_arrow_table().to_pylist())

    change(box, query)
    assert query.sync(connection, table="answers").changed == 1
    assert stored() == expected(query)
    box.set_profile({"acceptedAnswers": "any"})
    box.clock.advance(60)
    first = next(row["Id"] for row in query.state("NotResponded").table())
    assert box.emit("complete", id=first, answers={"since": "long ago"})
    report = query.sync(connection, table="answers", evolve=True)
    assert report.complete and report.columns_changed == ["since"]
    assert stored() == expected(query)
    # A column of the sync that somebody has removed would come back without the values of rows that have not changed.
    connection.execute("ALTER TABLE answers DROP COLUMN State")
    with pytest.raises(sondage.InvalidArgument, match="lost columns that the last sync left there .`State`.*Restore it"):
        query.sync(connection, table="answers")
    narrow = box.client().interviews(box.feedback_survey_id, fields=["since"])
    narrow.sync(connection, table="narrow")
    assert [name for name, *_ in connection.sql("DESCRIBE narrow").fetchall()] == ["Id", "since"]


def test_what_is_no_store(box: sondage.Sandbox, tmp_path: Path) -> None:
    query = survey(box)
    with pytest.raises(sondage.InvalidArgument, match="a connection of duckdb or psycopg, not to dict"):
        query.sync({})
    with pytest.raises(sondage.InvalidArgument, match="`table` is for a database"):
        query.sync(tmp_path / "s.parquet", table="answers")
    with pytest.raises(sondage.InvalidArgument, match="named like CSV"):
        query.sync(tmp_path / "s.csv")


def test_an_erased_person_leaves_the_stores(box: sondage.Sandbox, tmp_path: Path) -> None:
    client, path, connection = box.client(), tmp_path / "s.parquet", duckdb.connect()
    query = client.interviews(box.feedback_survey_id, fields=["Id", "State", "PanelMemberId", "UpdatedAt"])
    query.sync(path)
    query.sync(connection, table="answers")
    other = duckdb.connect()
    client.interviews(box.survey_id, fields=["State"]).sync(other, table="answers")
    rows = connection.execute("SELECT Id, PanelMemberId FROM answers WHERE PanelMemberId IS NOT NULL ORDER BY Id").fetchall()
    interview, member = rows[0]
    person: dict[str, Any] = {"panel_ids": [box.panel_id], "key": "Id", "value": str(member), "keep_interviews": False}
    plan, receipt = client.plan_erase_person(**person), tmp_path / "receipt.json"
    with pytest.raises(sondage.InvalidArgument, match="there is no receipt"):
        sondage.erase_from_store(receipt, path)
    client.erase_person(receipt, **person, confirm=plan.token)

    connection.execute("BEGIN")
    with pytest.raises(sondage.InvalidArgument, match="was not changed"):
        sondage.erase_from_store(receipt, connection, table="answers")
    connection.execute("ROLLBACK")
    removed = sondage.erase_from_store(receipt, connection, table="answers")
    assert removed.erased == sondage.erase_from_store(receipt, path).erased == 1
    assert interview not in [id for (id,) in connection.execute("SELECT Id FROM answers").fetchall()]
    assert of_duckdb(connection, "answers") == of_parquet(path) == expected(query)
    assert sondage.erase_from_store(receipt, connection, table="answers").erased == 0
    for report in (query.sync(path), query.sync(connection, table="answers")):
        assert (report.added, report.changed, report.removed, report.complete) == (0, 0, 0, False)
    with pytest.raises(sondage.InvalidArgument, match="of which the receipt has no erased interview"):
        sondage.erase_from_store(receipt, other, table="answers")
    with pytest.raises(sondage.InvalidArgument, match="`table` is required"):
        sondage.erase_from_store(receipt, connection)
    with pytest.raises(sondage.InvalidArgument, match="there is no store"):
        sondage.erase_from_store(receipt, connection, table="nothing")
