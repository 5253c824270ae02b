"""R and PSPP read the files of SPSS and Stata: values, labels in order, missing answers, days and times are those of the table."""

from __future__ import annotations

import csv
import runpy
import subprocess
from dataclasses import dataclass
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any, Literal

import pytest
import sondage
from odd_surveys import surveys
from readers import Column, in_pspp, in_r, run_r, same_cell

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"

pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")


@dataclass
class Survey:
    """A survey whose files were read."""

    name: str
    table: sondage.Table
    answers: list[dict[str, Any]]
    codes: list[dict[str, Any]]
    """The answers, with the codes that mean that there is none."""
    read: dict[str, dict[str, Column]]
    """The columns that each program sees."""


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> list[Survey]:
    folder = tmp_path_factory.mktemp("files")
    known = []
    for number, (name, table) in enumerate(surveys()):
        table.to_sav(folder / f"{number}.sav")
        table.to_dta(folder / f"{number}.dta")
        raw = table.with_missing([], show="code")
        known.append(Survey(name, table, list(table), list(raw), {}))
    of_r = in_r(folder)
    for number, survey in enumerate(known):
        survey.read = {
            "haven, sav": of_r[f"{number}.sav", "haven"],
            "foreign, sav": of_r[f"{number}.sav", "foreign"],
            "pspp": in_pspp(folder / f"{number}.sav"),
            "haven, dta": of_r[f"{number}.dta", "haven"],
        }
    return known


def columns(survey: Survey, program: str) -> list[tuple[str, Column]]:
    """The columns of the table, and what a program sees of each."""
    found = survey.read[program]
    if program == "foreign, sav":
        # It has a column for each 255 bytes of a long text.
        names = [name for name in found if name in survey.read["haven, sav"]]
        assert names == list(survey.read["haven, sav"]), survey.name
        long = {name for name in survey.table.columns if any(isinstance(row[name], str) and len(row[name].encode()) > 255 for row in survey.codes)}
        return [(column, found[name]) for column, name in zip(survey.table.columns, names) if column not in long]
    assert len(found) == len(survey.table.columns), (survey.name, program)
    return list(zip(survey.table.columns, found.values()))


PROGRAMS = ["haven, sav", "foreign, sav", "pspp", "haven, dta"]


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_are_those_of_the_table(read: list[Survey], program: str) -> None:
    compared = 0
    for survey in read:
        for column, found in columns(survey, program):
            where = (survey.name, column)
            answers = {row: line[column] for row, line in enumerate(survey.answers) if line[column] not in (None, "")}
            if program == "foreign, sav":
                # It keeps missing codes, and counts days and times from 1582, in seconds.
                answers = {row: line[column] for row, line in enumerate(survey.codes) if line[column] not in (None, "")}
                answers = {row: since_1582(cell) for row, cell in answers.items()}
            cells = {row: cell for row, cell in found.cells.items() if cell.rstrip(" ")}
            answers = {row: cell for row, cell in answers.items() if not isinstance(cell, str) or cell.rstrip(" ")}
            assert cells.keys() == answers.keys(), where
            differing = [(row, cells[row], wanted) for row, wanted in answers.items() if not same_cell(cells[row], wanted)]
            assert not differing, (where, differing[:3])
            compared += len(cells)
    assert compared > 20_000


def since_1582(cell: Any) -> Any:
    if isinstance(cell, datetime):
        seconds = (cell - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds()
        return seconds // 1 + 12_219_379_200
    if isinstance(cell, date):
        return (cell - date(1582, 10, 14)).days * 86_400
    return cell


@pytest.mark.parametrize("program", PROGRAMS)
def test_labels_are_those_of_the_table(read: list[Survey], program: str) -> None:
    labelled = 0
    for survey in read:
        for column, found in columns(survey, program):
            where = (survey.name, column)
            own = survey.table.label(column) or column
            assert found.label == own or "\u2026" in found.label and own.startswith(found.label.partition("\u2026")[0]), where
            expected = {str(code): label for code, label in survey.table.values(column).items()}
            if program == "haven, dta" and any(isinstance(code, str) for code in survey.table.values(column)):
                assert not found.values, "Stata has no labels of texts"
                continue
            written = {code.rstrip(" "): label for code, label in found.values.items() if code.rstrip(" ") not in ("9999999", "n")}
            # Stata's labels are in the order of the codes; PSPP and foreign sort those of SPSS in the same way.
            ordered = sorted(expected, key=float) if program != "haven, sav" and all(map(is_number, expected)) else list(expected)
            assert list(written) == ordered and len({*written.values()}) == len(written), where
            for code, label in expected.items():
                short = len(label.encode()) <= (120 if "sav" in program or program == "pspp" else 32_000)
                assert not short or written[code] in (label, f"{label} ({code})"), where
            labelled += len(written)
    assert labelled > 500


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("program", ["haven, sav", "haven, dta"])
def test_r_knows_why_an_answer_is_missing(read: list[Survey], program: str) -> None:
    missing = 0
    for survey in read:
        for column, found in columns(survey, program):
            codes = {row: line[column] for row, line in enumerate(survey.codes) if line[column] != survey.answers[row][column]}
            if program == "haven, dta":
                # Missing codes of texts are empty texts.
                letters = {row for row, code in codes.items() if not isinstance(code, str)}
                assert found.missing_cells == dict.fromkeys(letters, "n"), (survey.name, column)
            else:
                assert found.missing_cells.keys() == codes.keys(), (survey.name, column)
                assert all(same_cell(found.missing_cells[row], code) for row, code in codes.items())
            missing += len(codes)
    assert missing > 200


@pytest.fixture(scope="module")
def delivery(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, sondage.Table]:
    """The files of the example, and what they have."""
    program = runpy.run_path(str(EXAMPLES / "three_files.py"))
    folder = tmp_path_factory.mktemp("delivery")
    with sondage.Sandbox.demo("waves") as box:
        return folder, program["deliver"](box.client(), box.survey_id, folder)


def weighted_mean(table: sondage.Table, column: str) -> float:
    rows = [(row[column], row["weight"]) for row in table if row[column] is not None]
    return float(sum(value * weight for value, weight in rows) / sum(weight for _, weight in rows))


def test_the_recipes_for_r_print_what_is_promised(delivery: tuple[Path, sondage.Table]) -> None:
    folder, table = delivery
    printed = run_r(EXAMPLES / "three_files.R", folder)
    assert printed == (EXAMPLES / "three_files_r.txt").read_text(encoding="utf-8")
    assert f"{weighted_mean(table, 'satisfaction'):.3f}" in printed


@pytest.mark.parametrize(
    ("content", "pairs"),
    [
        ("waves", [("satisfaction", "income", "weight"), ("bus", "age_group", "weight"), ("informed", "gender", "weight")]),
        ("demo", [("vote", "PID", None), ("vote", "PID", "age"), ("educ", "vote", "age"), ("PID", "income", "age")]),
    ],
)
def test_crosstabs_of_the_demos_are_those_of_svytable(
    tmp_path: Path, content: Literal["demo", "waves"], pairs: list[tuple[str, str, str | None]]
) -> None:
    with sondage.Sandbox.demo(content) as box:
        table = box.client().interviews(box.survey_id).table()
    tested = []
    for row, by, weight in pairs:
        crosstab = table.crosstab(row, by=by, weight=weight)
        answered = [answer for answer in table if answer[row] is not None and answer[by] is not None]
        with (tmp_path / "rows.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("row", "by", "weight"), *((one[row], one[by], one[weight] if weight else 1) for one in answered)])
        said = [line.split("\t") for line in run_r(HERE / "weighted.R", tmp_path).splitlines()]
        wanted = {(one, other): float(count) for one, other, count in said[:-1] if float(count)}
        cells = [cell for cell in crosstab.to_table() if cell["n"]]
        found = {(cell["code"], cell["by_code"]): cell["weighted_n"] if weight else cell["n"] for cell in cells}
        assert found == pytest.approx(wanted, rel=1e-12), (row, by, weight)
        assert crosstab.base == len(answered) and crosstab.test
        if weight and said[-1][2] != "NA":
            assert crosstab.test.p == pytest.approx(float(said[-1][2]), rel=1e-6, abs=0), (row, by)
            tested.append(row)
    assert tested, "R has a test of none of these tables"


def test_pspp_weights_by_the_weight_of_the_file(delivery: tuple[Path, sondage.Table]) -> None:
    folder, table = delivery
    (folder / "weight.sps").write_text(
        f"GET FILE='{folder / 'answers.sav'}'.\nSHOW WEIGHT.\nDESCRIPTIVES satisfaction /STATISTICS=MEAN.\n", encoding="utf-8"
    )
    subprocess.run(["pspp", "-o", folder / "weight.csv", folder / "weight.sps"], check=True)
    said = (folder / "weight.csv").read_text(encoding="utf-8")
    assert "WEIGHT is weight" in said
    # PSPP shows two decimals.
    assert f",{weighted_mean(table, 'satisfaction'):.2f}\n" in said, said


def test_measures_are_those_of_the_answers(delivery: tuple[Path, sondage.Table]) -> None:
    columns = in_pspp(delivery[0] / "answers.sav")
    measures = {name: column.measure for name, column in columns.items()}
    assert [measures[name] for name in ("satisfaction", "duration", "weight", "why_poor")] == ["Ordinal", "Scale", "Scale", "Nominal"]
    assert columns["income"].missing == ["99"] and columns["satisfaction"].missing == ["9999999"]


def test_thirty_three_thousand_columns(tmp_path: Path) -> None:
    with sondage.Sandbox(generated_interviews=2, generated_questions=33_000) as box:
        assert box.generated_survey_id is not None
        table = box.client().interviews(box.generated_survey_id).table()
    table.to_sav(tmp_path / "wide.sav")
    (tmp_path / "names.R").write_text("cat(names(haven::read_sav(file.path(commandArgs(TRUE)[[1]], 'wide.sav'))), sep = '\\n')", encoding="utf-8")
    assert run_r(tmp_path / "names.R", tmp_path).splitlines() == table.columns
    syntax = f"GET FILE='{tmp_path / 'wide.sav'}'.\nSAVE TRANSLATE /OUTFILE='{tmp_path / 'cells'}' /TYPE=CSV /FIELDNAMES.\n"
    (tmp_path / "names.sps").write_text(syntax, encoding="utf-8")
    subprocess.run(["pspp", "-o", tmp_path / "said.csv", tmp_path / "names.sps"], check=True)
    assert (tmp_path / "cells").read_text(encoding="utf-8").splitlines()[0].split(",") == table.columns
