"""Converts settings given in Python for the core."""

from __future__ import annotations

from ._error import SondageError
from ._native import Handle
from ._native import connect as connected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Init = TypeVar("Init", bound=Callable[..., None])

    from ._errors import InvalidArgument


def connect(given: dict[str, Any]) -> Handle:
    """The native client for the arguments of a constructor. They are removed afterwards, from this frame as
    well."""
    try:
        return connected(as_text(given), given["token_provider"], _store(given["token_store"]))
    finally:
        given.clear()


def refuse_unknown(init: Init) -> Init:
    """A constructor that says which setting was probably meant by a name that is none."""
    known: dict[str, Any] = getattr(init, "__kwdefaults__")

    def checked(self: Any, *given: Any, **settings: Any) -> None:
        try:
            if len(given) > 1:
                raise TypeError("only the account's address is given without a name; name the settings: `tenant=...`")
            for name in settings:
                if name not in known and name != "account":
                    raise TypeError(_not_known(name))
            init(self, *given, **settings)
        finally:
            # Crash reporters record the variables of every frame that an exception has passed through.
            settings.clear()
            del given

    # As `functools.wraps`, whose import takes longer than the rest of this module.
    checked.__wrapped__ = init  # type: ignore[attr-defined]
    checked.__name__, checked.__qualname__, checked.__doc__ = "__init__", init.__qualname__, init.__doc__
    return checked  # type: ignore[return-value]


def _not_known(name: str) -> str:
    try:
        connected({name: ""}, None, None)
    except SondageError as error:
        return str(error)
    return f"there is no setting {name}"


def as_text(given: dict[str, Any]) -> dict[str, str]:
    """Each setting as text, because the core parses settings from every source in the same way."""
    # Crash reporters record the variables of every frame that an exception has passed through.
    settings: dict[str, Any] = {}
    try:
        settings.update((name, value) for name, value in given.items() if name not in _NO_SETTINGS)
        credentials = given.get("credentials")
        if credentials is not None:
            settings.update((name, value) for name, value in credentials.settings.items() if value is not None)
        return {name: _text(value) for name, value in settings.items() if value is not None}
    finally:
        settings.clear()


def _store(store: Any) -> Any:
    missing = next((name for name in ("load", "save", "forget") if not callable(getattr(store, name, None))), None)
    if store is not None and missing is not None:
        what = f"`token_store` is of the type {type(store).__name__}, which has no method `{missing}`"
        raise wrong(what, "Give an object with the methods of `sondage.TokenStore`.")
    return store


_NO_SETTINGS = ("self", "credentials", "token_provider", "token_store")


def wire(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments under the core's names: `page_size` as `pageSize`."""
    return {camel(name): value for name, value in given.items()}


ABSENT: Any = ...  # what selects may be left out, but the core refuses `None`


def several(values: Any) -> Any:
    """Converts an iterable to a list, so that it can be read again. A single string is iterable too, but is left
    unchanged, as is what is no iterable, so that the core reports that a list is required."""
    single = isinstance(values, (str, bytes)) or not hasattr(values, "__iter__")
    return values if single else list(values)


def ranges(codes: Any) -> Any:  # a range may be long, so it is given by its ends
    if isinstance(codes, range) and not codes:
        raise wrong(f"{codes} has no codes", "The end of a range is not part of it: `range(1, 6)` has the codes 1 to 5.")
    ends = isinstance(codes, range) and codes.step == 1 and {"from": codes[0], "to": codes[-1]}
    return ends or ([ranges(code) for code in codes] if isinstance(codes, (list, tuple, set, frozenset)) else codes)


def filter_of(test: Any) -> Any:
    """A filter, or a list of conditions, as data for the core."""
    data = test if test is ABSENT else getattr(test, "data", None)
    if isinstance(test, (list, tuple)) and all(hasattr(one, "condition_operator") for one in test):
        return [one.to_dict() for one in test]
    if not isinstance(data, (dict, type(ABSENT))):
        hint = 'Make one with `sondage.field`: `sondage.field("Division") == "Sales"` for members, `sondage.field.question("S1") == 1` for interviews.'
        raise wrong(f"a filter is of the type {type(test).__name__}", hint)
    return data


def wrong(what: str, hint: str) -> InvalidArgument:
    from ._errors import InvalidArgument

    return InvalidArgument(f"{what}. Nothing was sent. {hint}")


def truth(name: str, value: bool) -> bool:
    """An option that Python code decides on; the core checks its own in the same way."""
    if isinstance(value, bool) or type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    from ._errors import InvalidArgument

    raise InvalidArgument(f"{name} must be True or False, not {type(value).__name__}")


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "total_seconds"):
        return str(value.total_seconds())
    return value.__fspath__() if hasattr(value, "__fspath__") else str(value)
