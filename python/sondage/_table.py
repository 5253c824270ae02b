"""Tables: downloaded data for pandas, polars, pyarrow, DuckDB and any other Arrow consumer."""

from __future__ import annotations

from ._bases import CodebookMethods, TableMethods
from ._convert import truth
from ._foreign import converted
from ._habits import Habits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal, NoReturn, Union

    import pandas
    import polars
    import pyarrow

    from ._files import MissingCodes, Path
    from ._native import Handle
    from ._reports import Crosstab, Frequencies, Quality

    Labels = Union[bool, Literal["both"]]

_SHOWN = 10
"""How many rows of a table are displayed."""
_SCREEN = 24
"""How many lines fit on a screen."""
_WIDTH = 120
"""How long a line of a codebook is at most."""
_COLUMNS = 40
"""How many columns of a table are displayed."""
_AT_ONCE = 1024
"""How many rows are converted to plain values at a time."""


class Arrow:
    """Objects that export the Arrow C stream interface, without a copy."""

    __slots__ = ()
    _native: Handle

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """A `pyarrow.Table`."""
        return converted("pyarrow", _need("pyarrow", "arrow").table, self)

    def to_pandas(self, *, nullable: bool = True) -> pandas.DataFrame:
        """A pandas data frame: integers with gaps stay integers (`Int64`), labels are ordered categories. Without `nullable`, numbers
        are `float64`, and everything else but categories and times is `object`; a warning names columns whose integers it rounds."""
        nullable = truth("nullable", nullable)
        module, arrow = _need("pandas", "pandas"), _need("pyarrow", "pandas")

        def convert(this: Arrow) -> pandas.DataFrame:
            types = {"int64": module.Int64Dtype(), "int32": module.Int32Dtype(), "bool": module.BooleanDtype()}
            table = arrow.table(this)
            if not nullable:
                _tell_rounded(table)
            mapper = (lambda kind: types.get(str(kind))) if nullable else None
            frame: pandas.DataFrame = table.to_pandas(types_mapper=mapper, date_as_object=False)
            return frame if nullable else frame.astype(_plain_types(frame))

        return converted("pandas", convert, self)

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame."""
        frame: polars.DataFrame = converted("polars", _need("polars", "polars").DataFrame, self)
        return frame


class Table(Habits, TableMethods, Arrow):
    """Interviews or members in rows and columns.

    It keeps the downloaded codes; `with_labels` shows labels instead of them or next to them, without another
    download. All views of a table share its memory.
    """

    __slots__ = ("_told",)
    def __init__(self, native: Handle, told: set[str] | None = None) -> None:
        self._native = native
        self._told: set[str] = set() if told is None else told

    def _warned(self) -> Table:
        """Issues the warnings of this table, each once per download, and returns it."""
        if found := self.warnings:
            from ._warned import tell

            tell(found, self._told)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self._native.method("to_bytes"), self._told)

    def __len__(self) -> int:
        length: int = self._native.method("length")
        return length

    def __getitem__(self, name: object) -> NoReturn:
        if isinstance(name, str):
            way = f"`table.to_pandas()[{name!r}]`, `table.select([{name!r}])`"
        else:
            way = "`list(table)[..]`, `table.to_pandas().iloc[..]`"
        raise TypeError(f"a table is no frame: {way} or `table.to_arrow()` has what is in it")

    def label(self, column: str, part: Literal["question", "row", "choice"] | None = None) -> str | None:
        """The text of a column's question, with the row of a matrix and the choice of a multiple choice; or one of these parts."""
        self.values(column)  # refuses a column that is not there
        if part not in (None, "question", "row", "choice"):
            from ._errors import InvalidArgument

            raise InvalidArgument(f"part must be question, row or choice, not {part!r}")
        return self._metadata(column).get(f"sondage.{part or 'label'}")

    def values(self, column: str) -> dict[int | float | str, str]:
        """The codes of a column with their labels, `{1: "Very good", ...}`, in the questionnaire's order; empty if the
        code plan has none."""
        return dict(self._native.method("values", column))

    def choices(self, column: str) -> list[str]:
        """All possible labels of a column, in the questionnaire's order."""
        choices: list[str] | None = self._native.method("categories").get(column)
        return list(self.values(column).values()) if choices is None else choices

    def with_labels(self, labels: Labels = True) -> Table:
        """The same rows with labels (`True`), codes (`False`), or both: `Q1` and `Q1_label`."""
        return Table(self._native.method("with_labels", word(labels)), self._told)._warned()

    def with_missing(self, codes: MissingCodes, *, show: Literal["null", "code", "reason"] = "null") -> Table:
        """The same rows, in which these codes mean a missing answer.

        Args:
            codes: For all questions (`-99`, `range(96, 100)`), except open texts, or by name, `"*"` for all: `{"income": [98, 99]}`.
            show: `"null"` (missing values), `"code"` (they stay, and files of SPSS and Stata declare them) or `"reason"` (a column `NAME_missing`, too).
        """
        from ._files import by_column

        options = {"codes": by_column(codes), "show": show}
        return Table(self._native.method("with_missing", options), self._told)._warned()

    def frequencies(self, variable: str, *, weight: str | None = None, missing: bool = False) -> Frequencies:
        """How often each answer was given: `pandas.DataFrame(table.frequencies("vote").categories)` shows it. Numbers are summarised.

        Args:
            variable: A column, or the code of a question of several choices.
            weight: A column of numbers. Rows in which it is missing or 0 are left out and counted.
            missing: Whether the reasons for which answers are missing follow the answers.
        """
        from ._reports import frequencies_of

        options = {"variable": variable, "weight": weight, "missing": missing}
        return frequencies_of(self._native.method("frequencies", options))

    def crosstab(
        self, variable: str, *, by: str, weight: str | None = None, show: list[str] | None = None, missing: bool = False
    ) -> Crosstab:
        """How often each pair of answers was given, with margins, bases and a test of independence: `print` shows it, and
        `.to_pandas()` is what `pandas.crosstab` makes.

        Args:
            variable: The column whose answers are the rows, or the code of a question of several choices.
            by: That whose answers are the columns.
            weight: A column of numbers. Rows in which it is missing or 0 are left out and counted.
            show: What text and HTML show, of `"n"`, `"weighted"`, `"row%"`, `"col%"`, `"total%"` and `"expected"`. Default: counts and `"col%"`.
            missing: Whether the reasons for which answers are missing are categories, too.
        """
        from ._reports import crosstab_of

        options = {"variable": variable, "by": by, "weight": weight, "show": show, "missing": missing}
        return crosstab_of(self._native.method("crosstab", options))

    def quality(
        self,
        *,
        duration: str | None = None,
        speeder_percent: int = 40,
        matrix_rows: int = 5,
        text_length: int = 20,
        not_available_percent: int = 50,
    ) -> Quality:
        """Marks complete interviews that may not be worth counting, and counts where others were broken off.

        Args:
            duration: The column of how long an interview took, in seconds. Default: from `StartDate` to `EndDate`.
            speeder_percent: Who was faster than this share of the median is marked.
            matrix_rows: How many rows of a matrix must have an answer for it to be examined for straight-lining.
            text_length: How many characters an open answer must have to be compared with those of other interviews.
            not_available_percent: Who has this share of closed questions that are not available is marked.
        """
        from ._reports import quality_of

        options = {
            "duration": duration,
            "speederPercent": speeder_percent,
            "matrixRows": matrix_rows,
            "textLength": text_length,
            "notAvailablePercent": not_available_percent,
        }
        return quality_of(self._native.method("quality", options))

    def codebook(self, *, frequencies: bool = False, weight: str | None = None) -> Codebook:
        """The codebook: questions, codes and labels of the columns.

        Args:
            frequencies: Whether to count how often each code was answered.
            weight: The column of the weights of these frequencies.
        """
        return Codebook(self._native.method("codebook", {"frequencies": frequencies, "weight": weight}))

    def in_time_zone(self, name: str, *, naive: bool = False) -> Table:
        """The same rows with timestamps in this zone, for example `"Europe/Zurich"`. The instants do not change; without this,
        they are in UTC. `naive` leaves only what clocks show there: pandas' `to_excel` and `to_stata` take no zones."""
        naive = truth("naive", naive)
        local = self._native.method("in_time_zone", name)
        return Table(local.method("without_time_zone") if naive else local, self._told)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, one after the other, as dictionaries of plain values. No other package is needed."""
        columns = self.columns
        for first in range(0, len(self), _AT_ONCE):
            for row in self._rows(first, _AT_ONCE):
                yield dict(zip(columns, row))

    def _rows(self, first: int, count: int) -> list[list[Any]]:
        rows: list[list[Any]] = self._native.method("rows", {"first": first, "count": count, "named": False})
        zone = self._native.method("time_zone")
        return rows if zone is None else _local(rows, zone)

    def _declaring(self, missing: MissingCodes | None) -> Handle:
        return self._native if missing is None else self.with_missing(missing, show="code")._native

    def to_pandas(self, *, nullable: bool = True) -> pandas.DataFrame:
        """A pandas data frame: integers with gaps stay integers (`Int64`), labels are ordered categories. Its `attrs` have
        the texts of the questions (`labels`) and the codes with their labels (`values`), by column.

        Args:
            nullable: `False`: numbers are `float64`, and everything else but categories and times is `object`, as packages for
                modelling expect.
        """
        frame = super().to_pandas(nullable=nullable)
        meaning = self._native.method("meaning")
        labels, values = meaning["labels"], {name: dict(known) for name, known in meaning["values"].items()}
        if labels or values:
            frame.attrs.update(labels=labels, values=values)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A polars data frame: labels are an `Enum` of all choices that were offered, in their order."""
        module = _need("polars", "polars")

        def convert(this: Table) -> polars.DataFrame:
            frame: polars.DataFrame = module.DataFrame(this)
            enums = {name: module.Enum(values) for name, values in this._native.method("categories").items()}
            schema = frame.schema  # polars builds it anew each time
            lists = {name: module.List(enums[name]) for name in enums if schema[name] == module.List(module.String)}
            return frame.cast({**enums, **lists})

        return converted("polars", convert, self)

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def __repr__(self) -> str:
        columns, rows = self._head()
        if not columns:
            return self._size()
        cells = [list(column) for column in zip(columns, *rows)]
        widths = [max(len(cell) for cell in column) for column in cells]
        shown = _fitting(widths)
        lines = ["  ".join(cells[i][n].ljust(widths[i]) for i in shown).rstrip() for n in range(len(rows) + 1)]
        if len(shown) < len(columns):
            lines = [f"{line}  …" for line in lines]
        return "\n".join([*lines, self._size()])

    def _repr_html_(self) -> str:
        from html import escape

        columns, rows = self._head()
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{escape(self._size())}</p>"

    def _head(self) -> tuple[list[str], list[list[str]]]:
        names = self.columns
        wide = len(names) > _COLUMNS
        view = self.select(names[:_COLUMNS]) if wide else self
        rows = [[_short(cell) for cell in row] + ["…"] * wide for row in view._rows(0, _SHOWN)]
        return [_plain(name) for name in view.columns] + ["…"] * wide, rows

    def _size(self) -> str:
        return f"[{len(self):,} rows x {len(self.columns)} columns]"


class Codebook(CodebookMethods, Arrow):
    """The codebook of a table: one entry for each column."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        from html import escape

        # A page of its own, whose style does not reach the notebook.
        page = escape(self.to_html(), quote=True)
        return f'<iframe title="Codebook" srcdoc="{page}" style="width:100%;height:28rem;border:1px solid #ccc"></iframe>'

    def __repr__(self) -> str:
        lines = [_plain(line) for line in self.to_markdown().rstrip("\n").split("\n")]
        lines = [line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…" for line in lines]
        if len(lines) <= _SCREEN:
            return "\n".join(lines)
        shown = lines[: _SCREEN - 1]
        return "\n".join([*shown, f"… {len(lines) - len(shown)} more lines: `to_markdown()` and `to_html()` have everything"])


def _tell_rounded(table: pyarrow.Table) -> None:
    """Issues a warning about integers that `float64` does not have."""
    from pyarrow import compute, types

    from ._warned import tell

    def rounds(column: pyarrow.ChunkedArray) -> bool:
        ends = compute.min_max(column).as_py()
        return ends["min"] is not None and max(-ends["min"], ends["max"]) > 2**53

    names = [field.name for field in table.schema if types.is_int64(field.type) and rounds(table[field.name])]
    if names:
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        rounded = f"integers beyond 2^53 are rounded, because float64 does not have them: {', '.join(names[:20])}{more}"
        tell([f"{rounded}. `to_pandas()` without `nullable=False` keeps them"], set())


def _plain_types(frame: pandas.DataFrame) -> dict[str, str]:
    """`float64` for numbers, and `object` for texts and truth values."""
    kinds = {"i": "float64", "u": "float64", "f": "float64", "b": "object", "O": "object"}
    return {str(name): kinds[kind.kind] for name, kind in frame.dtypes.items() if kind.kind in kinds and str(kind) != "category"}


def restored(data: bytes, told: set[str]) -> Table:
    """The table that another process has pickled."""
    from ._native import make
    return Table(make("table", data), told)


def word(labels: Labels) -> str:
    if isinstance(labels, bool):
        return "labels" if labels else "codes"
    if isinstance(labels, str) and labels == "both":
        return labels
    from ._errors import InvalidArgument

    raise InvalidArgument(f'labels must be True, False or "both", not {labels!r:.60}')


def _local(rows: list[list[Any]], name: str) -> list[list[Any]]:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    zone = ZoneInfo(name) if name else None

    def local(cell: Any) -> Any:
        if not isinstance(cell, datetime):
            return cell
        if zone is None:
            return cell.replace(tzinfo=None)
        try:
            return cell.astimezone(zone)
        except OverflowError:  # the year there is 0 or 10,000: the same instant in UTC
            return cell

    return [[local(cell) for cell in row] for row in rows]


def _short(cell: object) -> str:
    line = "" if cell is None else " ".join(_plain(str(cell)).split())
    return line if len(line) <= 32 else line[:31] + "…"


def _plain(text: str) -> str:
    """Text that is safe for a terminal: answers may contain escape sequences and characters that change the
    direction of text."""
    if text.isprintable():
        return text
    # Persian words and composed emoji need joiners.
    joined = (sign in "\u200c\u200d" and before > "\x7f" for before, sign in zip(" " + text, text))
    return "".join(
        sign if is_joiner or sign.isprintable() or sign in "\t\r\n" else f"\\u{{{ord(sign):x}}}" for is_joiner, sign in zip(joined, text)
    )


def _fitting(widths: list[int]) -> range:
    """As many columns as fit on the screen, at least one."""
    from shutil import get_terminal_size

    room = get_terminal_size((110, 24)).columns - 3
    for count in range(len(widths), 1, -1):
        if sum(widths[:count]) + 2 * (count - 1) <= room:
            return range(count)
    return range(1)


def _need(module: str, extra: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        message = f"this needs {module}, which is not installed: pip install 'sondage[{extra}]'"
        raise ImportError(message, name=module) from None
