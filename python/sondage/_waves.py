"""Waves: what has changed between the questions of two tables."""

from __future__ import annotations

from typing import cast

from ._errors import InvalidArgument
from ._reports import Comparison, comparison_of
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def compare(before: Table, after: Table) -> Comparison:
    """How the questions of a table differ from those of a later one: columns, types, texts, codes and labels. A change is breaking if
    numbers of both must not be compared before somebody has looked at it, such as a label that belongs to another code now.

    Args:
        before: The table of the earlier wave; its rows are not looked at. `query.head(1)` is enough.
        after: That of the later one. Markup and blanks are no differences; with `language`, texts are compared in a language that both have.
    """
    from ._native import make

    parts = []
    for name, table in [("before", before), ("after", after)]:
        if not isinstance(table, Table):
            raise InvalidArgument(f"{name} must be a table of this library, not {type(table).__name__}: `query.head(1)` is one")
        parts.append(table._native.method("to_bytes"))
    return comparison_of(cast("dict[str, Any]", make("compare", parts)))
