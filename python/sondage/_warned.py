"""Problems in the data, as Python warnings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


class DataWarning(UserWarning):
    """Values that differ from the code plan, and were kept without loss. `Table.warnings` lists them."""


DataWarning.__module__ = "sondage"


def saved(file: Mapping[str, Any]) -> int:
    """The size of a file that was written. Issues a warning for each thing that its format could not hold."""
    size: int = file["size"]
    tell(file["warnings"], set())
    return size


def tell(found: Iterable[str], told: set[str]) -> None:
    """Issues each warning once, for the line of the program that requested the data."""
    import sys
    from warnings import warn

    depth, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("sondage."):
        depth, frame = depth + 1, frame.f_back
    for text in found:
        if text not in told:
            told.add(text)
            warn(text, DataWarning, stacklevel=depth)
