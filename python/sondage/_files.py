"""Files: the report of an export, and SPSS."""

from __future__ import annotations

_RESERVED = {"ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"}
_EXACT = 2**53
"""SPSS keeps numbers as floating point: integers up to this are exact."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Any, Union

    from ._reports import ExportReport
    from ._table import Table

    Path = Union[str, PathLike[str]]


def exported(path: Path, told: dict[str, Any]) -> ExportReport:
    from os import fspath

    from ._reports import export_report_of
    from ._warned import tell

    report = export_report_of(told)._replace(path=fspath(path))
    tell(report.warnings, set())
    return report


def write_sav(table: Table, path: Path, shared: bool, missing: Mapping[str, Sequence[float]]) -> None:
    """An SPSS file with variable and value labels, measures and missing values, by pyreadstat."""
    import os
    from json import loads
    from tempfile import mkstemp

    from ._table import _need
    from ._warned import tell

    pyreadstat = _need("pyreadstat", "spss")
    frame = table.with_labels(False).to_pandas()
    labels: dict[str, str] = {}
    values: dict[str, dict[float | str, str]] = {}
    renamed: dict[str, str] = {}
    measures: dict[str, str] = {}
    formats: dict[str, str] = {}
    ranges: dict[str, Sequence[float | str]] = {}
    for column in missing:
        table.values(column)  # refuses a column that is not there
    for column in frame.columns:
        name = _spss_name(column, set(renamed.values()))
        renamed[column] = name
        metadata = table._metadata(column)
        labels[name] = metadata.get("sondage.label", column)[:256]
        kind = str(frame[column].dtype)
        if kind == "Int64" and (frame[column].abs() > _EXACT).any():
            tell([f"{column}: SPSS rounds integers beyond 2^53, so they are written as text"], set())
            frame[column], kind = frame[column].astype("string").astype(object).where(frame[column].notna(), ""), "object"
        elif kind in ("Int64", "Int32", "boolean"):
            frame[column] = frame[column].astype("Float64").astype("float64")
            kind, formats[name] = "float64", "F8.0"
        elif kind == "category":  # reasons of missing answers
            frame[column], kind = frame[column].astype(object).where(frame[column].notna(), ""), "object"
        elif kind == "datetime64[ms]":  # a date, which SPSS has too
            if frame[column].notna().any():
                frame[column] = frame[column].dt.date.where(frame[column].notna(), None)
            else:  # of objects without a value nobody could tell the type
                formats[name] = "DATE11"
        elif kind.startswith("datetime64"):
            frame[column] = frame[column].dt.tz_localize(None)
        # In SPSS the type of a label's value must be that of the column: number or text.
        read = float if kind == "float64" else str
        known = {one["id"]: one["value"] for one in loads(metadata.get("sondage.values", "[]"))}
        pairs: dict[float | str, str] = {}
        for code, label in known.items():
            try:
                pairs[read(code)] = label[:120]
            except ValueError:
                continue
        if pairs:
            values[name] = pairs
        if told := [read(one["id"]) for one in loads(metadata.get("sondage.missing", "[]"))]:
            ranges[column] = told
        measures[name] = "nominal" if pairs or kind in ("object", "str", "string") else "scale"
    folder, name = os.path.split(os.path.abspath(os.fspath(path)))
    # Created before anything is written, readable only by its owner, under an unguessable name.
    handle, part = mkstemp(".new", f".{name}.", folder)
    os.close(handle)
    try:
        if shared:
            os.remove(part)
            open(part, "x").close()
        pyreadstat.write_sav(
            frame.rename(columns=renamed),
            part,
            column_labels=labels,
            variable_value_labels=values,
            variable_measure=measures,
            variable_format=formats,
            missing_ranges={renamed[column]: list(codes) for column, codes in {**ranges, **missing}.items()},
        )
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def _spss_name(column: str, taken: set[str]) -> str:
    """A valid SPSS name: letters, digits and a few punctuation characters, at most 64 bytes, unique
    regardless of case."""
    name = "".join(sign if sign.isalnum() or sign in "._$#@" else "_" for sign in column)
    name = (name if name[:1].isalpha() else f"v{name}").encode()[:56].decode(errors="ignore").rstrip("._")
    if name.upper() in _RESERVED:
        name += "_"
    number, unique = 2, name
    while unique.lower() in {one.lower() for one in taken}:
        unique, number = f"{name}_{number}", number + 1
    return unique
