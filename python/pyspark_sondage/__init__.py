"""Makes `spark.read.format("sondage")` available: Spark looks for data sources in modules named `pyspark_*`.

A module that cannot be imported would break all others, so this one can always be imported.
"""

try:
    from sondage.spark import SondageDataSource as DefaultSource  # noqa: F401
except Exception:  # noqa: BLE001: a Spark without data sources, or no Spark
    pass
