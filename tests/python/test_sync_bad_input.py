"""Stores of a sync when something is wrong around them: the error is a sentence, and the store has the rows of before."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
import sondage
from sync_kills import OPERATION
from test_sync import change, expected, of_duckdb, of_parquet, survey

FULL = """
import resource, signal, sys, sondage
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
kind, place, survey, *settings = sys.argv[1:]
query = sondage.Client(**dict(pair.split("=", 1) for pair in settings)).interviews(int(survey), page_size=20)
if kind == "duckdb":
    import duckdb
    store, more = duckdb.connect(place), {"table": "answers"}
else:
    store, more = place, {}
resource.setrlimit(resource.RLIMIT_FSIZE, (2048, resource.RLIM_INFINITY))  # a disk without room for more
try:
    query.sync(store, **more)
except sondage.SondageError as error:
    print(type(error).__name__, error)
    sys.stdout.flush()
    import os
    os._exit(7)  # DuckDB would write when it ends
"""


def program(box: sondage.Sandbox, kind: str, place: Path) -> list[str]:
    names = ("base_url", "auth_url", "tenant", "client_secret")
    return [kind, str(place), str(box.feedback_survey_id), *(f"{name}={getattr(box, name)}" for name in names)]


def rows(kind: str, place: Path) -> object:
    if kind == "parquet":
        return of_parquet(place)
    with duckdb.connect(str(place)) as connection:
        return of_duckdb(connection, "answers")


def sync(query: sondage.Interviews, kind: str, place: Path) -> sondage.SyncReport:
    if kind == "parquet":
        return query.sync(place)
    with duckdb.connect(str(place)) as connection:
        return query.sync(connection, table="answers")


@pytest.mark.parametrize("kind", ["parquet", "duckdb"])
def test_a_full_disk_leaves_the_rows_of_before(
    kind: str, box: sondage.Sandbox, tmp_path: Path, run: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    query, place = survey(box), tmp_path / f"s.{kind}"
    sync(query, kind, place)
    before = rows(kind, place)
    change(box, query)
    done = run(FULL, *program(box, kind, place))
    assert done.returncode == 7 and done.stdout.startswith(("InvalidArgument", "ConfigurationError")), done
    assert "Traceback" not in done.stderr
    assert rows(kind, place) == before
    sync(query, kind, place)
    assert rows(kind, place) == expected(query)


def test_a_store_that_is_read_only(box: sondage.Sandbox, tmp_path: Path) -> None:
    query, place = survey(box), tmp_path / "s.duckdb"
    sync(query, "duckdb", place)
    before = rows("duckdb", place)
    change(box, query)
    with duckdb.connect(str(place), read_only=True) as connection:
        with pytest.raises(sondage.InvalidArgument, match="was not changed, because the database refused it"):
            query.sync(connection, table="answers")
    assert rows("duckdb", place) == before
    (tmp_path / "file").touch()
    with pytest.raises(sondage.SondageError, match="there is no folder"):
        query.sync(tmp_path / "file" / "s.parquet")


def test_a_survey_that_was_deleted_leaves_its_store(box: sondage.Sandbox, tmp_path: Path) -> None:
    client = box.client()
    query = survey(box)
    sync(query, "parquet", tmp_path / "s.parquet")
    sync(query, "duckdb", tmp_path / "s.duckdb")
    before = rows("parquet", tmp_path / "s.parquet")
    client.delete_survey(survey_id=box.feedback_survey_id)
    for kind in ("parquet", "duckdb"):
        with pytest.raises(sondage.ApiError, match="(?i)survey"):
            sync(query, kind, tmp_path / f"s.{kind}")
        assert rows(kind, tmp_path / f"s.{kind}") == before


def test_two_syncs_of_one_file_at_once(box: sondage.Sandbox, tmp_path: Path) -> None:
    query, path = survey(box), tmp_path / "s.parquet"
    query.sync(path)
    change(box, query)
    fault = box.fault(OPERATION, delay=2)
    said: list[object] = []
    slow = threading.Thread(target=lambda: said.append(query.sync(path).changed))
    slow.start()
    while fault.hits == 0:
        pass
    with pytest.raises(sondage.InvalidArgument, match="(?i)another"):
        query.sync(path)
    slow.join()
    assert said == [1] and of_parquet(path) == expected(query)


def test_rows_of_a_backup_with_the_state_of_today(box: sondage.Sandbox) -> None:
    query, connection = survey(box), duckdb.connect()
    query.sync(connection, table="answers")
    connection.execute("CREATE TABLE backup AS SELECT * FROM answers")
    change(box, query)
    query.sync(connection, table="answers")
    connection.execute("DELETE FROM answers")
    connection.execute("INSERT INTO answers SELECT * FROM backup")
    before = of_duckdb(connection, "answers")
    with pytest.raises(sondage.InvalidArgument, match="other rows than the last sync left there.*Restore it together with its state"):
        query.sync(connection, table="answers")
    assert of_duckdb(connection, "answers") == before
    # The state of the future: a later version of this library has written it.
    connection.execute("UPDATE sondage_sync SET state = replace(state, ?, ?)", ['"version":1', '"version":2'])
    with pytest.raises(sondage.InvalidArgument, match="made by a later version"):
        query.sync(connection, table="answers")


def test_a_column_of_another_type_is_not_written(box: sondage.Sandbox) -> None:
    query = survey(box)
    with duckdb.connect() as connection:
        query.sync(connection, table="answers")
        before = connection.sql("SELECT count(*) FROM answers").fetchall()
        connection.sql("ALTER TABLE answers ALTER COLUMN nps TYPE BOOLEAN USING NULL")
        change(box, query)
        with pytest.raises(sondage.InvalidArgument, match=r"`nps` of the table `answers` has the type boolean, .* nothing was changed"):
            query.sync(connection, table="answers")
        assert connection.sql("SELECT count(*) FROM answers").fetchall() == before
        connection.execute("BEGIN")
        with pytest.raises(sondage.InvalidArgument, match=r"open transaction.* Commit it or roll it back first"):
            query.sync(connection, table="answers")


def test_a_place_that_is_none(box: sondage.Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for address in ("postgresql://u:secret@h/db", "s.duckdb"):
        with pytest.raises(sondage.InvalidArgument) as refused:
            survey(box).sync(address)
        assert "secret" not in str(refused.value) and not list(tmp_path.iterdir())
    with duckdb.connect() as connection, pytest.raises(sondage.InvalidArgument, match="`table` is empty"):
        survey(box).sync(connection, table="")
