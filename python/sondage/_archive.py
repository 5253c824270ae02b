"""The documents of a survey in a folder: what a run did."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union

    from ._error import SondageError

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


class FailedDocument(NamedTuple):
    """A document that could not be had."""

    interview: str
    """GUID of the interview."""
    error: SondageError
    """Why."""


class ArchiveReport(NamedTuple):
    """What a run did."""

    manifest: str
    """The file that lists the documents, a line of JSON for each."""
    progress: ArchiveProgress
    """The numbers at the end."""
    failed: list[FailedDocument]
    """The documents that could not be had, and why. Another run tries them again."""


def report_of(told: dict[str, Any]) -> ArchiveReport:
    from ._create import error_of

    failed = [FailedDocument(one["interview"], error_of(one["error"])) for one in told["failed"]]
    return ArchiveReport(told["manifest"], ArchiveProgress(**told["progress"]), failed)
