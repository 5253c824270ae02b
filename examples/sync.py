"""A Parquet file and a table of DuckDB that stay equal to a survey."""

import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import sondage

warnings.simplefilter("ignore", sondage.DataWarning)
with sondage.Sandbox.demo() as box, TemporaryDirectory() as folder:
    client = box.client()
    survey = box.survey_id
    path = Path(folder, "survey.parquet")

    query = client.interviews(survey, fields=["State", "vote", "age"])
    report = query.sync(path)
    print(report.added, "added,", report.changed, "changed,", report.removed, "removed")

    box.fill(survey, 3)
    report = query.sync(path)
    print(report.added + report.changed, "new or changed,", report.removed, "removed")

    with duckdb.connect(str(Path(folder, "survey.duckdb"))) as connection:
        query.sync(connection, table="answers")
        counts = connection.sql("""
            SELECT v.label, count(*) FROM answers a
            JOIN sondage_values v ON v.name = 'answers' AND v.variable = 'vote' AND v.code = CAST(a.vote AS VARCHAR)
            GROUP BY v.label ORDER BY v.label
        """)
        print(counts.fetchall())
