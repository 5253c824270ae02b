"""A large response over HTTP: `fetch.py WAY PORT SURVEY ROWS` prints CPU seconds, wall seconds and peak
memory."""

import json
import resource
import subprocess
import sys
import time

from service import ASKED, HEADERS, INTERVIEWS, PANEL, Measured, address, asked_for, settings


def sondage_table(port, survey, rows):
    import sondage

    client = sondage.Client(**settings(port))
    client.read_panel(panel_id=1)
    query = client.interviews(survey, page_size=rows, code_plan=False, progress=False)
    with Measured() as measured:
        table = query.table()
    assert len(table) == rows, len(table)
    return measured


def posting(post, make):
    def run(port, survey, rows):
        send = post()
        send(address(port) + PANEL, ASKED)
        make(b'{"interviews":[{"a":1}]}')
        with Measured() as measured:
            made = make(send(address(port) + INTERVIEWS, asked_for(survey, rows)))
        assert len(made) >= rows
        return measured

    return run


def requests_post():
    import requests

    session = requests.Session()
    session.headers.update(HEADERS)
    return lambda url, body: session.post(url, data=body).content


def httpx_post():
    import httpx

    client = httpx.Client(headers=HEADERS, timeout=60)
    return lambda url, body: client.post(url, content=body).content


def json_pandas(data):
    import pandas

    return pandas.DataFrame(json.loads(data)["interviews"])


def orjson_polars(data):
    import orjson
    import polars

    return polars.from_dicts(orjson.loads(data)["interviews"], infer_schema_length=None)


def curl(port, survey, rows):
    """curl, which discards the text. Its start-up time is subtracted."""

    def run(path, body):
        command = ["curl", "--silent", "--fail", "--compressed", "--output", "/dev/null", "--data-binary", body.decode()]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([*command, address(port) + path], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return used, time.perf_counter() - began, after.ru_maxrss * 1024

    start = [min(values) for values in zip(*(run(PANEL, ASKED) for _ in range(3)))]
    whole = run(INTERVIEWS, asked_for(survey, rows))
    measured = Measured()
    measured.cpu, measured.wall, measured.peak = (of_whole - of_start for of_whole, of_start in zip(whole, start))
    return measured


WAYS = {
    "sondage": sondage_table,
    "requests, the bytes": posting(requests_post, lambda data: data),
    "httpx, the bytes": posting(httpx_post, lambda data: data),
    "requests + json + pandas": posting(requests_post, json_pandas),
    "httpx + orjson + polars": posting(httpx_post, orjson_polars),
    "curl, thrown away": curl,
}


def main():
    way, port, survey, rows = sys.argv[1:]
    measured = WAYS[way](port, int(survey), int(rows))
    print(measured.cpu, measured.wall, measured.peak)


main()
