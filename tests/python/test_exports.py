"""Files: complete or absent, whatever happens during the export, and nothing is downloaded twice."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import sondage
from conftest import DEADLINE

COLUMNS = ["popul", "PID", "educ", "age", "vote"]
OPERATION = "ReadInterviewListCompact"

EXPORT = """
import sys, sondage
settings = dict(pair.split("=", 1) for pair in sys.argv[3:])
client = sondage.Client(**settings, retry_base=0.01)
query = client.interviews(int(sys.argv[1]), fields=["popul", "PID", "educ", "age", "vote"], page_size=50,
                          progress=lambda now: print(now.rows, flush=True))
print("done", query.to_parquet(sys.argv[2]).rows, flush=True)
"""


def arguments(box: sondage.Sandbox, path: Path) -> list[str]:
    """Arguments of a program that exports in a separate process."""
    names = ("base_url", "auth_url", "tenant", "client_secret")
    settings = [f"{name}={getattr(box, name)}" for name in names]
    return [sys.executable, "-c", EXPORT, str(box.survey_id), str(path), *settings]


def query(client: sondage.Client, box: sondage.Sandbox) -> sondage.Interviews:
    return client.interviews(box.survey_id, fields=COLUMNS, page_size=100)


def test_every_format_holds_the_table(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    ours = query(reader, shared_box)
    rows = list(ours.table())
    done = ours.to_parquet(tmp_path / "a.parquet")
    assert (done.rows, done.progress.rows, done.progress.total) == (944, 944, 944)
    assert done.size == os.path.getsize(done.path) and done.warnings == []
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == rows
    ours.to_jsonl(tmp_path / "a.jsonl")
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").open()] == rows
    ours.to_csv(tmp_path / "a.csv", labels="both")
    read = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert [row["vote_label"] for row in read] == [row["vote"] for row in ours.table().with_labels()]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.jsonl", "a.parquet"]


def test_a_table_in_memory(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    table = query(reader, shared_box).table()
    assert table.with_labels().to_csv(tmp_path / "t.csv") == os.path.getsize(tmp_path / "t.csv")
    table.to_parquet(tmp_path / "t.parquet")
    assert pq.read_table(tmp_path / "t.parquet").to_pylist() == list(table)
    with pytest.raises(sondage.InvalidArgument, match="no folder"):
        table.to_jsonl(tmp_path / "not" / "there.jsonl")


def test_labels_of_a_parquet_file_have_their_order_in_every_reader(tmp_path: Path) -> None:
    import duckdb
    import pandas as pd
    import polars as pl

    scale = ["gar nicht", "wenig", "größer", "nie gewählt", "sehr"]
    scale_values = [{"id": str(code), "value": label} for code, label in enumerate(scale, 1)]
    plan = [
        {"code": "q", "dataType": "Number", "type": "SingleChoice", "question": "Q", "values": scale_values},
        {"code": "open", "dataType": "String", "type": "SingleChoice", "question": "O", "values": [{"id": "b", "value": "B"}, {"id": "a", "value": "A"}]},
    ]
    (tmp_path / "plan.json").write_text(json.dumps({"codePlan": plan}))
    (tmp_path / "answers.csv").write_text("q,open\n5,a\n1,b\n3,c\n1,\n,a\n")
    with sondage.Sandbox(data=tmp_path / "answers.csv", code_plan=tmp_path / "plan.json") as box:
        assert box.data_survey_id is not None
        query = box.client().interviews(box.data_survey_id, fields=["q", "open"])
        with pytest.warns(sondage.DataWarning, match="1 answer .* the categories are not ordered"):
            table = query.table().with_labels()
        query.to_parquet(tmp_path / "query.parquet", labels=True)
    table.to_parquet(tmp_path / "table.parquet")
    for name in ("query.parquet", "table.parquet"):
        path = tmp_path / name
        memory, frame = table.to_pandas(), pd.read_parquet(path)
        for column, ordered in (("q", True), ("open", False)):
            assert frame[column].tolist() == memory[column].tolist()
            for one in (memory, frame):
                assert one[column].cat.categories.tolist() == (scale if column == "q" else ["B", "A", "c"])
                assert one[column].cat.ordered is ordered
        assert frame["q"].max() == "sehr" and (frame["q"] >= "größer").sum() == (memory["q"] >= "größer").sum() == 2
        assert frame["q"].value_counts()["nie gewählt"] == 0
        [chunk] = pq.read_table(path)["q"].chunks
        assert chunk.type.ordered and chunk.dictionary.to_pylist() == scale
        read = pl.read_parquet(path)
        if int(pl.__version__.split(".")[0]) >= 2:  # older ones read a Categorical
            assert read.schema["q"] == pl.Enum(scale) and read["q"].max() == "sehr"
            assert read.equals(table.to_polars())
            assert pl.scan_parquet(path).filter(pl.col("q") > "wenig").collect().height == 2
        ask = duckdb.connect().execute
        found = ask(f"select q, count(*) from '{path}' where q is not null group by q order by 2 desc, 1").fetchall()
        assert found == [("gar nicht", 2), ("größer", 1), ("sehr", 1)]
        assert ask(f"select count(*) from '{path}' where q = 'sehr'").fetchall() == [(1,)]


def test_spss(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")
    ours = reader.interviews(shared_box.feedback_survey_id)
    ours.to_sav(tmp_path / "feedback.sav")
    query(reader, shared_box).to_sav(tmp_path / "anes.sav")
    frame, meta = pyreadstat.read_sav(str(tmp_path / "anes.sav"))
    assert frame["age"].tolist() == [row["age"] for row in query(reader, shared_box).table()]
    assert meta.variable_value_labels["vote"] == {0.0: "Clinton", 1.0: "Dole"}
    assert meta.column_names_to_labels["PID"] == "Party identification"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["anes.sav", "feedback.sav"]


def test_an_spss_file_without_rows_has_the_variables_of_a_full_one(
    reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path
) -> None:
    pyreadstat = pytest.importorskip("pyreadstat", reason="pyreadstat does not support this Python")

    def variables(table: sondage.Table) -> list[object]:
        table.to_sav(tmp_path / "a.sav")
        frame, meta = pyreadstat.read_sav(str(tmp_path / "a.sav"))
        assert len(frame) == len(table)
        # The width of a text or number is that of its longest value.
        formats = {name: re.sub(r"^(A|F)\d+", r"\1", kind) for name, kind in meta.original_variable_types.items()}
        read = meta.readstat_variable_types, meta.column_names_to_labels, meta.variable_value_labels, meta.variable_measure
        return [meta.column_names, formats, *read]

    surveys = shared_box.survey_id, shared_box.feedback_survey_id
    pairs: list[tuple[sondage.Table, sondage.Table]] = []
    for interviews in (reader.interviews(survey) for survey in surveys):
        pairs.append((interviews.table(), interviews.where(sondage.field.column("State") == "NoSuchState").table()))
    members = reader.members(shared_box.panel_id)
    pairs.append((members.table(), members.where(sondage.field("Email") == "nobody").table()))
    assert [len(empty) for _, empty in pairs] == [0, 0, 0]
    # A column that is missing in every row.
    dates = reader.interviews(shared_box.feedback_survey_id, fields=["Id", "since"])
    pairs.append((dates.table(), dates.where(sondage.field.column("State") == "NotResponded").table()))
    assert [row["since"] for row in pairs[-1][1]] == [None] * 3
    for full, empty in pairs:
        assert variables(empty) == variables(full)


def test_members(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    members = reader.members(shared_box.panel_id, page_size=50)
    members.to_parquet(tmp_path / "m.parquet")
    assert pq.read_table(tmp_path / "m.parquet").to_pylist() == members.to_arrow().to_pylist()
    assert sum(len(page) for page in members.batches()) == len(members.table())


def test_a_killed_process_leaves_no_file_and_loses_no_page(box: sondage.Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "killed.parquet"
    with subprocess.Popen(arguments(box, path), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        while int(process.stdout.readline()) < 300:
            pass
        process.send_signal(signal.SIGKILL)
    assert [entry.name for entry in tmp_path.iterdir()] == ["killed.parquet.part"]
    assert oct((tmp_path / "killed.parquet.part").stat().st_mode)[-3:] == "700", "answers of people"
    box.ledger.clear()
    done = subprocess.run(arguments(box, path), capture_output=True, text=True, timeout=DEADLINE)
    assert done.stdout.splitlines()[-1] == "done 944", done.stderr
    assert int(done.stdout.splitlines()[0]) >= 300
    assert len(box.ledger.requests(OPERATION)) <= 944 // 50 + 1 - 6
    assert len(set(pq.read_table(path).to_pandas().itertuples())) == 944
    assert [entry.name for entry in tmp_path.iterdir()] == ["killed.parquet"]


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits exist on Unix only")
def test_a_full_disk_leaves_no_file_and_loses_no_page(box: sondage.Sandbox, tmp_path: Path) -> None:
    import resource

    path = tmp_path / "full.parquet"
    # Its pages fit on the disk, and the file does not.
    small = EXPORT.replace("page_size=50", "page_size=20")
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n" + small
    command = arguments(box, path)
    full = subprocess.run([*command[:2], limited, *command[3:]], capture_output=True, text=True, timeout=DEADLINE)
    assert "could not be written" in full.stderr and "resumes from there" in full.stderr, full.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["full.parquet.part"]
    other = arguments(box, tmp_path / "none.parquet")
    nothing = [*other[:2], limited.replace("9000", "100"), *other[3:]]
    empty = subprocess.run(nothing, capture_output=True, text=True, timeout=DEADLINE)
    assert "starts from the beginning" in empty.stderr, "its first page did not fit, so nothing was kept"
    assert [entry.name for entry in tmp_path.iterdir()] == ["full.parquet.part"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 9000
    done = subprocess.run([*command[:2], small, *command[3:]], capture_output=True, text=True, timeout=DEADLINE)
    assert done.stdout.splitlines()[-1] == "done 944", done.stderr


def test_ctrl_c_leaves_no_file(box: sondage.Sandbox, tmp_path: Path) -> None:
    box.fault(OPERATION, skip=3, times=None, delay=30)
    path = tmp_path / "stopped.parquet"
    with subprocess.Popen(arguments(box, path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stderr
        while int(process.stdout.readline()) < 150:
            pass
        process.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in process.stderr.read()
    assert [entry.name for entry in tmp_path.iterdir()] == ["stopped.parquet.part"]


def test_progress(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    told: list[sondage.Progress] = []
    ours = reader.interviews(shared_box.survey_id, fields=["age"], page_size=100, progress=told.append)
    ours.table()
    assert told[-1].rows == told[-1].total == 944 and told[-1].calls == 10 and told[-1].bytes > 10_000
    assert [one.rows for one in told] == sorted(one.rows for one in told)

    def stop(progress: sondage.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        reader.interviews(shared_box.survey_id, page_size=10, progress=stop).table()


def test_no_bar_is_drawn_when_nobody_looks(
    reader: sondage.Client, shared_box: sondage.Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    reader.interviews(shared_box.survey_id, fields=["age"]).table()
    assert capsys.readouterr() == ("", "")


def test_what_a_bar_says(capsys: pytest.CaptureFixture[str]) -> None:
    from sondage._progress import Bar

    bar = Bar(sys.stderr)
    bar(sondage.Progress(5, 1, 100, 10, 0.2))
    assert capsys.readouterr().err == "", "an instant export shows no progress bar"
    bar(sondage.Progress(5_000, 5, 12_345_678, 20_000, 5.0))
    bar.close()
    assert capsys.readouterr().err == "\r[#####               ]  25%  5,000 rows  5 calls  12.3 MB  15 s left\n"


def test_a_bar_says_what_it_waits_for(box: sondage.Sandbox) -> None:
    from sondage._progress import Bar, Observer

    client = box.client()
    client.read_panel(panel_id=box.panel_id)
    box.fault("ReadPanel", delay=6, times=None)
    written = io.StringIO()
    bar = Observer(True, native=client._native)
    bar._bar = Bar(written)

    def read() -> None:
        with contextlib.suppress(sondage.SondageError):
            client.read_panel(panel_id=box.panel_id)

    threading.Thread(target=read, daemon=True).start()
    while "no data for 2 s" not in written.getvalue():
        bar.tick()
        time.sleep(0.05)
    assert written.getvalue().startswith("\rReadPanel: no data for 2 s (limit 200 s), attempt 1 of 3")
    (call,) = client.pending_calls()
    assert (call.operation, call.attempt, call.attempts, call.purpose, call.wait) == ("ReadPanel", 1, 3, None, None)
    assert call.limit == 200 and call.idle >= 2 and call.text.startswith("ReadPanel: no data for ")


def test_batches(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    ours = query(reader, shared_box)
    pages = list(ours.batches(labels=True))
    assert [len(page) for page in pages] == [100] * 9 + [44]
    assert [row for page in pages for row in page] == list(ours.table().with_labels())
    import duckdb

    counted = 0
    for batch in ours.batches():  # noqa: B007: DuckDB finds it by its name
        rows = duckdb.sql("select count(*) from batch where vote = 0")
        assert rows is not None
        counted += rows.fetchall()[0][0]
    assert counted == 551


def test_an_estimate_costs_one_call(client: sondage.Client, box: sondage.Sandbox) -> None:
    cost = client.interviews(box.survey_id, fields=["age"], page_size=100).estimate()
    assert (cost.rows, cost.calls) == (944, 10) and cost.bytes and cost.bytes > 10_000
    assert cost.minutes is not None and 0 < cost.minutes < 60
    assert len(box.ledger.requests(OPERATION)) == 1


def test_order(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    ours = reader.interviews(shared_box.survey_id, fields=["age"])
    ages = [row["age"] for row in ours.order_by("age", descending=True).table()]
    assert ages == sorted(ages, reverse=True)


def test_a_delta_with_a_time_ahead_of_the_clock_warns(
    client: sondage.Client, box: sondage.Sandbox, tmp_path: Path
) -> None:
    ours = client.interviews(box.feedback_survey_id, fields=["Id"])
    first, second, *_ = [row["Id"] for row in ours.state("NotResponded").table()]
    box.clock.advance(7200)
    assert box.emit("complete", id=first)
    box.clock.advance(-7200)
    state = tmp_path / "ahead.state"
    with pytest.warns(sondage.DataWarning, match="1 interview has an `UpdatedAt` that is ahead"), ours.delta(state) as new:
        assert first in [row["Id"] for row in new]
    assert box.emit("complete", id=second)
    with ours.delta(state) as new:
        assert [row["Id"] for row in new] == [second] and not new.warnings


def test_delta(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    state = tmp_path / "feedback.state"
    ours = client.interviews(box.feedback_survey_id, fields=["Id", "State"], labels=True)
    with pytest.raises(ZeroDivisionError), ours.delta(state) as new:
        assert len(new) > 20
        1 / 0  # noqa: B018
    with ours.delta(state, removed=True) as new:
        assert len(new) > 20, "changes that were not committed are returned again"
        assert "not found" not in str(new.warnings), "no ids were recorded before, and nothing is missing"
        new.to_parquet(tmp_path / "new.parquet")
    box.clock.advance(60)
    waiting = next(row["Id"] for row in client.interviews(box.feedback_survey_id).state("NotResponded").table())
    assert box.emit("complete", id=waiting)
    with ours.delta(state, removed=True, overlap=600) as new:
        assert [row["State"] for row in new] == ["Completed"] and new.removed == []
        assert new.progress.rows >= 1 and new.progress.calls >= 2
    with ours.delta(state) as new:
        assert len(new) == 0
    with ours.delta(state, removed=True) as new:
        assert new.removed == [] and "are not found" in str(new.warnings), "the previous load recorded no ids"
    with pytest.raises(sondage.InvalidArgument, match="another query"), ours.completed().delta(state):
        pass


def test_asyncio(shared_box: sondage.Sandbox, tmp_path: Path) -> None:
    import asyncio

    told: list[int] = []

    async def run() -> None:
        async with shared_box.async_client() as client:
            ours = client.interviews(
                shared_box.survey_id, fields=COLUMNS, page_size=100, progress=lambda now: told.append(now.rows)
            )
            assert (await ours.to_parquet(tmp_path / "a.parquet")).rows == 944
            sizes = [len(page) async for page in ours.batches()]
            assert sizes == [100] * 9 + [44]
            async with ours.delta(tmp_path / "a.state") as new:
                assert len(new) == 944
            async with ours.delta(tmp_path / "a.state") as new:
                assert len(new) == 0
            assert (await ours.estimate()).rows == 944

    asyncio.run(run())
    assert told[0] >= 0 and max(told) == 944
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 944


FILES = ["csv", "parquet", "jsonl", "xlsx", "sav", "dta"]
UNWRITABLE = Path("/proc")
"""A folder in which nobody can create files, not even root."""


def places(folder: Path, kind: str) -> dict[str, tuple[Any, str]]:
    (folder / f"folder.{kind}").mkdir()
    other = folder / f"a.{'sav' if kind == 'csv' else 'csv'}"
    found = {
        "no folder": (folder / "not" / f"there.{kind}", "there is no folder `.*not`. .*Make the folder first"),
        "a folder": (folder / f"folder.{kind}", "exists, and is not a file.*Give the path of a file"),
        "empty": ("", "`` names no file.*Give the path of a file"),
        "another format": (other, "is named like .*, but it would be .*Give it another name"),
        "a workbook": (folder / "a.ods", "is named like an OpenDocument spreadsheet.* Name the file .xlsx"),
    }
    if UNWRITABLE.exists():
        found["nobody may write"] = (UNWRITABLE / f"answers.{kind}", f"`/proc/answers.{kind}` could not be written: ")
    return found


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_cannot_be_there_is_refused_as_every_other_one(
    reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path, kind: str
) -> None:
    ours = query(reader, shared_box)
    for owner in (ours.table(), ours):
        folder = tmp_path / type(owner).__name__
        folder.mkdir()
        for what, (path, message) in places(folder, kind).items():
            before = len(shared_box.ledger.requests(OPERATION))
            with pytest.raises(sondage.InvalidArgument, match=message) as error:
                getattr(owner, f"to_{kind}")(path)
            if what != "nobody may write":
                assert len(shared_box.ledger.requests(OPERATION)) == before, f"{what}: refused before a call"
            assert error.value.__cause__ is None and "Traceback" not in str(error.value), what
    assert not [entry for entry in tmp_path.rglob("*") if entry.is_file() or "part" in entry.name]


WAYS = [("pandas", "pyarrow.table"), ("arrow", "pyarrow.table"), ("polars", "polars.DataFrame")]
ALL = "this table"


@pytest.mark.parametrize(("way", "patched"), WAYS)
@pytest.mark.parametrize("culprit", ["column 'age'", ALL])
def test_an_exception_of_another_package_becomes_one_of_ours(
    reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    way: str, patched: str, culprit: str,
) -> None:  # fmt: skip
    package = patched.partition(".")[0]
    module = pytest.importorskip(package, reason=f"{package} does not support this Python")
    works = getattr(module, patched.partition(".")[2])
    table = query(reader, shared_box).table()

    def fails(data: Any, *arguments: Any, **options: Any) -> Any:
        columns = data.columns if hasattr(data, "columns") else data.schema.names
        if culprit == ALL or "age" in columns:
            raise OverflowError("Ada said 12")
        return works(data, *arguments, **options)

    monkeypatch.setattr(patched, fails)
    with pytest.raises(sondage.InvalidArgument) as error:
        getattr(table, f"to_{way}")()
    shown = "".join(traceback.format_exception(error.value))
    assert f"does not take {culprit} (OverflowError). Nothing was written. Leave the column out" in shown
    assert "Ada" not in shown, "the text of another package may quote an answer"
    assert isinstance(error.value.__context__, OverflowError), "and is there for those who look for it"
    assert list(tmp_path.iterdir()) == []
