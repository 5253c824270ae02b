"""A survey in a table of Delta Lake, of Iceberg, or of whatever dlt loads. Each function is called after a sync of the file. Delta and
Iceberg remember which state of the file they have, so repeated calls do nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq


def content(path: Path) -> tuple[str, pa.RecordBatchReader]:
    """The state of the file, and its rows. Columns without any value have no type that a lake knows."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(1 << 20):
            digest.update(piece)
    file = pq.ParquetFile(path)
    columns = [field for field in file.schema_arrow if not pa.types.is_null(field.type)]
    batches: Iterator[pa.RecordBatch] = file.iter_batches(columns=[field.name for field in columns])
    schema = pa.schema([field.remove_metadata() for field in columns])
    return digest.hexdigest(), pa.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in batches))


def to_delta(path: Path, place: str) -> bool:
    """Makes a version of a Delta table, unless its newest version has this state."""
    from deltalake import CommitProperties, DeltaTable, write_deltalake

    state, rows = content(path)
    if DeltaTable.is_deltatable(place) and DeltaTable(place).history(1)[0].get("survey_state") == state:
        return False
    properties = CommitProperties(custom_metadata={"survey_state": state})
    write_deltalake(place, rows, mode="overwrite", schema_mode="overwrite", commit_properties=properties)
    return True


def to_iceberg(path: Path, catalog: Any, name: str) -> bool:
    """Makes a snapshot of an Iceberg table, unless its newest snapshot has this state."""
    state, rows = content(path)
    table = catalog.create_table_if_not_exists(name, rows.schema)
    snapshot = table.current_snapshot()
    if snapshot is not None and snapshot.summary.additional_properties.get("survey_state") == state:
        return False
    with table.transaction() as transaction:
        with transaction.update_schema() as change:
            change.union_by_name(rows.schema)
        transaction.overwrite(rows.read_all(), snapshot_properties={"survey_state": state})
    return True


def resource(path: Path, name: str) -> Any:
    """A resource for `dlt.pipeline(...).run(...)`, which replaces the table. It always has all rows: dlt empties a table without any."""
    import dlt

    @dlt.resource(name=name, write_disposition="replace")
    def answers() -> Iterator[pa.RecordBatch]:
        yield from content(path)[1]

    return answers
