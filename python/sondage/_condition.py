"""Filters: which members to read or invite, which interviews to read.

    F = sondage.field
    client.members(123, where=(F("Division") == "Sales") & F("Language").is_in(["de", "fr"]))
"""

from __future__ import annotations

from ._comparisons import Comparisons, Variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date, datetime
    from typing import Any, ClassVar, NoReturn, Union

    from ._models.common import Condition
    from .types import ConditionOperator, ConditionType

    Value = Union[str, int, float, bool, date, datetime]
    Filter = Union["Expression", Sequence[Condition]]


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
        raise TypeError(
            "tests are joined with & and |, in brackets, not with `and`, `or` and `not`. `field in values` is written "
            "`field.is_in(values)`."
        )

    def __repr__(self) -> str:
        from ._native import make

        text: str = make("filter_text", self.data)
        return f"<sondage.Expression {text}>"


class Variable(Comparisons):
    """A variable; comparing it creates an expression."""

    __slots__ = ("_what",)
    _what: dict[str, Any]

    def __init__(self, condition_type: ConditionType, identifier: str, **more: str) -> None:
        self._what = {"type": condition_type, "identifier": identifier, **more}

    def compare(self, operator: ConditionOperator, value: Value | Iterable[Value] | None = None) -> Expression:
        """Compares with any operator of the API."""
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

    __hash__: ClassVar[None]  # type: ignore[assignment]
    __hash__ = None

    def _any(self, operator: ConditionOperator, values: Iterable[Value]) -> Expression:
        return self.compare(operator, _values(values))

    def _each(self, operator: ConditionOperator, values: Iterable[Value]) -> Expression:
        return Expression({"and": [self.compare(operator, value).data for value in _values(values)]})

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            from ._habits import unknown

            methods = [method for method in dir(Comparisons) if not method.startswith("_")]
            # `not_contains` is similar to its opposite.
            raise unknown("a variable of a filter", name, methods, near=False)

    def _with(self, **more: str) -> Variable:
        twin = Variable.__new__(Variable)
        twin._what = {**self._what, **more}
        return twin

    def __repr__(self) -> str:
        return f"Variable({self._what['type']}, {self._what['identifier']!r})"


class Fields(Variables):
    """Creates variables. Calling it creates a field of a panel."""

    __slots__ = ()

    def __call__(self, name: str) -> Variable:
        """A field of a panel or sample."""
        return self.panel(name)

    def variable(self, condition_type: ConditionType, identifier: str) -> Variable:
        """A variable of any other type that a condition can compare."""
        return Variable(condition_type, identifier)


field: Fields = Fields()


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
