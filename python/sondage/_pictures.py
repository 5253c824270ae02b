"""Results to look at: text, HTML, SVG and tables, which the compiled part makes."""

from __future__ import annotations

import json

from ._native import make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import pandas

    from ._reports import Crosstab
    from ._table import Table


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(one) for name, one in value._asdict().items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, float) and value - value != 0:  # JSON has no infinity
        return None
    return value


def _written(result: Any) -> str:
    return json.dumps(_plain(result), default=str)


def drawn(result: Any, form: str) -> str:
    """A result as `text`, `html` or `svg`."""
    options = {"class": type(result).__name__, "result": _written(result), "format": form}
    text: str = make("draw", options)
    return text


def drawn_facts(result: Any, facts: type) -> str:
    """The facts of a plan or report, which `facts` has, as HTML."""
    values = {name: _plain(getattr(result, name)) for name in facts.__slots__ if hasattr(result, name)}  # type: ignore[attr-defined]
    options = {"class": facts.__name__, "result": json.dumps(values, default=str), "format": "html"}
    text: str = make("draw", options)
    return text


def tabulated(result: Any) -> Table:
    """A result as a table in long form."""
    from ._table import Table

    options = {"class": type(result).__name__, "result": _written(result), "format": "table"}
    return Table(make("drawn_table", options))


def crosstab_frame(result: Crosstab, show: str | None, margins: bool) -> pandas.DataFrame:
    """The cells as `pandas.crosstab` has them."""
    from ._errors import InvalidArgument
    from ._reports import CROSSTAB_MEASURES
    from ._table import _need

    module = _need("pandas", "pandas")
    measure = result.show[0] if show is None else show
    if measure not in CROSSTAB_MEASURES:
        raise InvalidArgument(f"show: {measure!r} is none of {', '.join(CROSSTAB_MEASURES)}")
    name = CROSSTAB_MEASURES[measure]
    rows = module.Index([one.label for one in result.row_categories], name=result.variable)
    columns = module.Index([one.label for one in result.column_categories], name=result.by)
    cells = [getattr(cell, name) for cell in result.cells]
    width = len(columns)
    values = [cells[start : start + width] for start in range(0, len(cells), width)] if width else []
    frame: pandas.DataFrame = module.DataFrame(values, index=rows, columns=columns)
    if measure != "n":
        frame = frame.astype(float)
    if margins:
        frame = _with_margins(result, frame, measure)
    return frame


def _with_margins(result: Crosstab, frame: pandas.DataFrame, measure: str) -> pandas.DataFrame:
    from ._errors import InvalidArgument

    if measure not in ("n", "weighted", "total%"):
        raise InvalidArgument("margins: only n, weighted and total% have margins in both directions")
    name, total = {"n": ("n", result.base), "weighted": ("weighted_n", result.weighted_base), "total%": ("percent", 100.0)}[measure]
    frame = frame.copy()
    frame["Total"] = [getattr(one, name) for one in result.row_categories]
    frame.loc["Total"] = [*(getattr(one, name) for one in result.column_categories), total]
    return frame
