"""Exceptions of other packages, as errors of this one."""

from __future__ import annotations

from ._error import SondageError
from ._errors import InvalidArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

_OURS = (SondageError, ImportError, MemoryError, Warning)


def converted(package: str, convert: Callable[[Any], T], table: Any) -> T:
    """Gives a table to another package. An exception of it names the column that it does not take; its own text is not
    shown, because it may quote answers."""
    try:
        return convert(table)
    except _OURS:
        raise
    except Exception as error:
        what = f"{package} does not take {_culprit(convert, table)} ({type(error).__name__}). Nothing was written."
        hint = "Leave the column out with `table.select`, or use another way: `to_arrow`, `to_parquet`, `to_csv`."
        raise InvalidArgument(f"{what} {hint}") from None


def _culprit(convert: Callable[[Any], object], table: Any) -> str:
    """The first column that fails alone, if another one does not."""
    refused, taken = None, False
    for name in getattr(table, "columns", ()):
        try:
            convert(table.select([name]))
            taken = True
        except Exception:
            refused = name if refused is None else refused
        if taken and refused is not None:
            return f"column {refused!r}"
    return "this table"
