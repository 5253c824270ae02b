"""What R and PSPP read from a file."""

from __future__ import annotations

import csv
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from os import environ
from pathlib import Path

csv.field_size_limit(1 << 30)

HERE = Path(__file__).parent
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass
class Column:
    """A column of a file. Rows are counted from 0; cells are texts, as the program writes them."""

    label: str = ""
    measure: str = ""
    cells: dict[int, str] = field(default_factory=dict)
    missing_cells: dict[int, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def same_cell(found: str, wanted: object) -> bool:
    """Whether a program's text of a cell is that of the table."""
    if isinstance(wanted, datetime):
        # R counts seconds; PSPP writes a date.
        if found.startswith("@"):
            moment = EPOCH + timedelta(seconds=float(found[1:]))
        else:
            moment = datetime.strptime(found, "%m/%d/%Y %H:%M:%S").replace(tzinfo=timezone.utc)
        return timedelta(0) <= wanted.astimezone(timezone.utc) - moment < timedelta(seconds=1)
    if isinstance(wanted, date):
        parts = found.split("/")
        return wanted == (date(int(parts[2]), int(parts[0]), int(parts[1])) if len(parts) == 3 else date(*map(int, found.split("-"))))
    if isinstance(wanted, (int, float)):
        # PSPP writes 15 digits.
        return float(found) == wanted or abs(float(found) - wanted) < 1e-14 * abs(wanted)
    return found.rstrip(" ") == str(wanted).rstrip(" ")


def run_r(program: Path, folder: Path) -> str:
    """What a program prints, in whatever language this machine is."""
    command = ["Rscript", "--vanilla", program, folder]
    ended = subprocess.run(command, capture_output=True, encoding="utf-8", env=environ | {"LC_ALL": "C.UTF-8"})
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    return ended.stdout


def in_r(folder: Path) -> dict[tuple[str, str], dict[str, Column]]:
    """All files of a folder, by name and package."""
    run_r(HERE / "read.R", folder)
    read: dict[tuple[str, str], dict[str, Column]] = {}
    for path in folder.glob("*.csv"):
        name, package, _ = path.name.rsplit(".", 2)
        columns = read[name, package] = {}
        with path.open(encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file):
                column, key, text = columns.setdefault(line["column"], Column()), line["key"], line["text"]
                match line["kind"]:
                    case "label":
                        column.label = text
                    case "cell":
                        column.cells[int(key) - 1] = text
                    case "missing cell":
                        column.missing_cells[int(key) - 1] = text
                    case "value":
                        column.values[key] = text
                    case "missing":
                        column.missing.append(text)
    return read


def in_pspp(file: Path) -> dict[str, Column]:
    """An SPSS file."""
    cells, said, syntax = (file.with_suffix(f".{ending}") for ending in ("cells", "pspp.csv", "sps"))
    syntax.write_text(
        f"SET TVARS=NAMES TNUMBERS=VALUES.\nGET FILE='{file}'.\nDISPLAY DICTIONARY.\n"
        f"SAVE TRANSLATE /OUTFILE='{cells}' /TYPE=CSV /REPLACE /FIELDNAMES /CELLS=VALUES /MISSING=RECODE.\n",
        encoding="utf-8",
    )
    ended = subprocess.run(["pspp", "-o", said, syntax], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    columns: dict[str, Column] = {}
    for title, lines in tables(said):
        assert title in ("Variables", "Value Labels"), (title, lines)
        name = ""
        for line in lines[1:]:
            name = line[0] or name
            if title == "Variables":
                columns[name] = Column(line[2], line[3], missing=re.split("; ", line[9]) if line[9:] and line[9] else [])
            elif not name.startswith("Footnote"):
                columns[name].values[line[1].removesuffix("[a]")] = line[2]
    with cells.open(encoding="utf-8", newline="") as rows:
        head, *found = csv.reader(rows)
    assert head == list(columns)
    for row, line in enumerate(found):
        for column, cell in zip(columns.values(), line):
            if cell.rstrip(" "):
                column.cells[row] = cell
    return columns


def tables(said: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """The tables of an output."""
    title, lines = "", list[list[str]]()
    with said.open(encoding="utf-8", newline="") as file:
        for line in csv.reader(file):
            if line and line[0].startswith("Table: "):
                title, lines = line[0].removeprefix("Table: "), []
            elif not line and title:
                yield title, lines
                title = ""
            else:
                lines.append(line)
    if title:
        yield title, lines
