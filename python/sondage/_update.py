"""Members who get other values from rows: a plan that shows every change, and what became of it."""

from __future__ import annotations

from typing import NamedTuple

from ._create import error_of
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from ._error import SondageError
    from ._native import Handle


class SkippedRow(NamedTuple):
    """A row that is left out."""

    row: int
    """The row, counted from 0."""
    reason: Literal["no_key", "unknown", "twice_in_rows", "twice_in_panel"]
    """It has no key, no member has its key, another row has it too, or several members have it."""


class UpdateReport(NamedTuple):
    """What became of the members of a plan, by their numbers. Each is in one of the four lists."""

    applied: list[int]
    """They have the values of their rows."""
    refused: list[int]
    """The service did not take their values: see `issues`."""
    unknown: list[int]
    """It is not known whether they have them. Plan the same rows again: the plan shows what is left to do."""
    left: list[int]
    """They were left as they were, because the run was stopped before."""
    issues: list[str | None]
    """Why members were refused. An issue names neither the member nor the field."""
    stopped: SondageError | None
    """The error that stopped the run; `None` when everything was sent."""

    def raise_if_stopped(self) -> UpdateReport:
        """The report, or the error that stopped the work."""
        if self.stopped is not None:
            raise self.stopped
        return self


class _Plan:
    __slots__ = ("_native", "_text", "panel_id", "rows", "members", "unchanged", "skipped")
    panel_id: int
    """The panel."""
    rows: int
    """How many rows there were."""
    members: int
    """The members who would change."""
    unchanged: int
    """Rows whose member has all their values already."""
    skipped: list[SkippedRow]
    """Rows that are left out, in their order."""

    def __init__(self, native: Handle) -> None:
        self._native = native
        facts = native.method("facts")
        self.panel_id, self.rows = facts["panelId"], facts["rows"]
        self.members, self.unchanged = facts["members"], facts["unchanged"]
        self.skipped = [SkippedRow(**skipped) for skipped in facts["skipped"]]
        self._text: str = facts["text"]

    @property
    def changes(self) -> Table:
        """What would change, in the order of the rows: the columns `row`, `member`, `field`, `old` and `new`.

        Values of every type are there as texts.
        """
        return Table(self._native.method("changes"))

    def __bool__(self) -> bool:
        """Whether there is something to do."""
        return self.members > 0

    def __repr__(self) -> str:
        """How much would change, never what: values are about people. They are in `changes`."""
        return self._text


class UpdatePlan(_Plan):
    """What rows would change. `print(plan)` says how much, `plan.changes` what."""

    __slots__ = ()

    def apply(self) -> UpdateReport:
        """Sends what differs, in chunks, and stops at the first that fails.

        A call whose answer was lost is repeated: a change has the same effect twice. What changed in the panel since the
        plan is not seen, so apply it soon.
        """
        return report_of(self._native.method("apply").wait())


class AsyncUpdatePlan(_Plan):
    """What rows would change, for asyncio. `print(plan)` says how much, `plan.changes` what."""

    __slots__ = ()

    async def apply(self) -> UpdateReport:
        """Sends what differs, in chunks, and stops at the first that fails: see `UpdatePlan.apply`."""
        return report_of(await self._native.method("apply").start())


def report_of(told: dict[str, Any]) -> UpdateReport:
    return UpdateReport(**{**told, "stopped": error_of(told["stopped"])})
