"""What is probably meant by a name that an object does not have: that of another library, or a slip."""

from __future__ import annotations

TYPE_CHECKING = False

_MEANT = {
    "to_excel": "to_xlsx",
    "to_dataframe": "to_pandas",
    "to_df": "to_pandas",
    "to_frame": "to_pandas",
    "df": "to_pandas",
    "to_stata": "to_dta",
    "to_spss": "to_sav",
    "to_pyarrow": "to_arrow",
    "value_counts": "frequencies",
    "collect": "table",
    "fetch": "table",
    "limit": "head",
    "filter": "where",
    "isna": "is_empty",
    "isnull": "is_empty",
    "notna": "is_not_empty",
    "notnull": "is_not_empty",
}
_READING = ("fetch", "find", "get", "list", "load", "retrieve", "search")


class Habits:
    """An object whose error for an unknown attribute names the one that is probably meant."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers must see the attributes only

        def __getattr__(self, name: str) -> object:
            if hasattr(type(self), name):
                # Python also comes here when a property raises an AttributeError, and has dropped that error.
                return object.__getattribute__(self, name)
            known = [] if name.startswith("_") else [one for one in dir(type(self)) if not one.startswith("_")]
            raise unknown(f"a {type(self).__name__}", name, known)


def unknown(what: str, name: str, known: list[str], near: bool = True) -> AttributeError:
    """The error for a name that something does not have. `known`: those that it has; `near`: whether a similar one may be meant."""
    meant = None if name.startswith("_") else _meant(name, known, near)
    hint = f". Did you mean `{meant}`?" if meant else ""
    return AttributeError(f"{what} has no {name!r}{hint}")


def _meant(name: str, known: list[str], near: bool) -> str | None:
    if _MEANT.get(name) in known:
        return _MEANT[name]
    same = next((one for one in known if _plain(one) == _plain(name)), None)
    if same:
        return same
    verb, _, what = name.partition("_")
    if verb in _READING:  # only what reads: `list_members` is more like `delete_members` than like `members`
        forms = (what, f"{what}s", f"read_{what}", f"read_{what}_list", f"read_{what.removesuffix('s')}_list")
        return next((form for form in forms if form in known), None)
    from difflib import get_close_matches

    similar = get_close_matches(name, known, 1, 0.8) if near else []
    return similar[0] if similar else None


def _plain(name: str) -> str:
    """The name as other languages and libraries may write it: `isEmpty`, `isempty`."""
    return name.replace("_", "").lower()
