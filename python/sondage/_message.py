"""Messages to people that are planned: who gets one and who does not, and what became of it."""

from __future__ import annotations

from ._reports import MessagePlanFacts, MessageReport, message_report_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._native import Handle


class _Plan(MessagePlanFacts):
    __slots__ = ("_native",)

    def __init__(self, native: Handle) -> None:
        self._native = native
        self._read(native.method("facts"))

    def __len__(self) -> int:
        """How many messages would be sent."""
        return len(self.members)

    def __repr__(self) -> str:
        """How many get the message, why others do not, what it costs, and the token. It names nobody."""
        return self.text


class MessagePlan(_Plan):
    """A message that would be sent. `print(plan)` says to how many, and why others get none."""

    __slots__ = ()

    def run(self, *, confirm: str) -> MessageReport:
        """Reads the audience again, and sends the message to `members` if it is still the same.

        `confirm` is `token`, given back by whoever agrees. An exception: nothing was sent. The token is another one, the plan is
        too old or was run before, the audience has changed (the exception says how), or the service refused. Once it may have
        been sent, the report says so, and the plan does not run again.
        """
        return message_report_of(self._native.method("run", confirm).wait())


class AsyncMessagePlan(_Plan):
    """A message that would be sent, for asyncio. `print(plan)` says to how many, and why others get none."""

    __slots__ = ()

    async def run(self, *, confirm: str) -> MessageReport:
        """Reads the audience again, and sends the message if it is still the same: see `MessagePlan.run`."""
        return message_report_of(await self._native.method("run", confirm).start())
