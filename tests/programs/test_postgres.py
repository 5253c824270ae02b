"""A table of PostgreSQL that is kept equal to a survey."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import postgres
import psycopg
import pytest
import sondage
from psycopg.rows import dict_row
from sondage._sync_databases import PostgreSql
from sync_kills import Kills, rows


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres.server(tmp_path_factory.mktemp("postgres")) as address:
        yield address


@pytest.fixture
def connection(address: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(address) as connection:
        yield connection
        connection.rollback()
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


@pytest.fixture
def box() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox.demo() as box:
        yield box


def survey(box: sondage.Sandbox) -> sondage.Interviews:
    return box.client(retry_base=0.01).interviews(box.feedback_survey_id, page_size=20)


def stored(connection: psycopg.Connection[Any], table: str = "answers") -> Counter[str]:
    with connection.transaction():
        return rows(connection.cursor(row_factory=dict_row).execute(f'SELECT * FROM "{table}"').fetchall())  # type: ignore[call-overload]


def expected(query: sondage.Interviews) -> Counter[str]:
    return rows(query.table().to_arrow().to_pylist())


def change(box: sondage.Sandbox, query: sondage.Interviews, since: str = "2024-02-03") -> None:
    box.clock.advance(60)
    first, second, *_ = (row["Id"] for row in query.state("NotResponded").table())
    assert box.emit("complete", id=first, answers={"since": since})
    box.client().delete_interview(survey_id=box.feedback_survey_id, interview_id=second)


def test_a_lost_connection_leaves_open_what_has_happened(
    box: sondage.Sandbox, connection: psycopg.Connection[Any], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = survey(box)
    query.sync(connection, table="answers")
    change(box, query)
    lost = psycopg.connect(address)
    describe = PostgreSql.describe

    def cut(self: PostgreSql, facts: Any) -> None:
        describe(self, facts)
        connection.execute("SELECT pg_terminate_backend(%s)", [lost.info.backend_pid])
        connection.commit()

    monkeypatch.setattr(PostgreSql, "describe", cut)
    with pytest.raises(sondage.InvalidArgument, match="unknown whether the table `answers` was changed.*Sync again"):
        query.sync(lost, table="answers")
    monkeypatch.setattr(PostgreSql, "describe", describe)
    query.sync(connection, table="answers")
    assert stored(connection) == expected(query)


def test_a_table_is_equal_after_every_sync(box: sondage.Sandbox, connection: psycopg.Connection[Any]) -> None:
    query = survey(box)
    first = query.sync(connection, table="answers")
    assert first.complete and first.added == first.rows > 20
    assert stored(connection) == expected(query)
    change(box, query)
    second = query.sync(connection, table="answers")
    assert (second.added, second.changed, second.removed) == (0, 1, 1)
    assert stored(connection) == expected(query)
    assert query.sync(connection, table="answers").unchanged == second.rows
    with connection.transaction():
        found = connection.execute("SELECT count(*) FROM sondage_values WHERE name = 'answers'").fetchone()
        assert found is not None and found[0] > 0


def test_an_erased_person_leaves_the_table(box: sondage.Sandbox, connection: psycopg.Connection[Any], tmp_path: Path) -> None:
    client, receipt = box.client(), tmp_path / "receipt.json"
    query = client.interviews(box.feedback_survey_id, fields=["Id", "State", "PanelMemberId", "UpdatedAt"])
    query.sync(connection, table="answers")
    member = next(row["PanelMemberId"] for row in query.table() if row["PanelMemberId"] is not None)
    person: dict[str, Any] = {"panel_ids": [box.panel_id], "key": "Id", "value": str(member), "keep_interviews": False}
    client.erase_person(receipt, **person, confirm=client.plan_erase_person(**person).token)
    assert sondage.erase_from_store(receipt, connection, table="answers").erased == 1
    assert stored(connection) == expected(query)
    assert sondage.erase_from_store(receipt, connection, table="answers").erased == 0
    report = query.sync(connection, table="answers")
    assert (report.added, report.changed, report.removed) == (0, 0, 0)


def test_a_table_that_was_altered_is_left_alone(box: sondage.Sandbox, connection: psycopg.Connection[Any]) -> None:
    query = survey(box)
    connection.execute("CREATE TABLE answers (a integer)")
    with pytest.raises(sondage.InvalidArgument, match="has an open transaction"):
        query.sync(connection, table="answers")
    connection.commit()
    with pytest.raises(sondage.InvalidArgument, match="was not made by a sync"):
        query.sync(connection, table="answers")
    query.sync(connection, table="b")
    connection.execute('DELETE FROM b WHERE "Id" IN (SELECT "Id" FROM b LIMIT 1)')
    connection.commit()
    with pytest.raises(sondage.InvalidArgument, match="other rows than the last sync left there"):
        query.sync(connection, table="b")
    query.sync(connection, table="c")
    before = stored(connection, "c")
    connection.execute('ALTER TABLE c DROP COLUMN "State"')
    connection.execute('ALTER TABLE c ADD COLUMN "State" integer')
    connection.commit()
    change(box, query)
    with pytest.raises(sondage.InvalidArgument, match="`State` of the table `c` has the type integer, and the sync made it text"):
        query.sync(connection, table="c")
    assert sum(stored(connection, "c").values()) == sum(before.values())


def test_columns_of_others_stay_and_lost_ones_are_noticed(box: sondage.Sandbox, connection: psycopg.Connection[Any]) -> None:
    query = survey(box)
    query.sync(connection, table="answers")
    connection.execute("ALTER TABLE answers ADD COLUMN note text")
    connection.execute("""UPDATE answers SET note = 'of ' || "Id" """)
    connection.commit()

    def without_notes() -> Counter[str]:
        with connection.transaction():
            found = connection.cursor(row_factory=dict_row).execute("SELECT * FROM answers").fetchall()  # type: ignore[call-overload]
        assert all(row.pop("note") == f"of {row['Id']}" for row in found)
        return rows(found)

    change(box, query)
    assert query.sync(connection, table="answers").changed == 1
    assert without_notes() == expected(query)
    box.set_profile({"acceptedAnswers": "any"})
    box.clock.advance(60)
    (last, *_) = (row["Id"] for row in query.state("NotResponded").table())
    assert box.emit("complete", id=last, answers={"since": "long ago"})
    box.client().delete_interview(survey_id=box.feedback_survey_id, interview_id=next(row["Id"] for row in query.table()))
    report = query.sync(connection, table="answers", evolve=True)
    assert report.complete and report.removed == 1
    assert without_notes() == expected(query)
    connection.execute('ALTER TABLE answers DROP COLUMN "State"')
    connection.commit()
    before = without_notes()
    for evolve in (False, True):
        with pytest.raises(sondage.InvalidArgument, match="lost columns that the last sync left there .`State`.*Restore it"):
            query.sync(connection, table="answers", evolve=evolve)
    assert without_notes() == before


def test_a_database_that_cannot_be_written(box: sondage.Sandbox, connection: psycopg.Connection[Any], address: str) -> None:
    query = survey(box)
    query.sync(connection, table="answers")
    before = stored(connection)
    change(box, query)
    with psycopg.connect(address, options="-c default_transaction_read_only=on") as reader:
        with pytest.raises(sondage.InvalidArgument, match="SQLSTATE 25006"):
            query.sync(reader, table="answers")
    gone = psycopg.connect(address)
    gone.close()
    with pytest.raises((sondage.InvalidArgument, psycopg.Error)):
        query.sync(gone, table="answers")
    assert stored(connection) == before


def test_columns_that_differ_need_a_word(box: sondage.Sandbox, connection: psycopg.Connection[Any]) -> None:
    query = survey(box)
    query.sync(connection, table="answers")
    before = stored(connection)
    box.set_profile({"acceptedAnswers": "any"})
    change(box, query, since="long ago")
    with pytest.raises(sondage.InvalidArgument, match="`since` was date, and is text now"):
        query.sync(connection, table="answers")
    assert stored(connection) == before
    report = query.sync(connection, table="answers", evolve=True)
    assert report.complete and report.columns_changed == ["since"]
    assert stored(connection) == expected(query)


def test_two_syncs_at_once(box: sondage.Sandbox, connection: psycopg.Connection[Any], address: str) -> None:
    """Each of them stores everything, or says that another was faster."""
    query = survey(box)
    query.sync(connection, table="answers")
    change(box, query)
    barrier, said = threading.Barrier(4), []

    def sync() -> None:
        with psycopg.connect(address) as own:
            barrier.wait()
            try:
                said.append(query.sync(own, table="answers").changed)
            except sondage.InvalidArgument as error:
                assert "another sync has written" in str(error)
                said.append(str(error))

    threads = [threading.Thread(target=sync) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 4 and said.count(1) == 1, said
    assert stored(connection) == expected(query)


@pytest.mark.filterwarnings("ignore")
def test_a_table_survives_kills(box: sondage.Sandbox, connection: psycopg.Connection[Any], address: str) -> None:
    """`SONDAGE_SYNC_KILLS=1000`: the long form."""

    def read() -> list[dict[str, Any]]:
        with connection.transaction():
            return connection.cursor(row_factory=dict_row).execute("SELECT * FROM answers").fetchall()  # type: ignore[call-overload]

    times = int(os.environ.get("SONDAGE_SYNC_KILLS", "24")) // 3
    Kills(box, "postgres", address, lambda query: query.sync(connection, table="answers"), read, 3).run(times)
