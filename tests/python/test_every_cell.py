"""The real survey, cell by cell, through every output format, compared with the file from which it was made."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sondage

FILE = Path(__file__).parents[2] / "crates/sondage-sandbox/data/anes96.csv"
Row = tuple[int, ...]
Door = Callable[[sondage.Interviews, Path], "tuple[list[str], list[Row]]"]


def expected() -> tuple[list[str], list[Row]]:
    with FILE.open() as lines:
        names, *rows = csv.reader(lines, delimiter="\t", quotechar="'")
    return names, sorted(tuple(int(cell) for cell in row) for row in rows)


def of_frame(frame: Any) -> tuple[list[str], list[Row]]:
    """Rows of a frame. A cell that is not an integer is kept as it is, so that the comparison fails."""
    return list(frame.columns), [tuple(row) for row in frame.itertuples(index=False)]


def in_memory(ours: sondage.Interviews, _: Path) -> tuple[list[str], list[Row]]:
    table = ours.table()
    return table.columns, [tuple(row.values()) for row in table]


def pandas(ours: sondage.Interviews, _: Path) -> tuple[list[str], list[Row]]:
    return of_frame(ours.to_pandas())


def polars(ours: sondage.Interviews, _: Path) -> tuple[list[str], list[Row]]:
    frame = ours.to_polars()
    return frame.columns, frame.rows()


def arrow(ours: sondage.Interviews, _: Path) -> tuple[list[str], list[Row]]:
    table = pa.table(ours)
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


def batches(ours: sondage.Interviews, _: Path) -> tuple[list[str], list[Row]]:
    table = pa.concat_tables(pa.table(page) for page in ours.batches())
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


def duck(ours: sondage.Interviews, _: Path) -> tuple[list[str], list[Row]]:
    answers = ours.table()  # noqa: F841: DuckDB finds it by its name
    found = duckdb.sql("select * from answers")
    assert found is not None
    return found.columns, found.fetchall()


def parquet(ours: sondage.Interviews, folder: Path) -> tuple[list[str], list[Row]]:
    table = pq.read_table(ours.to_parquet(folder / "survey.parquet").path)
    assert set(map(str, table.schema.types)) == {"int64"}
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


def parquet_in_duckdb(ours: sondage.Interviews, folder: Path) -> tuple[list[str], list[Row]]:
    found = duckdb.read_parquet(ours.to_parquet(folder / "survey.parquet").path)
    return found.columns, found.fetchall()


def parquet_in_polars(ours: sondage.Interviews, folder: Path) -> tuple[list[str], list[Row]]:
    frame = pl.read_parquet(ours.to_parquet(folder / "survey.parquet").path)
    return frame.columns, frame.rows()


def csv_file(ours: sondage.Interviews, folder: Path) -> tuple[list[str], list[Row]]:
    with open(ours.to_csv(folder / "survey.csv").path) as lines:
        names, *rows = csv.reader(lines)
    return names, [tuple(int(cell) for cell in row) for row in rows]


def csv_in_pandas(ours: sondage.Interviews, folder: Path) -> tuple[list[str], list[Row]]:
    return of_frame(pd.read_csv(ours.to_csv(folder / "survey.csv").path))


def jsonl_in_polars(ours: sondage.Interviews, folder: Path) -> tuple[list[str], list[Row]]:
    frame = pl.read_ndjson(ours.to_jsonl(folder / "survey.jsonl").path)
    return frame.columns, frame.rows()


DOORS: list[Door] = [
    in_memory,
    pandas,
    polars,
    arrow,
    batches,
    duck,
    parquet,
    parquet_in_duckdb,
    parquet_in_polars,
    csv_file,
    csv_in_pandas,
    jsonl_in_polars,
]


@pytest.mark.parametrize("structured", [False, True], ids=["compact", "structured"])
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_the_real_survey(
    reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Path, door: Door, structured: bool
) -> None:
    names, rows = expected()
    ours = reader.interviews(shared_box.survey_id, fields=names, structured=structured, page_size=301)
    columns, found = door(ours, tmp_path)
    # Columns are in the order of the questionnaire, rows in the order of their ids.
    places = [columns.index(name) for name in names]
    assert len(columns) == len(names)
    assert sorted(tuple(row[place] for place in places) for row in found) == rows
