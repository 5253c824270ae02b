"""The methods of every model. The classes themselves are generated."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, TypeVar

    from typing_extensions import dataclass_transform

    Self = TypeVar("Self", bound="Model")
else:

    def dataclass_transform(**_):
        return lambda cls: cls

_set = object.__setattr__
_LONG = 12
"""The first entries of longer lists are displayed only."""
_LINES, _WIDTH, _NAME = 24, 100, 40
"""What `print` shows of a model at most."""


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Model:
    """A value of the API: attributes in snake_case, immutable.

    Two models are equal if all their attributes are. Fields of a response that this version does not know are kept
    in `extra`, by their names on the wire.
    """

    __slots__ = ("_extra",)
    if not TYPE_CHECKING:  # type checkers must see those of each class, by which `match` finds the attributes
        __match_args__ = ()
    _wire: ClassVar[tuple[str, ...]] = ()
    _nested: ClassVar[dict[str, Any]] = {}
    _secret: ClassVar[tuple[str, ...]] = ()
    _sparse: ClassVar[bool] = False
    _extra: dict[str, Any] | None

    @property
    def extra(self) -> dict[str, Any]:
        """Fields that this version does not know, unparsed."""
        return {} if self._extra is None else dict(self._extra)

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        names: tuple[str, ...] = getattr(cls, "__match_args__")
        return names

    @classmethod
    def from_dict(cls: type[Self], data: Mapping[str, Any]) -> Self:
        """Makes a model from the API's own form: names as on the wire, times as text."""
        names = dict(zip(cls._wire, cls._names()))
        optional = cls.__init__.__kwdefaults__ or {}
        known: dict[str, Any] = {}
        extra = {}
        for wire, value in data.items():
            name = names.get(wire)
            if name is None:
                extra[wire] = value
            elif value is not None or name not in optional:
                known[name] = value
        make: Callable[..., Self] = cls
        return make(**known, extra=extra)

    def to_dict(self) -> dict[str, Any]:
        """The API's own form: names as on the wire, times as text, unknown fields included."""
        out: dict[str, Any] = {}
        for wire, name in zip(self._wire, self._names()):
            value = getattr(self, name)
            if value is not None or not self._sparse or name not in self.__init__.__kwdefaults__:  # type: ignore[misc]
                out[wire] = _plain(value)
        out.update(self._extra or {})
        return out

    def to_json(self) -> str:
        """The API's own form as JSON text. A number with more digits than a float holds becomes text."""
        from json import dumps

        return dumps(self.to_dict(), ensure_ascii=False, default=str)

    def replace(self: Self, **changes: Any) -> Self:
        """A copy with other values for some attributes: `survey.replace(name="Spring")`."""
        values = {**dict(zip(self._names(), self._values())), "extra": self._extra}
        make: Callable[..., Self] = type(self)
        return make(**{**values, **changes})

    def _fill(self, given: dict[str, Any]) -> None:
        for name in self._names():
            _set(self, name, _read(self._nested.get(name), given[name]))
        _set(self, "_extra", dict(given["extra"]) if given["extra"] else None)

    if not TYPE_CHECKING:  # type checkers must see the attributes only

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a {type(self).__name__} cannot be changed: make a new one")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a {type(self).__name__} cannot be changed: make a new one")

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._names())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values() and self._extra == other._extra

    def __hash__(self) -> int:
        return hash((type(self), _frozen(self._values()), _frozen(self._extra)))

    def __repr__(self) -> str:
        parts = [f"{name}={_shown(value)}" for name, value in self._pairs() if value is not None]
        return f"{type(self).__name__}({', '.join(parts)})"

    def __str__(self) -> str:
        """A short model as `repr`, and a long one as a line for each attribute, at most a screen; `repr` has everything."""
        whole = repr(self)
        if len(whole) <= 2 * _WIDTH and "\n" not in whole:
            return whole
        entries = self._entries()
        # A longer name leaves room for its value.
        entries = [(name if len(name) <= _NAME else name[: _NAME - 1] + "…", value) for name, value in entries]
        width = max((len(name) for name, _ in entries), default=0)
        lines = [_cut(f"  {name:<{width}}  {_shown(value)}") for name, value in entries]
        if len(lines) >= _LINES:
            kept = _LINES - 2
            lines = [*lines[:kept], f"  … {len(lines) - kept:,} more lines: `repr` has everything"]
        return "\n".join([type(self).__name__, *lines])

    def _entries(self) -> list[tuple[str, Any]]:
        entries: list[tuple[str, Any]] = []
        for name, value in self._pairs():
            if isinstance(value, dict) and value:
                # A member is a mapping of the values of its fields.
                values = getattr(self, "items", value.items)() if name == "fields" else value.items()
                entries.extend((f"{name}.{_printable(key)}", one) for key, one in values)
            elif value is not None:
                entries.append((name, value))
        return entries

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def _pairs(self) -> list[tuple[str, Any]]:
        pairs = [(name, "***" if name in self._secret else getattr(self, name)) for name in self._names()]
        return [*pairs, ("extra", self._extra)]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._values(), self._extra)


def _restore(cls: type[Model], values: tuple[Any, ...], extra: dict[str, Any] | None) -> Model:
    model = cls.__new__(cls)
    for name, value in zip(cls._names(), values):
        _set(model, name, value)
    _set(model, "_extra", extra)
    return model


def told(cls: Any, data: Mapping[str, Any]) -> Any:
    """A model of what the core tells, in which times are texts."""
    names = zip(cls._wire, cls._names())
    # Annotations are texts here: `datetime | None`.
    times = {wire for wire, name in names if cls.__annotations__[name].startswith("datetime")}
    values = {wire: _time(value) if wire in times and value is not None else value for wire, value in data.items()}
    return _restore(cls, tuple(values.get(wire) for wire in cls._wire), None)


def _read(shape: Any, value: Any) -> Any:
    """Converts an argument to the type of an attribute, as the generated `_nested` defines."""
    if value is None or shape is None:
        return value
    if shape == "datetime":
        return _time(value) if isinstance(value, str) else value
    if isinstance(shape, str):
        from . import _models

        return value if isinstance(value, Model) else getattr(_models, shape).from_dict(value)
    if isinstance(shape, list):
        return [_read(inner, item) for item in value for inner in shape] if shape else list(value)
    return {key: _read(shape[""], item) for key, item in value.items()}


def _time(text: str) -> Any:
    from ._native import read_time

    return read_time(text)


def _plain(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if hasattr(value, "isoformat"):
        return value.isoformat().replace("+00:00", "Z")
    return value


def _frozen(value: Any) -> Any:
    """The same for hashing: equal values are equal here."""
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return frozenset((key, _frozen(item)) for key, item in value.items())
    return value


def _printable(key: Any) -> str:
    """A name of the service, or of a panel, without what would move the cursor of a terminal."""
    text = str(key)
    return text if text.isprintable() else repr(text)[1:-1]


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"


def _shown(value: Any) -> str:
    if isinstance(value, list) and len(value) > _LONG:
        first = ", ".join(repr(item) for item in value[:3])
        return f"[{first}, ... {len(value) - 3:,} more]"
    return repr(value)
