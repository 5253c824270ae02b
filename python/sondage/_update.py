"""Members who get other values from rows: a plan that shows every change, and what became of it."""

from __future__ import annotations

from ._reports import PlanFacts, UpdateReport, update_report_of
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._native import Handle


class _Plan(PlanFacts):
    __slots__ = ("_native", "_text")

    def __init__(self, native: Handle) -> None:
        self._native = native
        told = native.method("facts")
        self._read(told)
        self._text: str = told["text"]

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
        return update_report_of(self._native.method("apply").wait())


class AsyncUpdatePlan(_Plan):
    """What rows would change, for asyncio. `print(plan)` says how much, `plan.changes` what."""

    __slots__ = ()

    async def apply(self) -> UpdateReport:
        """Sends what differs, in chunks, and stops at the first that fails: see `UpdatePlan.apply`."""
        return update_report_of(await self._native.method("apply").start())
