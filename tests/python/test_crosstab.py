"""Crosstabs of every pair of questions of the demo, equal to those of pandas; with a weight, too. On a query as on a table."""

from __future__ import annotations

import asyncio
import itertools
import pickle
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import sondage

pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")


@pytest.fixture(scope="module")
def box() -> Any:
    with sondage.Sandbox.demo("waves") as box:
        yield box


@pytest.fixture(scope="module")
def demo() -> Any:
    with sondage.Sandbox.demo() as demo:
        yield demo


@pytest.fixture(scope="module")
def vote(demo: sondage.Sandbox) -> sondage.Table:
    return demo.client().interviews(demo.survey_id).table()


@pytest.fixture(scope="module")
def tables(box: sondage.Sandbox) -> list[sondage.Table]:
    client = box.client()
    return [client.interviews(survey_id).table() for survey_id in [*box.survey_ids.values(), box.feedback_survey_id]]


def test_every_pair_equals_pandas(tables: list[sondage.Table]) -> None:
    compared = 0
    for table in tables:
        labels = table.with_labels().to_pandas()
        codes = table.to_pandas()
        single = [name for name in table.columns if table.frequencies(name).kind == "single" and table.values(name)][:12]
        for weight in [None, *(["weight"] if "weight" in table.columns else [])]:
            w = codes[weight].astype(float) if weight else pd.Series(1.0, labels.index)
            counted = w.fillna(0) > 0
            for row, column in itertools.permutations(single, 2):
                found = table.crosstab(row, by=column, weight=weight)
                arguments = {"values": w[counted], "aggfunc": "sum"} if weight else {}
                expected = pd.crosstab(labels[row][counted].astype(object), labels[column][counted].astype(object), **arguments)
                ours = found.to_pandas("weighted" if weight else "n")
                shared = ours.reindex(index=expected.index, columns=expected.columns)
                assert np.allclose(shared.astype(float), expected.fillna(0)), (row, column)
                assert np.isclose(ours.astype(float).to_numpy().sum(), expected.to_numpy(na_value=0).sum())
                if hasattr(labels[row].dtype, "categories"):
                    assert list(ours.index) == list(labels[row].cat.categories), row
                shares = found.to_pandas("col%")
                sums = expected.fillna(0) / expected.fillna(0).sum() * 100
                assert np.allclose(shares.reindex(index=sums.index, columns=sums.columns), sums)
                compared += 1
    assert compared > 100


def test_a_query_downloads_only_what_it_needs(demo: sondage.Sandbox, vote: sondage.Table) -> None:
    client = demo.client()
    sizes: list[int] = []
    found = client.interviews(demo.survey_id, progress=lambda now: sizes.append(now.bytes)).crosstab("vote", by="PID")
    narrow = sizes[-1]
    client.interviews(demo.survey_id, progress=lambda now: sizes.append(now.bytes)).table()
    assert narrow < sizes[-1] / 2
    assert found == vote.crosstab("vote", by="PID")
    assert (found.base, found.column_categories[0].label) == (944, "Strong Democrat")
    paged = client.interviews(demo.survey_id, page_size=100)
    assert paged.crosstab("vote", by="PID") == found
    assert paged.frequencies("vote") == vote.frequencies("vote")


def test_several_choices_equal_pandas(tables: list[sondage.Table]) -> None:
    compared = 0
    for table in tables:
        frame, lists = table.to_pandas(), table.with_lists()
        for name in lists.columns:
            if name in table.columns or lists.frequencies(name).kind != "multiple":
                continue
            by = next(other for other in table.columns if table.values(other) and table.frequencies(other).kind == "single")
            found = table.crosstab(name, by=by)
            assert found.several_rows and found.test is None
            asked = frame[[str(one.code) for one in found.row_categories]].notna().any(axis=1) & frame[by].notna()
            assert found.base == asked.sum()
            for cell in found.cells:
                chosen = frame[str(found.row_categories[cell.row].code)] == 1
                of_column = frame[by] == found.column_categories[cell.column].code
                both = asked & of_column
                assert cell.n == (both & chosen).sum()
                assert cell.column_percent is None if not both.any() else np.isclose(cell.column_percent, cell.n / both.sum() * 100)
            compared += 1
    assert compared


def test_results_can_be_looked_at(vote: sondage.Table) -> None:
    for result in [vote.crosstab("vote", by="PID"), vote.frequencies("vote"), vote.frequencies("age")]:
        root = ElementTree.fromstring(result.to_svg())
        assert root.tag.endswith("svg") and "<script" not in result.to_svg()
        tags = [child.tag.rsplit("}")[-1] for child in root]
        assert tags[:2] == ["title", "desc"] and root[1].text
        assert len(str(result).splitlines()) <= 50
        assert "<table" in result._repr_html_()
        assert pickle.loads(pickle.dumps(result)) == result
    text = str(vote.frequencies("vote"))
    assert "Clinton" in text and "█" in text
    long = vote.crosstab("vote", by="PID").to_table().to_pandas()
    assert list(long.columns)[:5] == ["code", "label", "by_code", "by_label", "n"]
    assert long["n"].sum() == 944
    margins = vote.crosstab("vote", by="PID").to_pandas(margins=True)
    assert margins.loc["Total", "Total"] == 944


def test_wrong_arguments_are_refused(demo: sondage.Sandbox, vote: sondage.Table) -> None:
    with pytest.raises(sondage.InvalidArgument, match="show"):
        vote.crosstab("vote", by="PID", show=["percent"])
    with pytest.raises(sondage.InvalidArgument, match="by: the table has no column"):
        vote.crosstab("vote", by="party")
    with pytest.raises(sondage.InvalidArgument, match="show"):
        vote.crosstab("vote", by="PID").to_pandas("percent")


def test_it_works_on_an_event_loop(demo: sondage.Sandbox, vote: sondage.Table) -> None:
    async def main() -> sondage.Crosstab:
        async with demo.async_client() as client:
            return await client.interviews(demo.survey_id).crosstab("vote", by="PID")

    assert asyncio.run(main()) == vote.crosstab("vote", by="PID")
