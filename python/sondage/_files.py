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


def by_column(codes: MissingCodes) -> Any:
    """Codes that mean a missing answer as the core takes them."""
    from collections.abc import Mapping

    from ._convert import ranges

    return {name: ranges(values) for name, values in codes.items()} if isinstance(codes, Mapping) else ranges(codes)


def declared(missing: MissingCodes | None) -> dict[str, Any]:
    return {} if missing is None else {"missing": by_column(missing)}
