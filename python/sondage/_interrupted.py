"""The results so far of interrupted work, in the exception that interrupted it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    Stop = TypeVar("Stop", bound=BaseException)


def interrupted(stop: Stop, report: object) -> Stop:
    """A `KeyboardInterrupt` or a `CancelledError` with the report so far: its attribute `report`, and a note."""
    stop.report = report  # type: ignore[attr-defined]
    if hasattr(stop, "add_note"):
        counts = [(getattr(report, name, 0), name.replace("_", " ")) for name in ("done", "unknown", "not_sent")]
        known = ", ".join(f"{count} {what}" for count, what in counts)
        stop.add_note(f"{known}. {getattr(report, 'next', None) or ''}".rstrip())
    return stop
