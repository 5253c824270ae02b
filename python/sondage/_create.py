"""Members from tables: what became of the rows."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Any, Protocol, Union

    from ._error import SondageError

    class Stream(Protocol):
        """A data frame of pandas, polars, pyarrow, DuckDB or any other Arrow producer."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

    Rows = Union[Stream, PathLike[str], Iterable[Mapping[str, Any]]]


class Chunk(NamedTuple):
    """Some rows that were sent together, at most once."""

    first_row: int
    """The first of them, counted from 0."""
    rows: int
    """How many there are."""
    ids: list[int | None]
    """The ids in the order of the rows. With as many ids as rows, one that is missing marks a row that was not created; with
    fewer, it is not known which rows they belong to (not published)."""
    issues: list[str | None]
    """Why members were not created."""
    error: SondageError | None
    """Why the chunk failed as a whole. After `OutcomeUnknown` its members may be there or not."""


class CreateReport(NamedTuple):
    """The outcome of each row."""

    chunks: list[Chunk]
    """The chunks that were sent, in order."""
    stopped: SondageError | None
    """Why the rows after the last chunk were not sent; `None` when all were."""
    unknown: list[int]
    """Rows of which it is not known whether they were created."""

    @property
    def created(self) -> int:
        """Members that are known to have been created."""
        return sum(bool(id) for chunk in self.chunks for id in chunk.ids)

    def raise_if_stopped(self) -> CreateReport:
        """The report, or the error that stopped the work."""
        if self.stopped is not None:
            raise self.stopped
        return self


def with_rows(choices: dict[str, Any], rows: Rows) -> tuple[dict[str, Any], Any]:
    """The argument for the native module: options with the path of a CSV file among them, or an Arrow stream.
    """
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

            # A column without a single value: polars hands it over with a buffer that Arrow does not provide for.
            rows = rows.cast({polars.Null: polars.String})
        return rows.__arrow_c_stream__()
    from ._table import _need

    dictionaries = list(rows)
    names = dict.fromkeys(name for row in dictionaries for name in row)
    columns = {name: [row.get(name) for row in dictionaries] for name in names}
    return _need("pyarrow", "arrow").table(columns).__arrow_c_stream__()


def creation_of(told: dict[str, Any]) -> CreateReport:
    chunks = [
        Chunk(chunk["firstRow"], chunk["rows"], chunk["ids"], chunk["issues"], error_of(chunk["error"]))
        for chunk in told["chunks"]
    ]
    return CreateReport(chunks, error_of(told["stopped"]), told["unknown"])


def error_of(failure: Any) -> Any:
    """The exception for what is known about an error, if there was one."""
    from ._error import made

    return None if failure is None else made(failure)
