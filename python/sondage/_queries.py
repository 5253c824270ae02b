"""Queries: members and interviews. Blocking queries can also be exported as Arrow data and scanned."""

from __future__ import annotations

from . import _blocking_queries as blocking
from ._async_queries import AsyncInterviews as AsyncInterviews
from ._async_queries import AsyncMembers as AsyncMembers
from ._table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import polars

    from ._table import Labels


class Members(blocking.Members):
    __doc__ = blocking.Members.__doc__
    __slots__ = ()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)


class Interviews(blocking.Interviews):
    __doc__ = blocking.Interviews.__doc__
    __slots__ = ()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)

    def scan_polars(self, labels: Labels | None = None) -> polars.LazyFrame:
        """A lazy polars frame. Its selected columns, filters and limits are pushed down to the service: one call
        reads the schema, the rest is read page by page when the frame is collected."""
        from ._scan import scan

        return scan(self, self._labels_or(labels))

    def _sample(self, rows: int) -> Table:
        """The first rows, for their types."""
        first = self._choices.get("first_page", 1)
        page = self._query().method("page", {"number": first, "size": rows}).wait()
        return Table(page.method("table"))
