"""Makes `spark.read.format("sondage")` known: Spark looks for data sources in modules that are called `pyspark_*`.

One module that cannot be imported would break all others, so this one always can.
"""

try:
    from sondage.spark import SondageDataSource as DefaultSource  # noqa: F401
except Exception:  # noqa: BLE001: a Spark without data sources, or none
    pass
