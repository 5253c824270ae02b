"""Filters: which members to read or invite, which interviews to read.

    F = sondage.field
    client.members(123, where=(F("Division") == "Sales") & F("Language").is_in(["de", "fr"]))
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime
    from typing import Any, NoReturn, Union

    from ._models.common import Condition
    from .types import ConditionOperator, ConditionType, VariableType

    Value = Union[str, int, float, bool, date, datetime]


class Expression:
    """One test, or several joined with `&` and `|`. `~` is the negation."""

    __slots__ = ("data",)
    data: dict[str, Any]
    """The expression as data for the core."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    def __and__(self, other: Expression) -> Expression:
        return Expression({"and": [self.data, other.data]})

    def __or__(self, other: Expression) -> Expression:
        return Expression({"or": [self.data, other.data]})

    def __invert__(self) -> Expression:
        return Expression({"not": self.data})

    def compile(self) -> list[Condition]:
        """The conditions of a request: the service knows no brackets, so And parts are repeated after an Or."""
        from ._native import make

        conditions: list[Condition] = make("compile", self.data)
        return conditions

    def __iter__(self) -> Iterator[Condition]:
        """An expression can be passed wherever an operation takes `conditions`."""
        return iter(self.compile())

    def __bool__(self) -> NoReturn:
        raise TypeError("tests are joined with & and |, in brackets, not with `and`, `or` and `not`")

    def __repr__(self) -> str:
        return f"Expression({self.data!r})"


class Variable:
    """A variable that a condition can compare. Its comparisons make expressions."""

    __slots__ = ("_what",)
    _what: dict[str, Any]

    def __init__(self, condition_type: ConditionType, identifier: str, **more: str) -> None:
        self._what = {"type": condition_type, "identifier": identifier, **more}

    def compare(self, operator: ConditionOperator, value: Value | Iterable[Value] | None = None) -> Expression:
        """Compares with an operator of the API, whatever it is."""
        return Expression({**self._what, "operator": operator, "value": _operand(value)})

    def __eq__(self, value: Value) -> Expression:  # type: ignore[override]
        return self.compare("IsEqualTo", value)

    def __ne__(self, value: Value) -> Expression:  # type: ignore[override]
        return self.compare("IsNotEqualTo", value)

    def __lt__(self, value: Value) -> Expression:
        return self.compare("IsLessThan", value)

    def __le__(self, value: Value) -> Expression:
        return self.compare("IsLessThanOrEqualTo", value)

    def __gt__(self, value: Value) -> Expression:
        return self.compare("IsGreaterThan", value)

    def __ge__(self, value: Value) -> Expression:
        return self.compare("IsGreaterThanOrEqualTo", value)

    __hash__ = None  # type: ignore[assignment]

    def is_in(self, values: Iterable[Value]) -> Expression:
        """Equal to any of the values. None may contain a comma, because the service separates them by commas."""
        return self.compare("AnyIsEqual", _values(values))

    def is_not_in(self, values: Iterable[Value]) -> Expression:
        """Different from each of the values."""
        return Expression({"and": [(self != value).data for value in _values(values)]})

    def contains(self, text: str) -> Expression:
        """Contains the text."""
        return self.compare("Contains", text)

    def does_not_contain(self, text: str) -> Expression:
        """Does not contain the text."""
        return self.compare("DoesNotContain", text)

    def matches(self, pattern: str) -> Expression:
        """Matches the regular expression. Its dialect is not published."""
        return self.compare("MatchRegex", pattern)

    def does_not_match(self, pattern: str) -> Expression:
        """Does not match the regular expression."""
        return self.compare("DoesNotMatchRegex", pattern)

    def is_empty(self) -> Expression:
        """Has no value."""
        return self.compare("IsEmpty")

    def is_not_empty(self) -> Expression:
        """Has a value."""
        return self.compare("IsNotEmpty")

    def prefixed(self) -> Variable:
        """The same, sent with its prefix: `member.Division`, `custom.Source`."""
        return self._with(form="prefixed")

    def bare(self) -> Variable:
        """The same, sent as it is written, without a prefix."""
        return self._with(form="bare")

    def of_type(self, variable_type: VariableType) -> Variable:
        """Sets the data type of the variable, where the service cannot know it."""
        return self._with(variableType=variable_type)

    def _with(self, **more: str) -> Variable:
        twin = Variable.__new__(Variable)
        twin._what = {**self._what, **more}
        return twin

    def __repr__(self) -> str:
        return f"Variable({self._what['type']}, {self._what['identifier']!r})"


class Fields:
    """Makes variables. Called directly, it makes a field of a panel."""

    __slots__ = ()

    def __call__(self, name: str) -> Variable:
        """A field of a panel or sample."""
        return self.panel(name)

    def panel(self, name: str) -> Variable:
        """A field of a panel or sample."""
        return Variable("Panel", name)

    def question(self, code: str) -> Variable:
        """A question of a survey, by its code."""
        return Variable("Question", code)

    def custom(self, name: str) -> Variable:
        """A custom variable of a survey."""
        return Variable("CustomVariable", name)

    def url(self, name: str) -> Variable:
        """A variable from the URL of an interview."""
        return Variable("UrlVariable", name)

    def column(self, name: str) -> Variable:
        """A system column of the service, such as `State` or `UpdatedAt`."""
        return Variable("SQL", name)

    def variable(self, condition_type: ConditionType, identifier: str) -> Variable:
        """A variable of any other type that a condition can compare."""
        return Variable(condition_type, identifier)


field = Fields()


def _values(values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)):
        from ._errors import InvalidArgument

        raise InvalidArgument('is_in and is_not_in take a list of values, not one text. Nothing was sent. Write ["de"], or == "de".')
    return list(values)


def _operand(value: Any) -> Any:
    if isinstance(value, list):
        return [_operand(item) for item in value]
    if hasattr(value, "utcoffset"):
        return {"time": value}
    if hasattr(value, "isoformat"):
        return {"date": value.isoformat()}
    return value
