"""Tables from Arrow data of this library: files, and several tables."""

from __future__ import annotations

from ._errors import InvalidArgument
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ._files import Path


def read_parquet(path: Path, columns: Sequence[str] | None = None) -> Table:
    """The table of a file that `to_parquet` wrote, with the texts of its questions, codes, labels and declared missing values, in
    every language of a table that was read with `language`: `with_labels`, `codebook`, `frequencies` and every file format are there
    again. Needs pyarrow.

    Args:
        path: The file. `pandas.read_parquet`, polars, DuckDB and R read it as well, without the texts.
        columns: Only these columns, which are then read alone.
    """
    from os import fspath
    from os.path import isdir

    import pyarrow
    from pyarrow import parquet

    try:
        place = fspath(path)
    except TypeError:
        raise InvalidArgument(f"path is of the type {type(path).__name__}: hand over `pathlib.Path(...)`") from None
    if isdir(place):
        raise InvalidArgument(f"{place!r} is a folder: name one of its files; `concat` makes one table of several")
    try:
        file = parquet.ParquetFile(place)
    except FileNotFoundError:
        raise InvalidArgument(f"there is no file {place!r}") from None
    except pyarrow.ArrowInvalid:
        raise InvalidArgument(f"{place!r} is not a Parquet file") from None
    except (OSError, pyarrow.ArrowException) as error:
        raise _unreadable(place, error) from None
    with file:
        if columns is not None and (isinstance(columns, (str, bytes)) or not hasattr(columns, "__iter__")):
            raise InvalidArgument(f"columns must be a list, not {type(columns).__name__}")
        columns = None if columns is None else list(columns)
        missing = [name for name in columns or () if name not in file.schema_arrow.names]
        if missing:
            raise InvalidArgument(f"the file has no column {', '.join(map(repr, missing))}")
        for name in columns or ():
            codes = (file.schema_arrow.field(name).metadata or {}).get(b"sondage.labels_of")
            if codes is not None and codes.decode() not in (columns or ()):
                raise InvalidArgument(f"{name!r} has the labels of {codes.decode()!r}: name both")
        if columns is not None and len(set(columns)) < max(len(columns), 1):
            raise InvalidArgument("columns must name at least one column, and each once")
        try:
            table = file.read(columns=columns)
            table.validate(full=True)
        except (OSError, pyarrow.ArrowException) as error:
            raise _unreadable(place, error) from None
        # pyarrow reads the metadata of the columns with their rows, and not those of the survey.
        metadata = {**(file.schema_arrow.metadata or {}), **(table.schema.metadata or {})}
        table = table.replace_schema_metadata(metadata)
    # Files have columns in their own order.
    table = table if columns is None else table.select(columns)
    from ._native import make

    # A stream in memory: reading the bytes of one takes time by the square of the columns with labels.
    try:
        whole = Table(make("arrow_table", None, table.__arrow_c_stream__()))
    except TypeError as error:
        raise InvalidArgument(f"{place!r} has columns that are none of a table of this library, or is damaged: {error}") from None
    # The table shows labels behind their codes.
    in_order = columns is not None and sorted(columns) == sorted(whole.columns)
    return whole.select(columns or ()) if in_order else whole


def _unreadable(place: str | bytes, error: Exception) -> InvalidArgument:
    # What pyarrow says may quote an answer.
    if isinstance(error, OSError) and error.errno is not None:
        return InvalidArgument(f"{place!r} cannot be read: {error.strerror}")
    return InvalidArgument(f"{place!r} is damaged, so that its rows cannot be read: write it again, or take a copy of it")


def concat(tables: Iterable[Table]) -> Table:
    """One table of the rows of several, such as the pages of `batches()` or the loads of a year: its labels are the same for all rows,
    whatever codes a single page has, and why an answer is missing stays known. A code that some declare as missing and others have as an
    answer is an error: declare it in all, or afterwards.

    Args:
        tables: Tables of the same query, whose times are in one time zone. A column that some of them do not have is missing in their
            rows.
    """
    from ._native import make

    if isinstance(tables, Table) or hasattr(tables, "columns") or not hasattr(tables, "__iter__"):
        raise InvalidArgument(f"tables must be several tables, such as [first, second], not one {type(tables).__name__}")
    parts = []
    for number, table in enumerate(tables):
        if not isinstance(table, Table):
            raise InvalidArgument(f"tables[{number}] is a {type(table).__name__}: only tables of this library can be combined, before `to_pandas` or `to_polars`")
        parts.append(table._native.method("to_bytes"))
    return Table(make("concat", parts))
