"""Interviews in Spark 4: `spark.read.format("sondage").option("survey_id", 7).load()`, and as a stream of changes.

Options:

- `survey_id`: the survey.
- `fields`: questions and columns, separated by commas. Should always be given; a schema of your own names them, too.
- `state`: only interviews in this state, for example `Completed`.
- `labels`: `true`, `false` (the default) or `both`.
- `page_size`: interviews for each call (5000). `first_page`: the number of the first page (1).
- `since`: for a stream, where to begin: a timestamp such as `2024-05-01T12:00:00Z`. Default: everything. Interviews whose
`UpdatedAt` is ahead of the service's clock are returned once for each change, with a warning, and do not move the offset.
- the settings of the client: `account`, `base_url`, `tenant`, ... Without them, each worker uses the environment
(`SONDAGE_*`) or the profile file, which is where secrets belong, because options are part of Spark's plan. Tokens are
never part of it: each worker requests one, and uses it for all of its pages.

There is no writer. Spark retries failed tasks, and a member that is created twice, or an invitation that is sent twice,
cannot be undone: use `Client.create_members_from` in the driver.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.types import (
    BooleanType,
    DataType,
    DateType,
    DoubleType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sondage import Client, Interviews, Table

_OWN = {"survey_id", "fields", "state", "labels", "page_size", "first_page", "since", "path"}
_UPDATED = "UpdatedAt"
_AHEAD = "ahead"
_BEGINNING = "0001-01-01T00:00:00+00:00"
_TOLERANCE = timedelta(minutes=1)
"""How far a time may be ahead of the service's clock without a warning: the clock is known to about a second."""
_NEWEST = 100
"""Interviews read to find the newest change that is not ahead of the service's clock."""
_LABELS = {"true": True, "false": False, "both": "both"}


class SondageDataSource(DataSource):
    """The data source `sondage`."""

    @classmethod
    def name(cls) -> str:
        return "sondage"

    def schema(self) -> StructType:
        """The columns that the code plan defines; others as in the first page."""
        asked = _Asked.of(self.options)
        table, _ = asked.page(asked.first_page, asked.page_size)
        if not len(table.columns):
            raise ValueError("the survey has no columns to tell: name `fields` and give a schema")
        return StructType([StructField(column.name, _spark(column.type)) for column in pa.schema(table)])

    def reader(self, schema: StructType) -> DataSourceReader:
        return _Pages(_Asked.of(self.options), schema)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        return _Changes(_Asked.of(self.options), schema)

    def writer(self, schema: StructType, overwrite: bool) -> Any:
        raise TypeError(
            "sondage writes nothing from Spark: a task that Spark repeats would create members or send invitations "
            "twice. Use `Client.create_members_from` in the driver."
        )


@dataclass(frozen=True)
class _Asked:
    """The query in a form that can be sent to the workers."""

    survey_id: int
    fields: tuple[str, ...] | None
    state: Any  # the client refuses what is no state
    labels: str
    page_size: int
    first_page: int
    since: str
    # Not displayed: Spark prints options in plans and logs, and the settings include credentials.
    settings: tuple[tuple[str, str], ...] = field(repr=False)

    @classmethod
    def of(cls, options: Mapping[str, str]) -> _Asked:
        given = {name.lower(): value for name, value in options.items()}
        if not given.get("survey_id", "").strip():
            raise ValueError("which survey? .option('survey_id', 7)")
        fields = tuple(name.strip() for name in given.get("fields", "").split(",") if name.strip())
        labels = given.get("labels", "false").lower()
        if labels not in _LABELS:
            raise ValueError(f"labels must be true, false or both, not {labels}")
        return cls(
            survey_id=int(given["survey_id"]),
            fields=fields or None,
            state=given.get("state") or None,
            labels=labels,
            page_size=int(given.get("page_size", "5000")),
            first_page=int(given.get("first_page", "1")),
            since=given.get("since", _BEGINNING),
            settings=tuple(sorted((name, value) for name, value in given.items() if name not in _OWN)),
        )

    def client(self) -> Client:
        """The client of this process. It requests one token, which is used for all pages read here."""
        if self.settings not in _CLIENTS:
            import sondage

            _CLIENTS[self.settings] = sondage.Client(**dict(self.settings))  # type: ignore[arg-type]
        return _CLIENTS[self.settings]

    def interviews(self, fields: list[str] | None = None, code_plan: bool = True) -> Interviews:
        names = self.fields if fields is None else fields
        return self.client().interviews(
            self.survey_id,
            fields=names,
            state=self.state,
            labels=_LABELS[self.labels],  # type: ignore[arg-type]
            page_size=self.page_size,
            first_page=self.first_page,
            code_plan=code_plan,
            progress=False,
        )

    def page(
        self, number: int, size: int, fields: list[str] | None = None, code_plan: bool = True
    ) -> tuple[Table, int | None]:
        from sondage._table import Table

        query = self.interviews(fields, code_plan)
        page = query._query().method("page", {"number": number, "size": size}).wait()
        return Table(page.method("table")).with_labels(_LABELS[self.labels]), page.method("count")  # type: ignore[arg-type]

    def needs_plan(self, schema: StructType) -> bool:
        """Whether the code plan is needed. Without it, dates come as texts, and so do numbers that are written as texts."""
        return self.labels != "false" or any(field.dataType != StringType() for field in schema.fields)

    def wanted(self, schema: StructType) -> list[str]:
        """The columns to request: those of the schema, without derived labels."""
        names: list[str] = list(schema.names)
        if self.labels != "both":
            return names
        return [name for name in names if not (name.endswith("_label") and name.removesuffix("_label") in names)]


_CLIENTS: dict[tuple[tuple[str, str], ...], Client] = {}
"""Spark reuses its workers for other tasks."""


class _Reading:
    """What is read, and in which types."""

    def __init__(self, asked: _Asked, schema: StructType) -> None:
        self.asked, self.wanted, self.schema = asked, asked.wanted(schema), schema
        self.code_plan = asked.needs_plan(schema)


@dataclass
class _Page(InputPartition):
    """A page, its expected number of rows, and the service's count of all rows. Without a count, all pages."""

    number: int
    rows: int
    count: int | None


class _Pages(_Reading, DataSourceReader):
    """Each task reads one page.

    The list is complete if every page has its expected rows, and if the service's count is the same on all of them;
    otherwise the task fails, and with it the job. If the service sends no count, a single task reads the list and proves
    it complete.
    """

    def partitions(self) -> list[_Page]:
        size = self.asked.page_size
        # One row is enough to read the count, on any page.
        _, count = self.asked.page(self.asked.first_page, 1, self.wanted[:1], code_plan=False)
        if not count:
            return [_Page(0, 0, None)]
        pages = [min(size, count - before) for before in range(0, count, size)]
        return [_Page(number, rows, count) for number, rows in enumerate(pages, self.asked.first_page)]

    def read(self, partition: _Page) -> Iterator[pa.RecordBatch]:  # type: ignore[override]
        if partition.count is None:
            for table in self.asked.interviews(self.wanted, self.code_plan).batches():
                yield from _fitted(table, self.schema)
            return
        table, count = self.asked.page(partition.number, self.asked.page_size, self.wanted, self.code_plan)
        if (len(table), count) != (partition.rows, partition.count):
            import sondage

            raise sondage.Incomplete(
                f"page {partition.number} of survey {self.asked.survey_id} has {len(table)} of {partition.rows} interviews, "
                f"and the service counts {count} in all where it counted {partition.count}. It was changed while Spark read "
                "it: read it again."
            )
        yield from _fitted(table, self.schema)


@dataclass
class _Span(InputPartition):
    """The changes after one offset, up to another."""

    start: dict[str, Any]
    end: dict[str, Any]


class _Changes(_Reading, DataSourceStreamReader):
    """A stream of changes: each interview in its current state, whenever it has changed."""

    def initialOffset(self) -> dict[str, Any]:
        return {_UPDATED: _moment(self.asked.since).isoformat()}

    def latestOffset(self, start: Any = None, limit: Any = None) -> dict[str, Any]:
        """The latest change that is not ahead of the service's clock, in the service's own time, and those that are ahead, by
        id. Later versions of Spark pass the current offset; 4.0 does not."""
        offset, number = self.initialOffset(), self.asked.first_page
        latest, late = _moment(offset[_UPDATED]), 0
        ahead: dict[str, str] = {}
        while True:
            rows, now = self._newest(number)
            for id, time in rows:
                if time is None:
                    continue
                if time <= now:
                    latest = max(latest, time)
                    break
                ahead[id] = time.isoformat()
                late += time > now + _TOLERANCE
            else:
                if len(rows) == _NEWEST:
                    number += 1
                    continue
            break
        if ahead:
            offset[_AHEAD] = ahead
        if late:
            _warn(
                f"{late} interviews of survey {self.asked.survey_id} have an `{_UPDATED}` that is ahead of the service's "
                "clock: each is returned once, and again only if it changes"
            )
        return {**offset, _UPDATED: latest.isoformat()}

    def _newest(self, number: int) -> tuple[list[tuple[str, datetime | None]], datetime]:
        """A page of the interviews that changed last, and the time by the service's clock."""
        query = self.asked.interviews(["Id", _UPDATED], code_plan=False).order_by(_UPDATED, descending=True)
        page = query._query().method("page", {"number": number, "size": _NEWEST}).wait()
        table = pa.table(page.method("table"))
        if _UPDATED not in table.column_names:
            return [], page.method("service_time")
        ids = table.column("Id").cast(pa.string()).to_pylist()
        return list(zip(ids, _times(table))), page.method("service_time")

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[_Span]:
        if start == end:
            return []
        if _moment(start[_UPDATED]) > _moment(end[_UPDATED]):
            _, now = self._newest(self.asked.first_page)
            if _moment(start[_UPDATED]) > now + _TOLERANCE:
                _warn(
                    f"the offset {start[_UPDATED]} is ahead of the service's clock, so changes may have been missed: all "
                    f"interviews of survey {self.asked.survey_id} are read again"
                )
                start = {**start, **self.initialOffset()}
        return [_Span(start, end)]

    def read(self, partition: _Span) -> Iterator[pa.RecordBatch]:  # type: ignore[override]
        start, end = _moment(partition.start[_UPDATED]), _moment(partition.end[_UPDATED])
        returned, ahead = partition.start.get(_AHEAD, {}), partition.end.get(_AHEAD, {})
        beside = [_UPDATED, "Id"] if returned or ahead else [_UPDATED]
        fields = [*self.wanted, *(name for name in beside if name not in self.wanted)]
        query = self.asked.interviews(fields, self.code_plan)
        if start > _moment(_BEGINNING):
            # Conditions have a resolution of milliseconds, changes a finer one: rows that were returned before are
            # removed below.
            query = query.updated_since(start)
        for table in query.batches():
            changed = pa.table(table)
            if _UPDATED not in changed.column_names:
                raise ValueError(f"survey {self.asked.survey_id} does not tell `{_UPDATED}`, so it cannot be a stream")
            times = _times(changed)
            ids = changed.column("Id").cast(pa.string()).to_pylist() if len(beside) > 1 else [None] * len(times)
            keep = [
                time is not None
                and (start < time <= end or ahead.get(id) == time.isoformat())
                and returned.get(id) != time.isoformat()
                for id, time in zip(ids, times)
            ]
            yield from _fitted(changed.filter(pa.array(keep, pa.bool_())), self.schema)

    def commit(self, end: dict[str, str]) -> None:
        """Spark stores the offset."""


def _times(table: Any) -> list[datetime | None]:
    """When each interview changed, to the microsecond. The column holds texts if one of its times fits no other type."""
    column = table.column(_UPDATED)
    if pa.types.is_timestamp(column.type):
        return list(column.cast(pa.timestamp("us", tz="UTC"), safe=False).to_pylist())
    return [None if text is None else _moment(text) for text in column.cast(pa.string()).to_pylist()]


def _warn(text: str) -> None:
    import warnings

    import sondage

    warnings.warn(text, sondage.DataWarning, stacklevel=2)


def _moment(text: str) -> datetime:
    # Older versions of Python read no more than six digits.
    time = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text.replace("Z", "+00:00")))
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


def _spark(kind: pa.DataType) -> DataType:
    if pa.types.is_integer(kind):
        return LongType()
    if pa.types.is_floating(kind):
        return DoubleType()
    if pa.types.is_boolean(kind):
        return BooleanType()
    if pa.types.is_date(kind):
        return DateType()
    if pa.types.is_timestamp(kind):
        return TimestampType()
    return StringType()


_ARROW = {
    "bigint": pa.int64(),
    "int": pa.int32(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us", tz="UTC"),
    "string": pa.string(),
}


def _may_become(kind: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether the values keep their meaning. Numbers that do not keep their digits are found by the cast."""
    if kind == wanted or pa.types.is_null(kind) or pa.types.is_string(wanted):
        return True
    if pa.types.is_timestamp(wanted):
        return bool(pa.types.is_timestamp(kind))
    return bool(pa.types.is_integer(kind) and (pa.types.is_integer(wanted) or pa.types.is_floating(wanted)))


def _fitted(table: Any, schema: StructType) -> Iterator[pa.RecordBatch]:
    """The rows in the types of the schema: a value that does not fit is an error, never another value."""
    given = table if isinstance(table, pa.Table) else pa.table(table)
    columns = []
    for field in schema.fields:
        wanted = _ARROW.get(field.dataType.simpleString())
        if wanted is None:
            raise ValueError(f"column {field.name}: sondage has no {field.dataType.simpleString()}; use string")
        if field.name not in given.column_names:
            columns.append(pa.nulls(given.num_rows, wanted))
            continue
        column = given.column(field.name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(pa.string())
        try:
            if not _may_become(column.type, wanted):
                raise pa.ArrowInvalid
            columns.append(column.cast(wanted))
        except pa.ArrowInvalid:
            # Arrow's message contains the value, which may be a respondent's text.
            raise ValueError(
                f"column {field.name} holds values that are no {field.dataType.simpleString()}: give a schema in which it "
                "is a string"
            ) from None
    fitted = pa.Table.from_arrays(columns, names=schema.names)
    yield from fitted.to_batches()
