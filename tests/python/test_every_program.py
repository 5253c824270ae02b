"""Surveys with what real ones have, through every program: values, labels, orders, missing answers and dates are those of the table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
import sondage
from odd_surveys import plain, same, surveys

pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")


@pytest.fixture(scope="module")
def tables() -> list[tuple[str, sondage.Table]]:
    return list(surveys())


def cells_of_pandas(frame: pd.DataFrame) -> dict[str, list[Any]]:
    frame.attrs.clear()  # pandas copies them for each column
    filled = {str(name): frame[name].astype(object) for name in frame.columns}
    return {name: list(cells.where(cells.notna(), None)) for name, cells in filled.items()}


def cells_of_duckdb(found: Any) -> dict[str, list[Any]]:
    cells: dict[str, list[Any]] = found.to_arrow_table().to_pydict()
    return cells


def in_memory(answers: sondage.Table) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    yield "pandas", cells_of_pandas(answers.to_pandas())
    yield "pandas without nullable", cells_of_pandas(answers.to_pandas(nullable=False))
    yield "polars", answers.to_polars().to_dict(as_series=False)
    yield "pyarrow", pa.table(answers).to_pydict()
    yield "duckdb", cells_of_duckdb(duckdb.sql("select * from answers"))


def in_files(table: sondage.Table, folder: Path) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    file = folder / "answers.parquet"
    table.to_parquet(file)
    yield "parquet in pandas", cells_of_pandas(pd.read_parquet(file))
    yield "parquet in polars", pl.read_parquet(file).to_dict(as_series=False)
    yield "parquet in pyarrow", pq.read_table(file).to_pydict()
    yield "parquet in duckdb", cells_of_duckdb(duckdb.read_parquet(str(file)))
    again = list(sondage.read_parquet(file))
    yield "read_parquet", {name: [row[name] for row in again] for name in table.columns}


@pytest.mark.parametrize("labels", [False, True])
def test_every_program_has_the_same_answers(tables: list[tuple[str, sondage.Table]], tmp_path: Path, labels: bool) -> None:
    for survey, codes in tables:
        table = codes.with_labels(labels)
        rows = list(table)
        expected = {name: [row[name] for row in rows] for name in table.columns}
        for way, cells in [*in_memory(table), *in_files(table, tmp_path)]:
            assert list(cells) == table.columns, (survey, way)
            for name in table.columns:
                same(cells[name], expected[name], f"{survey}, {way}, {name}")


Read = tuple[pd.DataFrame, dict[str, Any], Any]
"""Cells, the labels of columns, and those of values."""


def in_spss(table: sondage.Table, folder: Path) -> Read:
    file = folder / "answers.sav"
    table.to_sav(file)
    frame, meta = pyreadstat.read_sav(file)
    return frame, meta.column_names_to_labels, meta.variable_value_labels


def in_stata(table: sondage.Table, folder: Path) -> Read:
    file = folder / "answers.dta"
    table.to_dta(file)
    _, meta = pyreadstat.read_dta(file, metadataonly=True)
    frame = pd.read_stata(file, convert_categoricals=False)
    again, _ = pyreadstat.read_dta(file)
    assert list(again.columns) == list(frame.columns) and len(again) == len(frame)
    if len(frame):
        pd.read_stata(file)  # its categories refuse equal labels
    return frame, meta.column_names_to_labels, meta.variable_value_labels


LABELLED: dict[str, tuple[Any, int, int]] = {"sav": (in_spss, 120, 1_000_000), "dta": (in_stata, 32_000, 1_000)}
"""How files that keep codes and labels apart are read, the longest label of a code, and the precision of times in microseconds."""


def in_file(cell: Any, precision: int) -> Any:
    """A cell as these files have it: without a zone, and without a difference between no text and an empty one."""
    cell = plain(cell)
    if isinstance(cell, datetime):
        micros = (cell - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1) // precision * precision
        return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=micros)
    if isinstance(cell, str):
        return cell.rstrip(" ") or None
    return cell


@pytest.mark.parametrize("kind", LABELLED)
def test_files_that_keep_codes_and_labels_apart(tables: list[tuple[str, sondage.Table]], tmp_path: Path, kind: str) -> None:
    read, longest, precision = LABELLED[kind]
    for survey, table in tables:
        frame, labels, values = read(table.with_labels(), tmp_path)
        rows = list(table)
        assert frame.shape == (len(rows), len(table.columns)), survey
        for name, column in zip(frame.columns, table.columns):
            where = f"{survey}, {kind}, {column}"
            found = [in_file(cell, precision) for cell in frame[name].astype(object)]
            same(found, [in_file(row[column], precision) for row in rows], where)
            own = table.label(column) or column
            assert labels[name] == own or "\u2026" in labels[name] and own.startswith(labels[name].partition("\u2026")[0]), where
            if kind == "dta" and any(isinstance(code, str) for code in table.values(column)):
                assert name not in values, "Stata has no labels of texts"
                continue
            written = {code: label for code, label in values.get(name, {}).items() if code not in (9_999_999, "9999999", "n")}
            expected = table.values(column)
            assert written.keys() == expected.keys() and len({*written.values()}) == len(written), where
            if all(len(label.encode()) <= longest for label in expected.values()):
                # A label that "not available" has too has its code behind it, as in a table with that code.
                assert all(written[code] in (label, f"{label} ({code})") for code, label in expected.items()), where


@pytest.mark.parametrize("labels", [False, True])
def test_a_workbook_has_the_same_answers(tables: list[tuple[str, sondage.Table]], tmp_path: Path, labels: bool) -> None:
    file = tmp_path / "answers.xlsx"
    for survey, codes in tables:
        table = codes.with_labels(labels)
        table.to_xlsx(file)
        book = openpyxl.load_workbook(file, read_only=True)
        head, *rows = book["data"].iter_rows(values_only=True)
        assert list(head) == table.columns and len(rows) == len(table), survey
        for row, expected in zip(rows, table):
            for name, cell, wanted in zip(head, row, expected.values()):
                if isinstance(cell, str) and isinstance(wanted, date):
                    assert cell == str(wanted) and wanted < date(1900, 3, 1), (survey, name)
                elif isinstance(wanted, datetime):
                    assert abs(cell.replace(tzinfo=timezone.utc) - wanted) < timedelta(milliseconds=2), (survey, name)
                else:
                    # openpyxl has an integer where a number has no decimals.
                    cell = float(cell) if isinstance(wanted, float) else cell
                    same([cell], [wanted or None if isinstance(wanted, str) else wanted], f"{survey}, {name}")
        values: dict[str, dict[Any, str]] = {}
        for name, code, label, missing in list(book["values"].iter_rows(values_only=True))[1:]:
            if not missing:
                values.setdefault(name, {})[code] = label
        for name in codes.columns:
            found, wanted = values.get(name, {}), codes.values(name)
            assert list(found) == list(wanted), (survey, name)
            assert all(f"{found[code]} ({code})" == label or found[code] == label for code, label in wanted.items()), (survey, name)


def test_every_program_reads_the_texts_of_a_csv_file(tables: list[tuple[str, sondage.Table]], tmp_path: Path) -> None:
    for survey, table in tables:
        names = [name for name in table.columns if name in ("words", "equal", "long") or name == "Id"]
        view = table.select(names).with_labels()
        file = tmp_path / "answers.csv"
        view.to_csv(file)
        expected = {name: [row[name] for row in view] for name in names}
        of_polars = pl.read_csv(file, infer_schema=False).to_dict(as_series=False)
        if len(view):
            found = duckdb.sql(f"from read_csv('{file}', all_varchar=true, header=true, quote='\"', escape='\"')")
            for name, cells in cells_of_duckdb(found).items():
                same([cell or None for cell in cells], [cell or None for cell in expected[name]], f"{survey}, duckdb, {name}")
        for name in names:
            same(of_polars[name], expected[name], f"{survey}, polars, {name}")


def test_labels_and_orders_are_those_of_the_questionnaire(tables: list[tuple[str, sondage.Table]], tmp_path: Path) -> None:
    for survey, codes in tables:
        table = codes.with_labels()
        file = tmp_path / "labels.parquet"
        table.to_parquet(file)
        frames = {"pandas": table.to_pandas(), "parquet": pd.read_parquet(file)}
        enums = table.to_polars().schema
        back = sondage.read_parquet(file)
        for name in table.columns:
            choices = [label for label in table.choices(name) if hasattr(frames["pandas"][name].dtype, "categories")]
            if not choices:
                continue
            assert choices == list(enums[name].categories), (survey, name)  # type: ignore[attr-defined]
            assert len(set(choices)) == len(choices), (survey, name)
            # A questionnaire's texts are markup; the labels of a frame are what they say.
            if survey.startswith("generated"):
                assert name != "long" or not len(table) or "<b>five</b> &amp; more" in choices
            else:
                assert not any("<b>" in label or "&amp;" in label for label in choices), (survey, name)
            for way, frame in frames.items():
                if way == "parquet" and not len(table):
                    # pandas takes the categories from the rows.
                    frame = back.to_pandas()
                assert list(frame[name].cat.categories) == choices, (survey, way, name)
            assert not len(table) or frames["pandas"][name].cat.ordered == frames["parquet"][name].cat.ordered
            assert back.choices(name) == choices
        if survey.startswith("generated") and len(table):
            ends = frames["pandas"]["ends"].cat
            assert ends.ordered and ends.categories[0] == "not at all" and ends.categories[-1] == "very"
            assert list(frames["pandas"]["down"].cat.categories) == ["high", "middle", "low"] and frames["pandas"]["down"].cat.ordered


def test_a_number_that_the_code_plan_calls_not_available_is_in_no_mean() -> None:
    with sondage.Sandbox.demo("waves") as box:
        table = box.client().interviews(box.survey_id, fields=["distance"]).table()
    assert table.to_pandas()["distance"].max() <= 80
    assert 9_999_999 not in table.values("distance")
    assert 9_999_999 in table.with_missing([], show="code").to_pandas()["distance"].to_list()
