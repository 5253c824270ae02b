"""The documents of a survey in a folder: how far a run is."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Union

    Reporter = Union[bool, Callable[["ArchiveProgress"], None], None]


class ArchiveProgress(NamedTuple):
    """How far a run is."""

    interviews: int
    """Interviews of the survey that belong into the archive."""
    kept: int
    """Documents that were there before."""
    stored: int
    """Documents that this run has stored."""
    failed: int
    """Documents that could not be had."""
    bytes: int
    """Bytes that this run has stored."""
    seconds: float = 0.0
    """Seconds since it began."""

    def _line(self) -> str:
        words = [f"{self.kept + self.stored:,} of {self.interviews:,} documents", f"{self.bytes / 1e6:,.1f} MB"]
        return "  ".join([*words, f"{self.failed} failed"] if self.failed else words)
