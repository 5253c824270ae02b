"""Files: the report of an export, and codes that mean a missing answer."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any, Union

    from ._reports import ExportReport

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


def by_column(codes: MissingCodes) -> dict[str, Any]:
    """Codes that mean a missing answer as the core takes them; `"*"` stands for all columns."""
    from ._convert import ranges

    given = codes.items() if hasattr(codes, "items") else [("*", codes)]
    return {name: ranges(values) for name, values in given}


def declared(missing: MissingCodes | None) -> dict[str, Any]:
    return {} if missing is None else {"missing": by_column(missing)}
