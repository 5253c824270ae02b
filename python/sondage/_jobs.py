"""Lists as tables: a part of the two clients."""

from __future__ import annotations

from ._base import Lister

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, ParamSpec, TypeVar

    from ._base import Listed
    from ._native import Handle
    from ._table import Table

    P = ParamSpec("P")
    T = TypeVar("T")


class Jobs:
    """Methods of a client beside the operations."""

    __slots__ = ()
    _native: Handle

    def table(self, call: Callable[P, Listed[T]], /, *args: P.args, **kwargs: P.kwargs) -> Table:
        """A complete list as a table: `client.table(client.read_bounce_list, survey_id=7)`.

        A column for each field of the rows' class; lists and objects are JSON texts. Fields that this version does not know
        are in the column `extra`, as JSON.
        """
        from ._table import Table

        return Table(Lister.of(call)(*args, **kwargs).method("table", "snake").wait())


class AsyncJobs:
    """Methods of the asyncio client beside the operations."""

    __slots__ = ()
    _native: Handle

    async def table(
        self, call: Callable[P, Coroutine[Any, Any, Listed[T]]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        """A complete list as a table: `await client.table(client.read_bounce_list, survey_id=7)`.

        A column for each field of the rows' class; lists and objects are JSON texts. Fields that this version does not know
        are in the column `extra`, as JSON.
        """
        from ._table import Table

        pages = await Lister.of(call)(*args, **kwargs)
        return Table(await pages.method("table", "snake").start())
