"""LibreOffice opens the workbooks: answers, days, times and counts are those of the table. Runs when it is named: `cargo xtask test office`."""

from __future__ import annotations

import csv
import subprocess
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import sondage
from odd_surveys import surveys
from readers import same_cell

pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")

# Commas, quotes around texts that need them, UTF-8, cells as they are shown, and every sheet.
FILTER = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, sondage.Table, dict[str, list[list[str]]]]]:
    """Each survey with the sheets of its workbook."""
    folder = tmp_path_factory.mktemp("workbooks")
    known = list(surveys())
    for number, (_, table) in enumerate(known):
        table.to_xlsx(folder / f"{number}.xlsx")
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    books = [folder / f"{number}.xlsx" for number in range(len(known))]
    subprocess.run(["soffice", "--headless", profile, "--convert-to", FILTER, "--outdir", folder, *books], check=True, capture_output=True)

    def sheet(number: int, name: str) -> list[list[str]]:
        with (folder / f"{number}-{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    names = ("data", "questions", "values", "frequencies")
    return [(name, table, {sheet_name: sheet(number, sheet_name) for sheet_name in names}) for number, (name, table) in enumerate(known)]


def is_shown(found: str, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return found == str(wanted).upper()
    if isinstance(wanted, datetime):
        shown = datetime.strptime(found, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
        return abs(wanted.astimezone(timezone.utc) - shown) < timedelta(seconds=1)
    if isinstance(wanted, float):
        return abs(float(found) - wanted) <= 1e-9 * abs(wanted)
    if isinstance(wanted, date):
        return found == wanted.isoformat()
    return same_cell(found, wanted)


def test_libreoffice_shows_the_answers_of_the_table(opened: list[tuple[str, sondage.Table, dict[str, list[list[str]]]]]) -> None:
    compared = 0
    for name, table, sheets in opened:
        head, *rows = sheets["data"]
        assert head == table.columns and len(rows) == len(table), name
        for row, expected in zip(rows, table):
            for column, found, wanted in zip(head, row, expected.values()):
                assert found == "" if wanted in (None, "") else is_shown(found, wanted), (name, column, found[:80], str(wanted)[:80])
                compared += wanted not in (None, "")
    assert compared > 20_000


def test_libreoffice_shows_labels_and_counts(opened: list[tuple[str, sondage.Table, dict[str, list[list[str]]]]]) -> None:
    for name, table, sheets in opened:
        values: dict[str, list[str]] = {}
        for column, code, _, missing in sheets["values"][1:]:
            if not missing:
                values.setdefault(column, []).append(code)
        counts = {(line[0], line[2]): int(line[5]) for line in sheets["frequencies"][1:] if not line[4]}
        for column in table.columns:
            codes = table.values(column)
            assert values.get(column, []) == [str(code) for code in codes], (name, column)
            if not codes or not len(table):
                continue
            for answer in table.frequencies(column).categories:
                if answer.code in codes:
                    assert counts[column, str(answer.code)] == answer.n, (name, column)
