"""A crosstab of two columns of a survey of 60, page by page: `results.py WAY PORT ROWS` prints CPU seconds, wall seconds, peak memory
above that of the start, and the number of interviews that were counted."""

import json
import sys

from service import HEADERS, INTERVIEWS, Measured, address, settings

ROWS, COLUMNS, PAGE = "Device", "State", 5000


def sondage_crosstab(port, survey):
    import sondage

    client = sondage.Client(**settings(port), page_size=PAGE)
    client.interviews(survey, code_plan=False).head(1)

    def run():
        return client.interviews(survey, code_plan=False).crosstab(ROWS, by=COLUMNS).rows

    return run


def pandas_crosstab(port, survey):
    import orjson
    import pandas
    import requests

    session = requests.Session()

    def page(number):
        paging = {"pageSize": PAGE, "page": number}
        body = json.dumps({"tenant": "bench", "surveyId": survey, "fieldsToDownload": [ROWS, COLUMNS], "paging": paging})
        return orjson.loads(session.post(address(port) + INTERVIEWS, data=body, headers=HEADERS).content)["interviews"]

    page(1)

    def run():
        rows, number = [], 1
        while found := page(number):
            rows.extend((row.get(ROWS), row.get(COLUMNS)) for row in found)
            number += 1
        frame = pandas.DataFrame(rows, columns=[ROWS, COLUMNS])
        pandas.crosstab(frame[ROWS], frame[COLUMNS])
        return len(frame)

    return run


def main():
    way, port, rows = sys.argv[1:]
    run = (pandas_crosstab if way.startswith("pandas") else sondage_crosstab)(port, int(rows))
    with Measured() as measured:
        counted = run()
    print(measured.cpu, measured.wall, measured.peak, counted)


main()
