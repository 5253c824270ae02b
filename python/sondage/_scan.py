"""A lazy polars frame of interviews: the query plan's columns, filters and limits determine what is
requested."""

from __future__ import annotations

from json import loads

from ._condition import field
from ._table import _need

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import polars

    from ._condition import Expression
    from ._queries import Interviews
    from ._table import Labels, Table

_SAMPLE = 100
"""Rows from which types are derived if the code plan does not define them."""
_OPERATORS = {"Eq": "__eq__", "Gt": "__gt__", "GtEq": "__ge__", "Lt": "__lt__", "LtEq": "__le__"}
_SWAPPED = {"Eq": "Eq", "Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq"}


def scan(query: Interviews, labels: Labels) -> polars.LazyFrame:
    """Reads one page for the schema; the rest, restricted to what the plan needs, is read when the frame is
    collected."""
    module = _need("polars", "polars")
    register = _need("polars.io.plugins", "polars").register_io_source
    first = query._sample(_SAMPLE).with_labels(labels)
    own = {name for name in first.columns if first._metadata(name).get("sondage.origin") == "service"}
    schema = _without_nulls(module, first.to_polars())

    def read(
        with_columns: list[str] | None, predicate: Any, n_rows: int | None, batch_size: int | None
    ) -> Iterator[polars.DataFrame]:
        wanted = list(schema) if with_columns is None else with_columns
        needed = {*wanted, *(predicate.meta.root_names() if predicate is not None else ())}
        # The labels `Q1_label` are derived from `Q1`.
        asked = [name for name in first.columns if name in needed or f"{name}_label" in needed]
        asked = [name for name in asked if not (name.endswith("_label") and name.removesuffix("_label") in schema)]
        narrowed = query._with(fields=asked)
        if predicate is not None and not labels:
            for test in conditions(predicate, own):
                narrowed = narrowed.where(test)
        if n_rows is not None and predicate is None:
            narrowed = narrowed._with(page_size=max(1, min(n_rows, query._choices.get("page_size", n_rows))))
        left = n_rows
        for table in narrowed.batches(labels):
            frame = _fitted(module, table, schema)
            # The service's comparisons are not documented well enough to be trusted alone.
            frame = (frame if predicate is None else frame.filter(predicate)).select(wanted)
            yield frame if left is None else frame.head(left)
            if left is not None:
                left -= min(left, frame.height)
                if left == 0:
                    return

    frame: polars.LazyFrame = register(read, schema=schema)
    return frame


def _without_nulls(module: Any, frame: polars.DataFrame) -> dict[str, Any]:
    """A column without answers so far has the type string, because any value may follow."""
    return {name: module.String if kind == module.Null else kind for name, kind in frame.schema.items()}


def _fitted(module: Any, table: Table, schema: dict[str, Any]) -> polars.DataFrame:
    """A page in the types of the frame. A value that does not fit is an error, never another value or null."""
    frame = table.to_polars()
    columns = dict.fromkeys(frame.columns)  # polars builds the list anew each time
    missing = [module.lit(None, kind).alias(name) for name, kind in schema.items() if name not in columns]
    try:
        kinds: Any = {name: schema[name] for name in columns if name in schema}
        return frame.with_columns(missing).cast(kinds, strict=True)
    except module.exceptions.PolarsError:
        found = frame.schema  # polars builds it anew each time
        wrong = [name for name, kind in kinds.items() if found[name] != kind]
        message = f"columns {', '.join(wrong)} hold other values than the first page promised: read them with to_polars()"
        raise ValueError(message) from None


def conditions(predicate: polars.Expr, own: set[str]) -> list[Expression]:
    """The comparisons of a predicate that the service can evaluate: those of a column with a value, joined by And."""
    return list(_tests(loads(predicate.meta.serialize(format="json")), own))


def _tests(node: Any, own: set[str]) -> Iterator[Expression]:
    match node:
        case {"BinaryExpr": {"left": left, "op": "And", "right": right}}:
            yield from _tests(left, own)
            yield from _tests(right, own)
        case {"BinaryExpr": {"left": {"Column": str(name)}, "op": str(operator), "right": {"Literal": literal}}}:
            yield from _test(name, operator, literal, own)
        case {"BinaryExpr": {"left": {"Literal": literal}, "op": str(operator), "right": {"Column": str(name)}}}:
            yield from _test(name, _SWAPPED.get(operator, ""), literal, own)


def _test(name: str, operator: str, literal: Any, own: set[str]) -> Iterator[Expression]:
    value = _value(literal)
    # Texts are compared for equality only, because the service's sort order is not published.
    if operator not in _OPERATORS or value is None or (isinstance(value, str) and operator != "Eq"):
        return
    variable = field.column(name) if name in own else field.question(name)
    test: Expression = getattr(variable, _OPERATORS[operator])(value)
    yield test


def _value(literal: Any) -> int | str | None:
    # Each version of polars has its own form: {"Int": 3}, {"Dyn": {"Int": 3}}, {"Scalar": {"dtype": .., "value": {"Int64": 3}}}.
    for name in ("Dyn", "Scalar", "value"):
        if isinstance(literal, dict):
            literal = literal.get(name, literal)
    match literal:
        case {"Int": int(value)} | {"Int64": int(value)} | {"Int32": int(value)}:
            return value
        case {"String": str(value)} | {"StringOwned": str(value)} | {"Str": str(value)}:
            return value if value and "," not in value else None
    return None
