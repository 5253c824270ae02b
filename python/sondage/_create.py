"""Converts rows from the caller for the native module, and reports invalid ones."""

from __future__ import annotations

from ._convert import wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any, Protocol, Union

    class Stream(Protocol):
        """A data frame of pandas, polars, pyarrow, DuckDB or any other Arrow producer."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    Rows = Union[Stream, PathLike[str], "Csv", "Workbook", Iterable[Mapping[str, Any]]]


class Csv:
    """A CSV file with a separator, an encoding or a decimal sign that is not recognised, as the `rows` of a method.

    ```python
    client.import_members(panel, sondage.Csv(Path("people.csv"), separator=";", encoding="windows-1250"), key="Email")
    ```
    """

    __slots__ = ("decimal", "encoding", "guarded", "path", "separator")

    def __init__(
        self,
        path: PathLike[str],
        *,
        separator: str | None = None,
        encoding: str | None = None,
        decimal: str | None = None,
        guarded: bool | None = None,
    ) -> None:
        """`separator` is a sign, or `"tab"`; `encoding` is a name such as `"windows-1252"`; `decimal` is `","` or `"."`.
        Default: all are recognised. `guarded` says whether texts have the sign `'` before them that `to_csv(spreadsheet=True)`
        writes; without it a file with such texts is refused."""
        self.path: PathLike[str] = path
        self.separator: str | None = separator
        self.encoding: str | None = encoding
        self.decimal: str | None = decimal
        self.guarded: bool | None = guarded

    def __repr__(self) -> str:
        options = f"separator={self.separator!r}, encoding={self.encoding!r}, decimal={self.decimal!r}, guarded={self.guarded!r}"
        return f"sondage.Csv({self.path!r}, {options})"


class Workbook:
    """A workbook (.xlsx) of which something is named, as the `rows` of a method.

    ```python
    client.import_members(panel, sondage.Workbook(Path("people.xlsx"), sheet="Members"), key="Email")
    ```
    """

    __slots__ = ("decimal", "path", "sheet")

    def __init__(self, path: PathLike[str], *, sheet: str | None = None, decimal: str | None = None) -> None:
        """`sheet` is the name of the sheet; default: the first that is shown. `decimal` is what separates the decimals of numbers in
        cells of text, `.` or `,`; default: it is recognised, or the rows are refused."""
        self.path: PathLike[str] = path
        self.sheet: str | None = sheet
        self.decimal: str | None = decimal

    def __repr__(self) -> str:
        return f"sondage.Workbook({self.path!r}, sheet={self.sheet!r}, decimal={self.decimal!r})"


def with_rows(choices: dict[str, Any], rows: Rows, typed: bool = False) -> tuple[dict[str, Any], Any]:
    """The argument for the native module: options that contain the path of a file or dictionaries, or an
    Arrow stream. `typed`: the panel decides the types of values, so decimals are texts, which lose no digit."""
    from collections.abc import Mapping
    from os import PathLike, fsencode

    kind = type(rows).__name__
    if isinstance(rows, (str, bytes)):
        what = f"rows is a {kind}: a file is read by its path object only, so that no text from elsewhere opens one"
        raise wrong(what, "Hand over `pathlib.Path(...)`.")
    if kind in ("Series", "ChunkedArray"):
        raise wrong("rows is a single column", "Hand over a frame with a column for each field, for example `series.to_frame()`.")
    if isinstance(rows, Mapping):
        raise wrong(f"rows is of the type {kind}", "Hand over a list with a dictionary for each person, or a frame.")
    if hasattr(rows, "__arrow_c_stream__"):
        return choices, _stream_of(rows)
    if isinstance(rows, PathLike):
        rows = Csv(rows)
    if isinstance(rows, (Csv, Workbook)):
        if not isinstance(rows.path, PathLike):
            raise wrong(f"the path of a {kind} is of the type {type(rows.path).__name__}", "Hand over `pathlib.Path(...)`.")
        named = {name: getattr(rows, name) for name in type(rows).__slots__ if name != "path"}
        return {**choices, "rows": {"path": fsencode(rows.path), **named}}, None
    if callable(getattr(rows, "collect", None)):
        raise wrong("rows is a lazy frame, which has no rows yet", "Hand over `rows.collect()`.")
    try:
        several = enumerate(rows)
    except TypeError:
        hint = "Hand over a frame, the path object of a CSV file, or dictionaries."
        raise wrong(f"rows is of the type {kind}", hint) from None
    return {**choices, "rows": {"objects": [_plain(number, row, typed) for number, row in several]}}, None


def _stream_of(rows: Any) -> Any:
    names = [str(name) for name in getattr(rows, "columns", ()) if isinstance(name, (str, int))]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise wrong(f'there are two columns "{twice[0]}"', "Rename one, or leave it out.")
    if type(rows).__module__.startswith("polars."):
        import polars

        # A column without values: polars exports it with a buffer that Arrow does not allow.
        rows = rows.cast({polars.Null: polars.String})
    try:
        return rows.__arrow_c_stream__()
    except (ValueError, TypeError) as error:
        # Only the end of the message names a column; the rest may be a person's value.
        where = str(error.args[-1]).partition("Conversion failed for ")[2]
        hint = "Give each column values of one type, or hand over dictionaries."
        raise wrong(f"rows cannot be read as a table{where and ': ' + where}", hint) from None


def _plain(number: int, row: Any, typed: bool) -> dict[str, Any]:
    from collections.abc import Mapping

    if not isinstance(row, Mapping):
        kind = type(row).__name__
        raise wrong(f"row {number} is of the type {kind}", "Every row is a dictionary from the names of fields to values.")
    for name in row:
        if not isinstance(name, str):
            raise wrong(f"row {number} has a key that is not text but {type(name).__name__}", "Keys are the names of fields.")
    return {name: _cell(number, name, value, typed) for name, value in row.items()}


def _cell(number: int, name: str, value: Any, typed: bool) -> Any:
    from datetime import date, datetime, timezone
    from decimal import Decimal

    if value is None or isinstance(value, (bool, int, float, str)):
        return None if isinstance(value, float) and value != value else value
    if isinstance(value, datetime):
        return (value.astimezone(timezone.utc) if value.tzinfo else value.replace(tzinfo=timezone.utc)).isoformat()
    if isinstance(value, Decimal) and not typed and Decimal(repr(float(value))) == value:
        return float(value)
    if isinstance(value, (date, Decimal)):
        return str(value)
    item = getattr(value, "item", None)  # a scalar of numpy
    if callable(item) and type(value).__module__ == "numpy":
        return _cell(number, name, item(), typed)
    raise wrong(
        f"row {number} has in the column {name!r} a value of the type {type(value).__name__}",
        "A field holds a text, a number, a boolean, a date or nothing.",
    )
