"""Counts votes with Spark. On a survey platform in this process; for a real account, leave out the sandbox."""

import os

import sondage
from pyspark.sql import SparkSession

with sondage.Sandbox.demo() as box:
    # Workers read the account from their environment, as on a cluster, so that it is not part of any plan.
    for name in ("base_url", "auth_url", "tenant", "client_secret"):
        os.environ[f"SONDAGE_{name.upper()}"] = getattr(box, name)

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    votes = spark.read.format("sondage").option("survey_id", box.survey_id).option("fields", "age,vote")
    votes.option("labels", "true").load().groupBy("vote").count().orderBy("vote").show()
    spark.stop()
