"""Objects that can be passed to other processes, and those that cannot; and regressions that users reported."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import sondage
from conftest import DEADLINE

SHOWN = ["Id", "topics", "aspects_1", "since", "StartDate", "remark"]


@pytest.fixture(scope="module")
def table(reader: sondage.Client, shared_box: sondage.Sandbox) -> sondage.Table:
    return reader.interviews(shared_box.feedback_survey_id, fields=SHOWN).table()


def test_a_table_is_the_same_in_another_process(table: sondage.Table, tmp_path: Path) -> None:
    views = [
        table,
        table.with_labels(),
        table.with_labels("both").select(["aspects_1_label", "Id"]),
        table.with_lists().with_labels().in_time_zone("Europe/Zurich"),
        table.select([]),
    ]
    for view in views:
        twin = pickle.loads(pickle.dumps(view))
        assert twin.columns == view.columns and list(twin) == list(view) and twin.warnings == view.warnings
        assert len(twin) == 60 and repr(twin.codebook()) == repr(view.codebook())
        assert [twin.values(name) for name in twin.columns] == [view.values(name) for name in view.columns]
        pd.testing.assert_frame_equal(twin.to_pandas(), view.to_pandas())
    # Labels can still be switched, and another process can read the file without this one's objects.
    assert list(pickle.loads(pickle.dumps(table.with_labels())).with_labels(False)) == list(table)
    (tmp_path / "table").write_bytes(pickle.dumps(table.with_labels()))
    program = "import pickle, sys; print(len(pickle.load(open(sys.argv[1], 'rb')).choices('aspects_1')))"
    ended = subprocess.run([sys.executable, "-c", program, tmp_path / "table"], capture_output=True, text=True, timeout=DEADLINE)
    assert (ended.stdout, ended.stderr) == ("3\n", "")


def test_bytes_that_are_no_table() -> None:
    from sondage._table import restored

    for data in (b"", b"ARROW1", b"nonsense", b"\xff\xff\xff\xff\x10\x00\x00\x00" + bytes(16)):
        with pytest.raises(sondage.InvalidArgument, match="bytes are no"):
            restored(data, set())


def test_what_stays_in_its_process_says_what_to_send(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    for stays in (reader, shared_box.async_client()):
        with pytest.raises(TypeError, match="hand over its settings"):
            pickle.dumps(stays)
    for query in (reader.members(shared_box.panel_id), reader.interviews(shared_box.survey_id)):
        with pytest.raises(TypeError, match=r"hand over its `table\(\)`"):
            pickle.dumps(query)


def test_dates_are_dates_in_pandas(table: sondage.Table) -> None:
    frame = table.to_pandas()
    assert frame["since"].dtype == "datetime64[ms]" and frame["since"].dt.year.min() >= 2010
    known = [row["since"] for row in table]
    assert [None if pd.isna(day) else day.date() for day in frame["since"]] == known


def test_reports_say_how_long_it_took(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    query = reader.interviews(shared_box.feedback_survey_id)
    assert query.to_csv(tmp_path / "answers.csv").progress.seconds > 0
    with pytest.warns(sondage.DataWarning), query.delta(tmp_path / "state") as new:
        assert new.progress.seconds > 0
    report = reader.archive_answers(shared_box.feedback_survey_id, tmp_path / "answers")
    assert report.progress.seconds > 0


def test_a_file_is_what_its_name_says(table: sondage.Table, reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    query = reader.interviews(shared_box.feedback_survey_id)
    for format, write in (("CSV", table.to_csv), ("CSV", query.to_csv), ("JSON Lines", query.to_jsonl)):
        with pytest.raises(sondage.InvalidArgument, match=rf"answers\.parquet` is named like Parquet, but it would be {format}\."):
            write(tmp_path / "answers.parquet")
    assert not list(tmp_path.iterdir())
    table.to_csv(tmp_path / "answers.txt")


def test_completion_begins_with_what_is_meant() -> None:
    names = [name for name in dir(sondage) if not name.startswith("_")]
    assert "annotations" not in names and "TYPE_CHECKING" not in names
    assert {"Client", "Table", "field", "webhooks", "NetworkTimeout"} <= set(names)
