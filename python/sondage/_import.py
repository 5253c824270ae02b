"""Rows from the caller for an import: dictionaries are passed to the core unchanged."""

from __future__ import annotations

from ._create import with_rows as _with_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._create import Rows


def with_rows(choices: dict[str, Any], rows: Rows) -> tuple[dict[str, Any], Any]:
    """The argument for the native module. Dictionaries are passed unchanged: the panel defines the types of
    their values."""
    from os import PathLike

    if isinstance(rows, (str, bytes, PathLike)) or hasattr(rows, "__arrow_c_stream__"):
        refuse_series(rows)
        return _with_rows(choices, rows)
    return {**choices, "rows": {"objects": [_plain(number, row) for number, row in enumerate(_several(rows))]}}, None


def refuse_series(rows: Any) -> None:
    if type(rows).__name__ == "Series":
        raise _wrong("rows is a single column", "Hand over a frame with a column for each field, for example `series.to_frame()`.")


def _several(rows: Any) -> Any:
    refuse_series(rows)
    collect = getattr(rows, "collect", None)
    if callable(collect) and type(rows).__module__.startswith("polars."):
        raise _wrong("rows is a lazy frame, which has no rows yet", "Hand over `rows.collect()`.")
    try:
        return iter(rows)
    except TypeError:
        kind = type(rows).__name__
        raise _wrong(f"rows is of the type {kind}", "Hand over a frame, the path object of a CSV file, or dictionaries.") from None


def _plain(number: int, row: Any) -> dict[str, Any]:
    from collections.abc import Mapping

    if not isinstance(row, Mapping):
        kind = type(row).__name__
        raise _wrong(f"row {number} is of the type {kind}", "Every row is a dictionary from the names of fields to values.")
    for name in row:
        if not isinstance(name, str):
            raise _wrong(f"row {number} has a key that is no text but {type(name).__name__}", "Keys are the names of fields.")
    return {name: _cell(number, name, value) for name, value in row.items()}


def _cell(number: int, name: str, value: Any) -> Any:
    from datetime import date, datetime, timezone
    from decimal import Decimal

    if value is None or isinstance(value, (bool, int, float, str)):
        return None if isinstance(value, float) and value != value else value
    if isinstance(value, datetime):
        return (value.astimezone(timezone.utc) if value.tzinfo else value.replace(tzinfo=timezone.utc)).isoformat()
    if isinstance(value, (date, Decimal)):
        return str(value)
    item = getattr(value, "item", None)  # a scalar of numpy
    if callable(item) and type(value).__module__ == "numpy":
        return _cell(number, name, item())
    raise _wrong(
        f"row {number} has in the column {name!r} a value of the type {type(value).__name__}",
        "A field holds a text, a number, a boolean, a date or nothing.",
    )


def _wrong(what: str, hint: str) -> Exception:
    from ._errors import InvalidArgument

    return InvalidArgument(f"{what}. Nothing was sent. {hint}")
