"""Frames for packages of modelling, and tables with very many columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as arrow
import pytest
import sondage


def test_frames_for_modelling_have_plain_types() -> None:
    frame = pd.DataFrame({"q": pd.array([1, 2, None, 2], "Int64"), "n": [1, 2, 3, 4], "x": [0.5, None, 1.5, 2.5], "t": ["a", None, "b", ""]})
    with sondage.Sandbox.from_frame(frame, labels={"q": {1: "No", 2: "Yes"}}) as box:
        query = box.client().interviews(box.survey_id, fields=["q", "n", "x", "t", "EndDate"])
        plain = query.to_pandas(nullable=False)
        assert [str(kind) for kind in plain.dtypes[:4]] == ["float64", "float64", "float64", "object"]
        assert str(plain.dtypes["EndDate"]).startswith("datetime64")
        assert plain["q"].isna().sum() == 1 and plain["t"].isna().sum() == 1 and "" in set(plain["t"])
        assert np.linalg.lstsq(plain[["n"]].to_numpy(), plain["n"].to_numpy(), rcond=None)[0][0] == pytest.approx(1)
        assert plain.attrs["values"]["q"] == {1: "No", 2: "Yes"} and type(plain.attrs["values"]["q"]) is dict
        assert str(query.to_pandas().dtypes["q"]) == "Int64"
        labelled = query.table().with_labels().to_pandas(nullable=False)
        assert str(labelled.dtypes["q"]) == "category" and labelled["q"].cat.ordered


def test_rounded_integers_are_said() -> None:
    wide = 2**53 + 1
    with sondage.Sandbox.from_frame({"far": [wide, 1], "n": [2**53, None], "t": ["a", "b"]}) as box:
        query = box.client().interviews(box.survey_id, fields=["far", "n", "t"])
        with pytest.warns(sondage.DataWarning, match=r"integers beyond 2\^53 are rounded.*: far\. `to_pandas\(\)`"):
            assert query.table().to_pandas(nullable=False)["far"].max() == float(wide - 1)
        with pytest.warns(sondage.DataWarning, match="are rounded"):
            query.to_pandas(nullable=False)
        assert query.to_pandas()["far"].max() == wide


def test_six_thousand_columns(tmp_path: Path) -> None:
    with sondage.Sandbox(generated_interviews=4, generated_questions=6_000) as box:
        assert box.generated_survey_id is not None
        query = box.client().interviews(box.generated_survey_id)
        table = query.table()
        assert len(table.columns) > 6_000
        shown = repr(table)
        assert len(shown.splitlines()) < 20 and "6,016 columns" in shown.replace("6016", "6,016") and "…" in shown
        assert table._repr_html_().count("<th>") == 41
        frame = table.with_labels().to_pandas()
        assert frame.shape == (4, len(table.columns)) and len(frame.attrs["labels"]) == 6_000
        query.to_parquet(tmp_path / "wide.parquet")
        table.to_parquet(tmp_path / "view.parquet")
        back, view = (arrow.read_table(tmp_path / name) for name in ("wide.parquet", "view.parquet"))
        assert back.equals(view) and back.column_names == table.columns
        assert len(table.with_missing([], show="reason").columns) == len(table.columns) + 6_000
