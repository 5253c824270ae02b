"""The columns of a data frame as the sandbox takes them."""

from __future__ import annotations

from ._errors import InvalidArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_INFINITE = float("inf")


def columns_of(frame: Any, labels: Mapping[str, Mapping[Any, str]], questions: Mapping[str, str]) -> list[dict[str, Any]]:
    """A column for each one of a frame of pandas or polars, a mapping of columns, or rows as mappings."""
    columns: dict[str, Any] = {}
    for name, column in _named(frame):
        if str(name) in columns:
            raise InvalidArgument(f"the frame has two columns with the name {str(name)!r}")
        columns[str(name)] = column
    for what, given in (("labels", labels), ("questions", questions)):
        if not hasattr(given, "items"):
            raise InvalidArgument(f"{what} must be a mapping by column, not {type(given).__name__}")
        unknown = [name for name in given if name not in columns]
        if unknown:
            raise InvalidArgument(f"{what}: the frame has no column {', '.join(map(repr, unknown))}")
    return [
        _column(name, column, labels.get(name), questions.get(name))
        for name, column in columns.items()
    ]


def _named(frame: Any) -> Iterable[tuple[Any, Any]]:
    if hasattr(frame, "get_columns"):  # polars
        return [(column.name, column) for column in frame.get_columns()]
    if hasattr(frame, "to_frame"):  # a series of pandas or polars
        raise InvalidArgument(f"a frame is needed, not one {type(frame).__name__}: pass its `to_frame()`")
    if hasattr(frame, "items"):  # pandas, and mappings
        return frame.items()  # type: ignore[no-any-return]
    if isinstance(frame, str) or not hasattr(frame, "__iter__"):
        raise InvalidArgument(f"a frame, a mapping of columns or rows are needed, not {type(frame).__name__}")
    rows = list(frame)
    if any(not hasattr(row, "get") for row in rows):
        raise InvalidArgument("each row must be a mapping")
    names = dict.fromkeys(name for row in rows for name in row)
    return [(name, [row.get(name) for row in rows]) for name in names]


def _column(name: str, column: Any, labels: Mapping[Any, str] | None, question: str | None) -> dict[str, Any]:
    if isinstance(column, (str, bytes)) or not hasattr(column, "__iter__"):
        raise InvalidArgument(f"column {name!r}: a list of values is needed, not {type(column).__name__}")
    categories = None if labels is not None else _categories(column)
    values = [_plain(value) for value in (column.to_list() if hasattr(column, "to_list") else column)]
    for row, value in enumerate(values):
        if isinstance(value, float) and abs(value) == _INFINITE:
            raise InvalidArgument(f"column {name!r}, row {row}: a finite number is needed")
        if isinstance(value, int) and not -(2**63) <= value < 2**64:
            raise InvalidArgument(f"column {name!r}, row {row}: the integer has more than 64 bits")
    if labels is not None and not hasattr(labels, "items"):
        raise InvalidArgument(f"labels of {name!r} must be a mapping of codes, not {type(labels).__name__}")
    if categories is not None:
        codes = {category: number for number, category in enumerate(categories, 1)}
        values = [None if value is None else codes[value] for value in values]
        pairs = [[str(code), str(category)] for category, code in codes.items()]
    else:
        # A code without a label stays a code.
        named = [(code, label) for code, label in (labels or {}).items() if _plain(label) is not None]
        pairs = [[str(_plain(code)), str(label)] for code, label in named]
    return {"name": name, "values": values, "labels": pairs, "question": question}


def _categories(column: Any) -> list[Any] | None:
    """The categories of a column, in their order; `None` if it has none."""
    dtype: Any = getattr(column, "dtype", None)
    kind = type(dtype).__name__
    if kind == "CategoricalDtype":  # pandas
        return [_plain(category) for category in column.cat.categories.tolist()]
    if kind == "Enum":  # polars
        return [_plain(category) for category in dtype.categories]
    if kind == "Categorical":  # polars: in the order in which they occur
        return [_plain(category) for category in dict.fromkeys(column.drop_nulls().to_list())]
    return None


def _plain(value: Any) -> Any:
    """A value as JSON has it: numbers, texts, and `None` for what is missing."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return None
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return int(value)
    if hasattr(value, "item"):  # a scalar of numpy
        value = value.item()
    if hasattr(value, "isoformat"):
        text: str = value.isoformat()
        return text[:10] if text.endswith("T00:00:00") else text
    return value if isinstance(value, (int, float, str)) else str(value)
