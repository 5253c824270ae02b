"""Files: the report of an export, and SPSS."""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from os import PathLike
    from typing import Any, Union

    from ._reports import ExportReport
    from ._table import Table

    Path = Union[str, PathLike[str]]
    _Codes = Union[float, Iterable[Union[float, str, range]]]
    MissingCodes = Union[_Codes, Mapping[str, _Codes]]


def exported(path: Path, told: dict[str, Any]) -> ExportReport:
    from os import fspath

    from ._reports import export_report_of
    from ._warned import tell

    report = export_report_of(told)._replace(path=fspath(path))
    tell(report.warnings, set())
    return report


def write_sav(table: Table, path: Path, shared: bool, missing: MissingCodes | None) -> None:
    """An SPSS file by pyreadstat. The core has brought the table within the limits of SPSS."""
    import os

    from ._foreign import converted, writing
    from ._table import Table, _need
    from ._warned import tell

    pyreadstat = _need("pyreadstat", "spss")
    declared = table if missing is None else table.with_missing(missing, show="code")
    held = Table(declared._native.method("for_spss", os.fsencode(path)))
    folder, name = os.path.split(os.path.abspath(os.fsdecode(path)))
    part = os.path.join(folder, f".{name}.new")
    with writing(os.fsdecode(path)), _draft(part, 0o666 if shared else 0o600):
        converted("pyreadstat", lambda held: _write(pyreadstat, held, part), held)
        os.replace(part, os.path.join(folder, name))
    tell(held.warnings, set())


@contextmanager
def _draft(part: str, mode: int) -> Iterator[None]:
    """A new file under the name that drafts of the core have. What a killed process has left there is replaced."""
    import os

    if os.path.lexists(part):
        with open(part, "rb") as left:
            _lock(left.fileno())
        os.remove(part)
    handle = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
    try:
        _lock(handle)
        yield
    finally:
        os.close(handle)
        if os.path.exists(part):
            os.remove(part)


def _lock(handle: int) -> None:
    """Fails if another process writes the file; Windows does that by itself."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:
        return
    flock(handle, LOCK_EX | LOCK_NB)


def _write(pyreadstat: Any, held: Table, part: str) -> None:
    from json import loads

    frame = held.to_pandas()
    options: dict[str, dict[str, Any]] = {}
    for name in frame.columns:
        metadata, column = held._metadata(name), frame[name]
        kind = str(column.dtype)
        if kind == "datetime64[ms]":  # a day, which SPSS has too
            if column.notna().any():  # of objects without a value nobody could tell the type
                frame[name] = column.dt.date.where(column.notna(), None)
        elif kind != "float64" and not kind.startswith("datetime64"):
            frame[name] = column.astype(object).where(column.notna(), "")
        # In SPSS the type of a label's value must be that of the column: number or text.
        read = float if kind == "float64" else str
        known = {
            "column_labels": metadata["sondage.label"],
            "variable_value_labels": {read(one["id"]): one["value"] for one in loads(metadata.get("sondage.values", "[]"))},
            "variable_measure": metadata["spss.measure"],
            "variable_format": metadata.get("spss.format"),
            "missing_ranges": loads(metadata.get("spss.missing", "[]")),
        }
        for option, value in known.items():
            if value:
                options.setdefault(option, {})[name] = value
    pyreadstat.write_sav(frame, part, **options)
