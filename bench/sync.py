"""A survey into a database: `sync.py WAY PORT ROWS FOLDER` prints the rows, CPU seconds, wall seconds, and the peak memory above that of
Python with its libraries."""

import os
import sys
import warnings

from service import Measured, settings


def sondage_duckdb(query, place):
    import duckdb

    # Threads of DuckDB that have nothing to do keep memory of their own.
    connection = duckdb.connect(place, config={"threads": 1, "memory_limit": "48MB", "preserve_insertion_order": False})
    connection.execute("SELECT 1")
    with Measured() as measured:
        rows = query.sync(connection, table="answers").rows
    (stored,) = connection.execute("SELECT count(*) FROM answers").fetchone()
    assert stored == rows, (stored, rows)
    return rows, measured


def pandas_sqlite(query, place):
    import sqlite3

    import pandas

    pandas.DataFrame({"a": [1]}).to_sql("a", sqlite3.connect(":memory:"), index=False)
    connection = sqlite3.connect(place)
    with Measured() as measured:
        frame = query.table().to_pandas(nullable=False)
        rows = frame.to_sql("answers", connection, index=False)
        connection.commit()
    return rows, measured


WAYS = {"DuckDB": sondage_duckdb, "to_pandas, to_sql": pandas_sqlite}


def main():
    import sondage

    warnings.simplefilter("ignore")
    way, port, rows, folder = sys.argv[1:]
    place = os.path.join(folder, "sync.database")
    with sondage.Client(**settings(port), page_size=5000) as client:
        client.read_panel(panel_id=1)
        rows, measured = WAYS[way](client.interviews(int(rows), code_plan=False, progress=False), place)
    print(rows, measured.cpu, measured.wall, measured.peak)
    os.remove(place)


main()
