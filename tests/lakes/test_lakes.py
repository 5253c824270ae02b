"""The recipes for Delta Lake, Iceberg and dlt: each table is equal to a full download after each sync, whatever was left out before."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import sondage

sys.path += [str(Path(__file__).parents[2] / folder) for folder in ("examples/lakes", "tests/python")]
import lakes  # noqa: E402
from sync_kills import rows  # noqa: E402
from test_sync import change, survey  # noqa: E402

Publish = Callable[[Path], bool]
Read = Callable[[], pa.Table]


@pytest.fixture
def box() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox.demo() as sandbox:
        yield sandbox


def delta(folder: Path) -> tuple[Publish, Read]:
    from deltalake import DeltaTable

    place = str(folder / "lake")
    return lambda path: lakes.to_delta(path, place), lambda: pa.table(DeltaTable(place).to_pyarrow_table())


def iceberg(folder: Path) -> tuple[Publish, Read]:
    from pyiceberg.catalog.sql import SqlCatalog

    catalog = SqlCatalog("local", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/warehouse")
    catalog.create_namespace("surveys")
    name = "surveys.feedback"
    return lambda path: lakes.to_iceberg(path, catalog, name), lambda: catalog.load_table(name).scan().to_arrow()


def dlt_load(folder: Path) -> tuple[Publish, Read]:
    import dlt

    place = folder / "dlt.duckdb"
    pipeline = dlt.pipeline(
        "feedback", pipelines_dir=str(folder), destination=dlt.destinations.duckdb(str(place)), dataset_name="surveys"
    )

    def publish(path: Path) -> bool:
        info = pipeline.run(lakes.resource(path, "feedback"))
        info.raise_on_failed_jobs()
        return True

    def read() -> pa.Table:
        with duckdb.connect(str(place)) as connection:
            return connection.sql("SELECT * FROM surveys.feedback").to_arrow_table()

    return publish, read


def cells(table: pa.Table, names: dict[str, str]) -> Counter[str]:
    found = [{names.get(name, name): value for name, value in row.items() if not name.startswith("_dlt")} for row in table.to_pylist()]
    return rows(found)


@pytest.mark.parametrize("lake", [delta, iceberg, dlt_load])
def test_a_lake_is_equal_after_every_sync(lake: Callable[[Path], tuple[Publish, Read]], box: sondage.Sandbox, tmp_path: Path) -> None:
    query, path = survey(box), tmp_path / "s.parquet"
    publish, read = lake(tmp_path)

    def check() -> None:
        expected: Any = query.table().to_arrow()
        names = {}
        if lake is dlt_load:
            import dlt

            naming = dlt.Schema("names").naming
            names = {naming.normalize_identifier(name): name for name in expected.column_names}
        assert cells(read(), names) == rows(expected.to_pylist())

    query.sync(path)
    assert publish(path)
    check()
    repeats = lake is dlt_load
    assert publish(path) is repeats, "the same state is not a second version"
    check()
    change(box, query)
    query.sync(path)
    # The program was killed here: the next sync has nothing to do, and the lake gets the changes nevertheless.
    assert query.sync(path).changed == 0
    assert publish(path)
    check()
    assert publish(path) is repeats


def test_mypy_accepts_the_recipes() -> None:
    """Beside the other examples their libraries are not installed."""
    accepted = subprocess.run([sys.executable, "-m", "mypy", "--strict", lakes.__file__], capture_output=True, text=True, check=False)
    assert accepted.returncode == 0, accepted.stdout
