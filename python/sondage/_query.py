"""Queries of members and interviews, before they are read."""

from __future__ import annotations

from os import fsencode
from reprlib import Repr

from ._convert import filter_of, wire
from ._habits import Habits
from ._table import Table, word

_SHORT = Repr()
_SHORT.maxdict = _SHORT.maxlist = 6

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import Any, NoReturn, TypeVar

    from ._condition import Filter
    from ._files import Path
    from ._native import Handle, Work
    from ._progress import Observer, Progress, Reporter
    from ._table import Labels
    from .types import InterviewState

    Self = TypeVar("Self", bound="Query")


class Query(Habits):
    """A query is a request: each method that needs rows downloads them anew, and the query keeps none of them. To use the
    same rows several times, keep the `Table` that `table()` returns."""

    __slots__ = ("_native", "_id", "_choices", "_labels", "_reporter")

    def __init__(
        self, native: Handle, id: int, choices: dict[str, Any], labels: Labels = False, reporter: Reporter[Progress] = None
    ) -> None:
        self._native = native
        self._id = id
        # A code that means "not available" can be switched off.
        self._choices = {name: value for name, value in choices.items() if value is not None or name == "not_available"}
        self._labels = labels
        self._reporter = reporter

    def _with(self: Self, **choices: Any) -> Self:
        return type(self)(self._native, self._id, {**self._choices, **choices}, self._labels, self._reporter)

    def __repr__(self) -> str:
        of = "panel" if isinstance(self, MembersQuery) else "survey"
        choices = {**self._choices, "labels": self._labels}
        usual = {"code_plan": True, "verify_total": True, "not_available": 9_999_999, "text": "plain"}
        chosen = {name: value for name, value in choices.items() if value is not False and value != usual.get(name)}
        shown = ", ".join(f"{name}={_SHORT.repr(value)}" for name, value in chosen.items() if name != "where")
        if "where" in chosen:
            from ._native import make

            text: str = make("filter_text", chosen["where"])
            shown = f"{shown}{', ' if shown else ''}where={text}"
        return f"<sondage.{type(self).__name__} of {of} {self._id}{': ' if shown else ''}{shown}>"

    def __len__(self) -> NoReturn:
        raise TypeError("a query is a request, and has no rows: `len(query.table())` downloads and counts them")

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, name: object) -> NoReturn:
        if isinstance(name, str):
            way = f"`query.table().to_pandas()[{name!r}]` downloads them and takes a column"
        else:
            way = "`query.table()` downloads them, and `for row in query.table()` reads them one by one"
        raise TypeError(f"a query is a request, and has no rows: {way}")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a query does not leave its process: hand over its `table()`, or make the query there")

    def where(self: Self, test: Filter) -> Self:
        """Only rows that match this test and all earlier ones."""
        before = self._choices.get("where")
        return self._with(where=filter_of(test) if before is None else {"and": [before, filter_of(test)]})

    if TYPE_CHECKING:

        def _query(self) -> Handle:
            """The native query."""

    def _shown(self, native: Any) -> Table:
        table = Table(native)._warned()
        return table.with_labels(self._labels) if self._labels else table

    def _observed(self) -> Observer:
        from ._progress import Observer

        return Observer(self._reporter, native=self._native)

    def _labels_or(self, labels: Labels | None) -> Labels:
        return self._labels if labels is None else labels

    def _exporting(self, path: Path, kind: str, labels: Labels | None, how: dict[str, Any], told: Observer) -> Work:
        file = {"path": fsencode(path), "format": kind, "labels": word(self._labels_or(labels)), **how}
        work: Work = self._query().method("export", file, told.watch)
        return work


class MembersQuery(Query):
    """Members of a panel."""

    __slots__ = ()

    def _query(self) -> Handle:
        query: Handle = self._native.method("member_table", {"panelId": self._id, **wire(self._choices)})
        return query

    def _list(self) -> Handle:
        pages: Handle = self._native.method("members", {"panelId": self._id, **wire(self._choices)})
        return pages


class InterviewsQuery(Query):
    """Interviews of a survey."""

    __slots__ = ()

    def _query(self) -> Handle:
        query: Handle = self._native.method("interviews", {"surveyId": self._id, **wire(self._choices)})
        return query

    def state(self: Self, state: InterviewState) -> Self:
        """Only interviews in this state."""
        return self._with(state=state)

    def completed(self: Self) -> Self:
        """Only completed interviews."""
        return self._with(state="Completed")

    def updated_since(self: Self, time: datetime) -> Self:
        """Only interviews that changed at this time or later. A time without a time zone is refused."""
        return self._with(updated_since=time)

    def order_by(self: Self, field: str, *, descending: bool = False) -> Self:
        """Sorts by a column. Default: by id, so that interviews keep their positions."""
        return self._with(order_by=field, descending=descending)

    def _load(
        self, state: Path, overlap: float | None, removed: bool, evolve: bool
    ) -> tuple[Callable[[Handle], Work], Handle, Labels, Reporter[Progress]]:
        choices = {"state": fsencode(state), "overlap": overlap, "removed": removed, "evolve": evolve}
        query = self._query()
        return (lambda watch: query.method("delta", choices, watch), self._native, self._labels, self._reporter)
