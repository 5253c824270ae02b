"""One way to a table in Python: `peers.py WAY FORM FILE TIMES` prints CPU seconds, wall seconds and peak memory over the input."""

import json
import sys
import time


def flat(form, rows):
    """Rows as flat dictionaries, which is what these libraries take."""
    if form == "structured":
        return [{column["id"]: column["value"] for column in row["columns"]} for row in rows]
    if form == "members":
        return [
            {name: field["value"] for name, field in row.pop("fields").items()} | row for row in rows
        ]
    return rows


def rows_of(load, form, data):
    answer = load(data)
    return flat(form, answer["members" if form == "members" else "interviews"])


def json_pandas(form, data):
    import pandas

    return pandas.DataFrame(rows_of(json.loads, form, data))


def orjson_pandas(form, data):
    import orjson
    import pandas

    return pandas.DataFrame(rows_of(orjson.loads, form, data))


def orjson_polars(form, data):
    import orjson
    import polars

    return polars.from_dicts(rows_of(orjson.loads, form, data), infer_schema_length=None)


def pyarrow_json(form, data):
    """pyarrow reads one object per line, so the rows are rewritten first."""
    import io

    import orjson
    import pyarrow.json

    lines = b"\n".join(orjson.dumps(row) for row in rows_of(orjson.loads, form, data))
    options = pyarrow.json.ReadOptions(block_size=64 << 20)
    return pyarrow.json.read_json(io.BytesIO(lines), read_options=options)


def polars_read_json(form, data):
    import polars

    table = polars.read_json(data, infer_schema_length=None)
    rows = table.select(polars.col("members" if form == "members" else "interviews").explode()).unnest(
        "members" if form == "members" else "interviews"
    )
    if form == "structured":
        raise SystemExit("polars.read_json takes no list of id and value")
    return rows


WAYS = {
    "json + pandas": json_pandas,
    "orjson + pandas": orjson_pandas,
    "orjson + polars": orjson_polars,
    "pyarrow.json": pyarrow_json,
    "polars.read_json": polars_read_json,
}


def memory(line):
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(text.split()[1]) * 1024 for text in status if text.startswith(line))


def forget_peak():
    with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def main():
    way, form, file, times = sys.argv[1:]
    with open(file, "rb") as stream:
        data = stream.read()
    run = WAYS[way]
    small = data[: data.index(b"[") + 1] + b"]}"
    try:
        run(form, small)  # imports and thread start-up are not part of the measurement
    except Exception:  # some of them fail on an empty list
        pass
    forget_peak()
    before = memory("VmRSS:")
    cpu = wall = float("inf")
    peak = 0
    for i in range(int(times)):
        began, began_cpu = time.perf_counter(), time.process_time()
        table = run(form, data)
        cpu = min(cpu, time.process_time() - began_cpu)
        wall = min(wall, time.perf_counter() - began)
        if i == 0:
            peak = memory("VmHWM:") - before
        del table
    print(cpu, wall, peak)


if __name__ == "__main__":
    main()
