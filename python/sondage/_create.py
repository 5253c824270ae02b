"""Converts rows from the caller for the native module."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any, Protocol, Union

    class Stream(Protocol):
        """A data frame of pandas, polars, pyarrow, DuckDB or any other Arrow producer."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    Rows = Union[Stream, PathLike[str], Iterable[Mapping[str, Any]]]


def with_rows(choices: dict[str, Any], rows: Rows) -> tuple[dict[str, Any], Any]:
    """The argument for the native module: options that contain the path of a CSV file, or an Arrow stream."""
    from os import PathLike, fsencode

    if isinstance(rows, (str, bytes)):
        from ._errors import InvalidArgument

        raise InvalidArgument(
            f"rows is a {type(rows).__name__}: a file is read by its path object only, so that no text from elsewhere opens one. "
            "Nothing was sent. Hand over `pathlib.Path(...)`."
        )
    if isinstance(rows, PathLike) and not hasattr(rows, "__arrow_c_stream__"):
        return {**choices, "rows": {"path": fsencode(rows)}}, None
    return choices, _stream_of(rows)


def _stream_of(rows: Any) -> Any:
    if hasattr(rows, "__arrow_c_stream__"):
        if type(rows).__module__.startswith("polars."):
            import polars

            # A column without values: polars exports it with a buffer that Arrow does not allow.
            rows = rows.cast({polars.Null: polars.String})
        return rows.__arrow_c_stream__()
    from ._table import _need

    dictionaries = list(rows)
    names = dict.fromkeys(name for row in dictionaries for name in row)
    columns = {name: [row.get(name) for row in dictionaries] for name in names}
    return _need("pyarrow", "arrow").table(columns).__arrow_c_stream__()
