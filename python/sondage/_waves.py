"""Waves: what has changed between the questions of two tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ._errors import InvalidArgument
from ._reports import Comparison, comparison_of
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    Same = Union[str, Mapping[int | str, int | str]]


def stack(waves: Mapping[str, Table], *, crosswalk: Mapping[str, Mapping[str, Same]] | None = None) -> Table:
    """One table of several waves, with a column `wave` in front: `stack({"2025": earlier, "2026": later})`.

    Answers are aligned by their labels: if a label had another code in an earlier wave, it gets that code, so that a code means the same in
    every row. A column that a wave does not have is missing in its rows, and a warning says so. What does not fit is an error that lists all
    of it: another type of a question, a code whose label differs, a code without a label that means something in another wave.

    Args:
        waves: The tables by the name of their wave, in the order of time.
        crosswalk: What is the same although it looks different. For each wave, its columns with their name in the table, or with their codes
            and those of the table: `{"2026": {"Q1_new": "Q1", "Q2": {3: 1}}}`.
    """
    from json import dumps

    from ._native import make

    if not isinstance(waves, Mapping):
        raise InvalidArgument(f"waves must be tables by the name of their wave, such as {{\"2025\": table}}, not {type(waves).__name__}. Nothing was stacked.")
    for name, table in waves.items():
        if not isinstance(table, Table):
            raise InvalidArgument(f"waves[{name!r}] must be a table of this library, not {type(table).__name__}. Nothing was stacked.")
    tables = [table._native.method("to_bytes") for table in waves.values()]
    same = None if crosswalk is None else dumps({str(wave): {name: _same(same) for name, same in columns.items()} for wave, columns in crosswalk.items()})
    return Table(make("stack", {"names": [str(name) for name in waves], "tables": tables, "crosswalk": same}))._warned()


def _same(same: Same) -> Any:
    """Codes as texts."""
    return {str(code): str(known) for code, known in same.items()} if isinstance(same, Mapping) else same


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
