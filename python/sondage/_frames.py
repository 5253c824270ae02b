"""The columns of a data frame as the sandbox takes them."""

from __future__ import annotations

from ._errors import InvalidArgument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_INFINITE = float("inf")
# The service's columns: their times have a place on the platform, or mean nothing in another account.
_SERVICE = frozenset(("Id", "State", "Language", "StartDate", "EndDate", "UpdatedAt", "CreatedAt", "ExpiryDate"))
_MOST_FAULTS = 20


def columns_of(frame: Any, labels: Mapping[str, Mapping[Any, str]], questions: Mapping[str, str]) -> list[dict[str, Any]]:
    """A column for each one of a frame of pandas or polars, a mapping of columns, or rows as mappings.

    The error names everything that cannot be used, by column and row. Values that the platform has no type for become texts, with a warning.
    """
    columns: dict[str, Any] = {}
    faults: list[str] = []
    for name, column in _named(frame):
        if str(name) in columns:
            faults.append(f"the frame has two columns with the name {str(name)!r}: rename one")
        columns[str(name)] = column
    for what, given in (("labels", labels), ("questions", questions)):
        if not hasattr(given, "items"):
            raise InvalidArgument(f"{what} must be a mapping by column, not {type(given).__name__}")
        unknown = [name for name in given if name not in columns]
        if unknown:
            faults.append(f"{what}: the frame has no column {_few(unknown)}; it has {_few(list(columns))}")
    notes: dict[str, list[str]] = {}
    made = [_Column(name, faults, notes).made(column, labels.get(name), questions.get(name)) for name, column in columns.items()]
    if faults:
        more = f"; and {len(faults) - _MOST_FAULTS} more" if len(faults) > _MOST_FAULTS else ""
        raise InvalidArgument("; ".join(faults[:_MOST_FAULTS]) + more)
    if notes:
        from ._warned import tell

        tell([f"{_few(names)}: {what}" for what, names in notes.items()], set())
    return made


def _few(names: list[Any]) -> str:
    return ", ".join(map(repr, names[:12])) + (", .." if len(names) > 12 else "")


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


class _Column:
    """Converts a column, and notes what cannot be used."""

    def __init__(self, name: str, faults: list[str], notes: dict[str, list[str]]) -> None:
        self.name, self.faults, self.notes = name, faults, notes

    def made(self, column: Any, labels: Mapping[Any, str] | None, question: str | None) -> dict[str, Any]:
        self.text(f"column {self.name!r}:", self.name)
        if isinstance(column, (str, bytes)) or not hasattr(column, "__iter__"):
            self.faults.append(f"column {self.name!r}: a list of values is needed, not {type(column).__name__}")
            return {}
        if labels is not None and not hasattr(labels, "items"):
            self.faults.append(f"labels of {self.name!r} must be a mapping of codes, not {type(labels).__name__}")
            return {}
        categories = None if labels is not None else _categories(column)
        given = column.to_list() if hasattr(column, "to_list") else column
        if categories is not None:
            codes = {category: number for number, category in enumerate(categories, 1)}
            values = [None if _is_missing(value) else codes[value] for value in given]
            pairs = [[str(code), str(label)] for code, label in enumerate(self.values(categories), 1)]
        else:
            values = self.values(given)
            # A code without a label stays a code.
            named = [(code, label) for code, label in ({} if labels is None else labels).items() if not _is_missing(label)]
            pairs = [[str(_number(code)), str(label)] for code, label in named]
        for code, label in pairs:
            self.text(f"labels of {self.name!r}, {code!r}:", code + label)
        if question is not None:
            self.text(f"questions of {self.name!r}:", question)
        return {"name": self.name, "values": values, "labels": pairs, "question": question}

    def values(self, column: Iterable[Any]) -> list[Any]:
        """The values as JSON has them: numbers, texts, and `None` for what is missing."""
        values = [None if _is_missing(value) else self.number(value) for value in column]
        # Times at midnight are dates, if all of them are.
        has_times = any(map(_has_time, values))
        return [self.value(row, value, has_times) for row, value in enumerate(values)]

    def number(self, value: Any) -> Any:
        """A decimal as a number."""
        if isinstance(value, bool) or type(value).__name__ == "bool":
            self.note("truth values became 1 and 0: the platform has numbers, texts and dates")
        if type(value).__name__ != "Decimal":
            return _number(value)
        number = int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
        if type(value)(repr(number)) != value:
            self.note("decimals were rounded to numbers of 17 digits")
        return number

    def value(self, row: int, value: Any, has_times: bool) -> Any:
        place = f"column {self.name!r}, row {row}:"
        if value is None:
            return None
        if isinstance(value, float) and abs(value) == _INFINITE:
            self.faults.append(f"{place} a finite number is needed: replace the infinity, for example by None")
        elif isinstance(value, int) and not -(2**63) <= value < 2**64:
            self.faults.append(f"{place} the integer has more than 64 bits")
        elif isinstance(value, str):
            self.text(place, value)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self.faults.append(f"{place} bytes are no answer: decode them to a text")
        elif isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "items") or hasattr(value, "tolist"):
            self.faults.append(f"{place} a number, a text or None is needed, not {type(value).__name__}: give each part a column of its own")
        elif hasattr(value, "isoformat"):
            return self.time(value, has_times)
        elif self.name == "Id" and isinstance(value, (int, float)):
            self.note("numbers are no ids of interviews, which are GUIDs, so the interviews have new ones: rename the column to keep the numbers")
        elif not isinstance(value, (int, float)):
            return self.as_text(value, str(value))
        return value

    def time(self, value: Any, has_times: bool) -> str:
        """A date as the platform has dates. It has times only of interviews."""
        text: str = value.isoformat()
        if self.name in _SERVICE:
            # Times of the service have a zone.
            return text + "+00:00" if hasattr(value, "hour") and value.tzinfo is None else text
        return text[:10] if hasattr(value, "year") and not (has_times and hasattr(value, "hour")) else self.as_text(value, text)

    def as_text(self, value: Any, text: str) -> str:
        if self.name not in _SERVICE:
            self.note(f"values of the type {type(value).__name__} became texts: the platform has numbers, texts and dates")
        return text

    def note(self, what: str) -> None:
        names = self.notes.setdefault(what, [])
        if self.name not in names:
            names.append(self.name)

    def text(self, place: str, text: Any) -> None:
        """Notes half of a surrogate pair, which no other program can read."""
        try:
            str(text).encode()
        except UnicodeEncodeError:
            cure = "`text.encode('utf-8', 'replace').decode()`"
            self.faults.append(f"{place} half of a surrogate pair is no text: replace it, for example by {cure}")


def _categories(column: Any) -> list[Any] | None:
    """The categories of a column, in their order; `None` if it has none."""
    dtype: Any = getattr(column, "dtype", None)
    kind = type(dtype).__name__
    if kind == "CategoricalDtype":  # pandas
        return list(column.cat.categories)
    if kind == "Enum":  # polars
        return list(dtype.categories)
    if kind == "Categorical":  # polars: in the order in which they occur
        return list(dict.fromkeys(column.drop_nulls().to_list()))
    return None


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)
    except (ValueError, TypeError, ArithmeticError):  # arrays, and decimals that signal
        return type(value).__name__ == "Decimal"


def _number(value: Any) -> Any:
    """Scalars of numpy and booleans as numbers; everything else as it is."""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return int(value)
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        return _number(value.item())
    return value


def _has_time(value: Any) -> bool:
    """Whether it is a moment and no day."""
    if not hasattr(value, "year") or not hasattr(value, "hour"):
        return False
    return value.tzinfo is not None or (value.hour, value.minute, value.second, value.microsecond) != (0, 0, 0, 0)
