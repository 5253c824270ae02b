"""Members from a polars frame to request bodies with orjson: `members.py ROWS TIMES`, measured like
`bench/src/bodies.rs`."""

import sys
import time

import orjson
import polars
from peers import forget_peak, memory

CITIES = ["Zürich", "Genève", "Bern", "München"]


def members(rows):
    r = range(rows)
    return polars.DataFrame(
        {
            "Email": [f"user{i}@example.com" for i in r],
            "FirstName": [f"Zoë{i}" for i in r],
            "LastName": [f"Müller{i % 1000}" for i in r],
            "Language": [["de", "fr", "en"][i % 3] for i in r],
            "City": [CITIES[i % 4] for i in r],
            "Division": [f"R&D {i % 7}" for i in r],
            "CustomerNo": [f"C-{i:07}" for i in r],
            "Remark": [f'said "{i}"\nin {CITIES[i % 4]}' if i % 2 == 0 else None for i in r],
            "BirthYear": [1940 + i % 65 for i in r],
            "Gender": [i % 3 for i in r],
            "CellPhoneNumber": [41_790_000_000 + i if i % 10 else None for i in r],
            "Score": [i % 1000 + 0.25 for i in r],
        }
    )


def bodies(frame):
    numbers = {name for name, kind in frame.schema.items() if kind.is_numeric()}
    kinds = [(name, "Number" if name in numbers else "String") for name in frame.columns]
    for chunk in frame.iter_slices(1000):
        rows = [
            {
                "fields": {
                    name: {"name": name, "fieldType": kind, "value": value}
                    for (name, kind), value in zip(kinds, row)
                    if value is not None
                }
            }
            for row in chunk.iter_rows()
        ]
        yield orjson.dumps({"tenant": "bench", "panelId": 1, "members": rows})


def main():
    rows, times = map(int, sys.argv[1:])
    frame = members(rows)
    cpu = wall = float("inf")
    forget_peak()
    before = memory("VmRSS:")
    for _ in range(times):
        began, began_cpu = time.perf_counter(), time.process_time()
        size = sum(len(body) for body in bodies(frame))
        cpu = min(cpu, time.process_time() - began_cpu)
        wall = min(wall, time.perf_counter() - began)
    print(size, cpu, wall, memory("VmHWM:") - before)


main()
