"""The Spark data source, in one process and with workers in processes of their own."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
import sondage
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DateType, DoubleType, LongType, StringType, StructField, StructType, TimestampType

FILE = Path(__file__).parents[2] / "crates/sondage-sandbox/data/anes96.csv"
OPERATION = "ReadInterviewListCompact"


@pytest.fixture(scope="session")
def box() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox(generated_interviews=500, generated_questions=8) as sandbox:
        yield sandbox


@pytest.fixture(scope="session", params=["local[2]", "local-cluster[2,1,1024]"])
def spark(request: pytest.FixtureRequest, box: sondage.Sandbox) -> Iterator[SparkSession]:
    # Workers read the account from their environment, as on a cluster, so that it is not part of any plan.
    for name in ("base_url", "auth_url", "tenant", "client_secret"):
        os.environ[f"SONDAGE_{name.upper()}"] = getattr(box, name)
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(request.param).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
    SparkSession._instantiatedSession = None


def survey(spark: SparkSession, box: sondage.Sandbox, **options: object) -> DataFrame:
    reader = spark.read.format("sondage").option("survey_id", box.survey_id)
    for name, value in options.items():
        reader = reader.option(name, str(value))
    return reader.load()


def test_the_real_survey_cell_by_cell(spark: SparkSession, box: sondage.Sandbox) -> None:
    with FILE.open() as lines:
        names, *rows = csv.reader(lines, delimiter="\t", quotechar="'")
    frame = survey(spark, box, fields=",".join(names), page_size=100).select(*names)
    assert all(isinstance(field.dataType, LongType) for field in frame.schema.fields)
    assert frame.rdd.getNumPartitions() == 10, "a page is a partition"
    found = sorted(tuple(row) for row in frame.collect())
    assert found == sorted(tuple(int(cell) for cell in row) for row in rows)


def test_each_worker_asks_for_one_token_and_none_is_in_the_plan(spark: SparkSession, box: sondage.Sandbox) -> None:
    before = len(box.ledger.token_requests())
    frame = survey(spark, box, fields="age", page_size=50)
    assert frame.count() == 944
    asked = len(box.ledger.token_requests()) - before
    # The driver, the planner, and the workers: up to two for each core.
    assert asked <= 8 < 19, f"{asked} tokens for 19 pages"
    plan = frame._jdf.queryExecution().toString()
    assert box.client_secret not in plan and "oken" not in plan


def test_only_the_columns_that_are_named(spark: SparkSession, box: sondage.Sandbox) -> None:
    schema = "age long, vote string"
    frame = spark.read.format("sondage").schema(schema).option("survey_id", box.survey_id).load()
    box.ledger.clear()
    assert {row.vote for row in frame.select("vote").collect()} == {"0", "1"}
    assert frame.columns == ["age", "vote"]
    asked = box.ledger.requests(OPERATION)
    # The request names two columns and the id, instead of the survey's ten.
    assert asked and all(arrival.bytes < 260 for arrival in asked)


def test_labels_and_times(spark: SparkSession, box: sondage.Sandbox) -> None:
    frame = survey(spark, box, fields="vote,StartDate", labels="both")
    kinds = {field.name: type(field.dataType) for field in frame.schema.fields}
    assert kinds == {"vote": LongType, "vote_label": StringType, "StartDate": TimestampType}
    counted = {row["vote_label"]: row["count"] for row in frame.groupBy("vote_label").count().collect()}
    assert counted == {"Clinton": 551, "Dole": 393}


def test_every_type_of_question_comes_as_in_the_process(spark: SparkSession, box: sondage.Sandbox) -> None:
    frame = spark.read.format("sondage").option("survey_id", box.feedback_survey_id).option("page_size", "700").load()
    kinds = {type(field.dataType) for field in frame.schema.fields}
    assert kinds == {LongType, DoubleType, StringType, DateType, TimestampType}
    client = sondage.Client(
        base_url=box.base_url, auth_url=box.auth_url, tenant=box.tenant, client_secret=box.client_secret
    )
    table = client.interviews(box.feedback_survey_id).table()
    assert frame.columns == table.columns

    def plain(value: object) -> object:
        return value.replace(tzinfo=None) if isinstance(value, datetime) else value

    here = {row["Id"]: [plain(value) for value in row.values()] for row in table}
    there = {row["Id"]: [plain(value) for value in row] for row in frame.collect()}
    assert len(there) == len(table) and there == here


def test_a_survey_that_changes_meanwhile_is_an_error(spark: SparkSession, box: sondage.Sandbox) -> None:
    frame = survey(spark, box, fields="age", page_size=200)
    fault = box.fault(OPERATION, skip=2, times=None, total_count=943)
    with pytest.raises(PySparkException, match="counts 943"):
        frame.collect()
    fault.remove()
    assert len(frame.collect()) == 944


def test_a_service_that_does_not_count_is_read_by_one_task(spark: SparkSession, box: sondage.Sandbox) -> None:
    fault = box.fault(OPERATION, times=None, total_count=0)
    frame = survey(spark, box, fields="age", page_size=300)
    assert frame.rdd.getNumPartitions() == 1 and frame.count() == 944
    fault.remove()


def test_wrong_options_and_writing(spark: SparkSession, box: sondage.Sandbox) -> None:
    with pytest.raises(PySparkException, match="which survey"):
        spark.read.format("sondage").load()
    with pytest.raises(PySparkException, match="in which it is a string"):
        text = spark.read.format("sondage").schema("StartDate long").option("survey_id", box.survey_id)
        text.load().collect()
    with pytest.raises(PySparkException, match="writes nothing"):
        spark.range(3).write.format("sondage").mode("append").save()


def test_a_stream_of_changes(spark: SparkSession, box: sondage.Sandbox, tmp_path: Path) -> None:
    reader = spark.readStream.format("sondage").option("survey_id", box.feedback_survey_id)
    frame = reader.option("fields", "Id,State,UpdatedAt").load()

    def run() -> list[str]:
        """Everything that changed since the last run, by a checkpoint."""
        batches: list[str] = []
        writer = frame.writeStream.option("checkpointLocation", str(tmp_path / "checkpoint"))
        stream = writer.foreachBatch(lambda batch, _: batches.extend(row.Id for row in batch.collect())).start()
        try:
            stream.processAllAvailable()
        finally:
            stream.stop()
        return batches

    first = run()
    assert len(first) == len(set(first)) > 10
    assert run() == []
    box.clock.advance(60)
    with box.client() as client:
        waiting = client.interviews(box.feedback_survey_id, fields=["Id"]).state("NotResponded").table()
        id = next(row["Id"] for row in waiting)
    assert box.emit("complete", id=id)
    assert run() == [id]


def test_a_time_of_change_ahead_of_the_clock_hides_no_later_change(spark: SparkSession, tmp_path: Path) -> None:
    from sondage.spark import SondageDataSource

    now = datetime.now(timezone.utc)
    ahead = [(now + timedelta(minutes=minutes)).isoformat() for minutes in (10, 120)]
    ids = [f"00000000-0000-4000-8000-{number:012}" for number in range(4)]
    for time in [*ahead, "2099-01-01T00:00:00Z", "9999-12-31T23:59:59.9999999Z"]:
        rows = [f"{ids[0]},Completed,{time},1"] + [f"{id},InProgress,2024-05-01T12:00:00Z,1" for id in ids[1:]]
        data, plan = tmp_path / "data.csv", tmp_path / "plan.json"
        data.write_text("\n".join(["Id,State,UpdatedAt,Q1", *rows]) + "\n")
        plan.write_text('{"codePlan": [{"code": "Q1", "dataType": "Number", "type": "SingleChoice"}]}')
        with sondage.Sandbox(data=data, code_plan=plan) as box:
            options = {name: getattr(box, name) for name in ("base_url", "auth_url", "tenant", "client_secret")}
            source = SondageDataSource({**options, "survey_id": str(box.data_survey_id), "fields": "Id"})
            reader = source.streamReader(StructType([StructField("Id", StringType())]))

            def changes(start: dict[str, str], end: dict[str, str]) -> list[str]:
                batches = [reader.read(span) for span in reader.partitions(start, end)]
                return sorted(id for batch in batches for part in batch for id in part.column("Id").to_pylist())

            begin = reader.initialOffset()
            with pytest.warns(sondage.DataWarning, match="1 interviews of survey"):
                first = reader.latestOffset()
                assert changes(begin, first) == ids
                assert box.emit("complete", id=ids[1])
                # The service's clock is known to the second: until it ends, the change is ahead of it.
                box.clock.advance(1)
                second = reader.latestOffset()
                assert changes(first, second) == [ids[1]], time
                assert reader.latestOffset() == second, "nothing is new"
                # An offset of an earlier version, from which nothing was found any more.
                old = {"UpdatedAt": "2099-01-01T00:00:00+00:00"}
                assert changes(old, second) == ids
            if time == ahead[0]:
                box.clock.advance(660)
                third = reader.latestOffset()
                assert changes(second, third) == [], "it is not returned again when its time has come"


def test_the_program_of_the_docs() -> None:
    program = Path(__file__).parents[2] / "examples/spark/votes.py"
    local = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost", "PYSPARK_PYTHON": sys.executable}
    ended = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=300, env=os.environ | local)
    assert ended.returncode == 0, ended.stderr
    assert re.findall(r"\|\s*(\w+)\s*\|\s*(\d+)\s*\|", ended.stdout) == [("Clinton", "551"), ("Dole", "393")]
