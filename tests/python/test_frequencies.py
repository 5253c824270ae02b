"""Frequencies of every column of the demo and of the waves, equal to those of pandas; with a weight, too."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
import sondage
from test_every_program import surveys

# The squares of 1e300 are infinite, here and in pandas.
pytestmark = [pytest.mark.filterwarnings("ignore::sondage.DataWarning"), pytest.mark.filterwarnings("ignore:overflow encountered")]


@pytest.fixture(scope="module")
def box() -> Any:
    with sondage.Sandbox.demo("waves") as box:
        yield box


@pytest.fixture(scope="module")
def tables(box: sondage.Sandbox) -> list[sondage.Table]:
    client = box.client()
    surveys = [*box.survey_ids.values(), box.feedback_survey_id]
    return [client.interviews(survey_id).table() for survey_id in surveys]


@pytest.fixture(scope="module")
def every_table(tables: list[sondage.Table]) -> list[sondage.Table]:
    """Those of `test_every_program.py` as well."""
    return [*tables, *(table for _, table in surveys())]


def _close(a: float | None, b: float) -> bool:
    return math.isnan(b) if a is None else math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_every_column_equals_pandas(every_table: list[sondage.Table], weighted: bool) -> None:
    kinds: dict[str, int] = {}
    for table in every_table:
        weight = "weight" if weighted and "weight" in table.columns else None
        frame = table.to_pandas()
        labels = table.with_labels().to_pandas()
        frame.attrs.clear()  # pandas copies them for each column
        labels.attrs.clear()
        w = frame[weight].astype(float).fillna(0) if weight else pd.Series(1.0, frame.index)
        counted = w > 0
        for name in table.columns:
            found = table.frequencies(name, weight=weight, missing=True)
            kinds[found.kind] = kinds.get(found.kind, 0) + 1
            values, shown = frame[name][counted], labels[name][counted]
            assert (found.rows, found.answered) == (counted.sum(), values.notna().sum()), name
            assert found.without_weight == (~counted).sum()
            assert weight is None or (
                _close(found.weighted_rows, w.sum()) and _close(found.weighted_answered, w[counted][values.notna()].sum())
            )
            if found.kind == "single":
                valid = [one for one in found.categories if not one.missing]
                expected = w[counted].groupby(shown.astype(object)).sum()
                for one in valid:
                    share = expected.get(one.label, 0.0)
                    assert _close(one.weighted_n if weight else float(one.n), share), (name, one)
                    assert _close(one.valid_percent, share / w[counted][shown.notna()].sum() * 100 if shown.notna().any() else math.nan)
                    assert _close(one.percent, share / w[counted].sum() * 100 if counted.any() else 0.0)
                assert set(expected.index) <= {one.label for one in valid}
                if hasattr(shown.dtype, "categories"):
                    assert [one.label for one in valid] == list(shown.cat.categories), name
                if shown.notna().any():
                    assert _close(valid[-1].cumulative_percent, 100.0)
                assert sum(one.n for one in found.categories) == found.rows
            elif found.kind == "number" and found.answered:
                assert found.summary is not None
                numbers = values.dropna().astype(float)
                ws = w[counted][values.notna()]
                summary = found.summary
                assert _close(summary.mean, float(np.average(numbers, weights=ws)))
                assert (summary.min, summary.max) == (numbers.min(), numbers.max())
                assert sum(one.n for one in summary.histogram) == found.answered
                if weight is None:
                    assert _close(summary.deviation, float(numbers.std()))
                    assert all(map(_close, [summary.q1, summary.median, summary.q3], numbers.quantile([0.25, 0.5, 0.75])))
                    if numbers.nunique() > 1:
                        edges = [*(one.lower for one in summary.histogram), summary.max]
                        assert [one.n for one in summary.histogram] == list(np.histogram(numbers, edges)[0]), name
    assert kinds["single"] > 60 and kinds["number"] > 3 and kinds["open"] > 3, kinds


def test_the_frequencies_of_a_query(box: sondage.Sandbox, tables: list[sondage.Table]) -> None:
    query = box.client().interviews(box.survey_id)
    assert query.frequencies("frequency", weight="weight", missing=True) == tables[1].frequencies("frequency", weight="weight", missing=True)
    assert "| n |" in query.codebook(frequencies=True).to_markdown()


def test_several_choices_are_counted_by_people_and_by_answers(tables: list[sondage.Table]) -> None:
    table = tables[1].with_missing(9_999_999)
    frame = table.to_pandas()
    found = table.frequencies("reasons")
    columns = [name for name in table.columns if name.startswith("reasons_") and name.removeprefix("reasons_").isdigit()]
    assert (found.kind, [one.code for one in found.categories]) == ("multiple", columns)
    answers = frame[columns]
    asked = answers.notna().any(axis=1)
    assert found.answered == asked.sum()
    chosen = (answers == 1).sum()
    assert [one.n for one in found.categories] == list(chosen)
    for one in found.categories:
        assert _close(one.valid_percent, chosen[one.code] / asked.sum() * 100)
        assert _close(one.percent_of_answers, chosen[one.code] / chosen.sum() * 100)
    assert table.with_lists().frequencies("reasons") == found
    assert table.with_labels("both").frequencies("reasons") == found


def test_codes_have_the_type_of_their_column(tables: list[sondage.Table]) -> None:
    for table in tables:
        for name in table.columns:
            found = table.frequencies(name)
            if found.kind == "single" and table.values(name):
                known = set(table.values(name))
                assert known <= {category.code for category in found.categories}, name
                assert {type(category.code) for category in found.categories} == {type(code) for code in known}, name


def test_reasons_follow_the_answers(box: sondage.Sandbox) -> None:
    table = box.client().interviews(box.survey_id).table()
    name = next(name for name in table.columns if 5 in table.values(name) and table.frequencies(name).kind == "single")
    first = next(iter(table.values(name)))
    for show in ("code", "reason"):
        declared = table.with_missing({name: [first]}, show=show)
        found = declared.frequencies(name, missing=True)
        without = table.frequencies(name)
        label = without.categories[0].label
        assert [one.label for one in found.categories if one.missing and one.n][:1] != [] and found.answered < without.answered
        missing = {one.label: one.n for one in found.categories if one.missing}
        assert missing[label] == without.categories[0].n, (show, missing)
        assert label not in {one.label for one in found.categories if not one.missing}
        assert not any(one.missing for one in declared.frequencies(name).categories)


def test_what_cannot_be_counted_is_a_sentence(tables: list[sondage.Table]) -> None:
    table = tables[1]
    with pytest.raises(sondage.InvalidArgument, match="variable: the table has no column or question 'nothing'|\"nothing\""):
        table.frequencies("nothing")
    with pytest.raises(sondage.InvalidArgument, match="weight: the table has no column"):
        table.frequencies("frequency", weight="nothing")
    with pytest.raises(sondage.InvalidArgument, match='weight: the column "Language" is no column of numbers'):
        table.frequencies("frequency", weight="Language")
    with pytest.raises(sondage.InvalidArgument, match='the question "rating" has several columns.*rating_1, rating_2'):
        table.frequencies("rating")


def test_the_codebook_has_them(tables: list[sondage.Table]) -> None:
    table = tables[0].select(["frequency", "duration", "remark", "weight"])
    page = table.codebook(frequencies=True).to_markdown()
    once = table.frequencies("frequency").categories[0]
    assert f"| {once.code} | {once.label} | {once.n} | {once.percent:.1f} | {once.valid_percent:.1f} |" in page
    assert "no answer" in page and "mean" in page and "of 400 rows" in page
    rows = list(table.codebook(frequencies=True).values().to_pandas().itertuples(index=False))
    assert (rows[0].variable, rows[0].n, rows[0].percent) == ("frequency", once.n, once.percent)
    weighted = table.frequencies("frequency", weight="weight")
    once = weighted.categories[0]
    page = table.codebook(frequencies=True, weight="weight").to_markdown()
    assert f"of {weighted.rows} rows, weighted by weight; {weighted.without_weight} rows without a weight are left out" in page
    assert f"| {once.code} | {once.label} | {once.n} | {once.weighted_n:.1f} | {once.percent:.1f} | {once.valid_percent:.1f} |" in page
    html = table.codebook(frequencies=True, weight="weight").to_html()
    assert ">weighted n<" in html
    assert html.startswith("<!DOCTYPE html>") and "<script" not in html and 'class="bar"' in html
    assert "n" not in table.codebook().values().to_pandas().columns and '<td class="bar"' not in table.codebook().to_html()
    with pytest.raises(sondage.InvalidArgument, match="weight: a codebook without `frequencies`"):
        table.codebook(weight="weight")
    hostile = "<script>alert(1)</script>"
    with sondage.Sandbox.from_frame(pd.DataFrame({"q": [1, 2]}), labels={"q": {1: hostile, 2: "B"}}) as own:
        assert "<script" not in own.client().interviews(own.survey_id).table().codebook(frequencies=True).to_html()


def test_a_choice_that_is_in_no_list_is_named() -> None:
    with sondage.Sandbox.demo("waves") as box:
        table = box.client().interviews(box.survey_id).table()
        assert "stay outside the lists" not in str(table.with_lists().warnings)
        with_codes = table.with_missing([], show="code").with_lists()
        (warning,) = [warning for warning in map(str, with_codes.warnings) if "stay outside the lists" in warning]
        assert "reasons_1" in warning and "reasons" not in with_codes.columns


def _reasons(table: sondage.Table, variable: str) -> dict[str, int]:
    return {one.label: one.n for one in table.frequencies(variable, missing=True).categories if one.missing}


def test_several_choices_and_numbers_have_reasons(box: sondage.Sandbox, tables: list[sondage.Table]) -> None:
    """All of it used to be "no answer", and numbers had none."""
    table = tables[1]
    raw = box.client().interviews(box.survey_id, not_available=None).table().to_pandas()
    unavailable, empty = int((raw["reasons_1"] == 9_999_999).sum()), int(raw["reasons_1"].isna().sum())
    assert unavailable > 10 and empty > 10
    expected = {"Not available": unavailable, "no answer": empty}
    for view in (table, table.with_lists(), table.with_missing({}, show="code")):
        assert _reasons(view, "reasons") == expected
    shown = {"not_available": unavailable, "not_asked": empty}
    for view in (table.with_missing({}, show="reason"), table.with_lists().with_missing({}, show="reason"), table.with_missing({}, show="reason").with_lists()):
        assert _reasons(view, "reasons") == shown
        reasons = view.to_pandas()["reasons_missing"] if "reasons_missing" in view.columns else None
        assert reasons is None or reasons.value_counts()[["not_available", "not_asked"]].to_dict() == shown
    assert all(not one.startswith("reasons_1_missing") for one in table.with_missing({}, show="reason").with_lists().columns)

    missing, codes = table.frequencies("score", missing=True), int((raw["score"] == 9_999_999).sum())
    assert codes > 0 and _reasons(table, "score")["Not available"] == codes
    assert sum(one.n for one in missing.categories) + missing.answered == missing.rows
    oldest = table.frequencies("birth_year").summary
    assert oldest is not None
    declared = table.with_missing({"birth_year": [int(oldest.max)]}, show="code")
    assert _reasons(declared, "birth_year")[str(int(oldest.max))] >= 1
    summary = declared.frequencies("birth_year").summary
    assert summary is not None and summary.max < oldest.max


def test_texts_beside_choices_are_translated_and_nothing_else_is_warned_about(box: sondage.Sandbox) -> None:
    table = box.client().interviews(box.survey_id, language="en").table()
    english, german, french = (table.in_language(language) for language in ("en", "de", "fr"))
    for name in ("reasons_7_text", "transport_5_text", "rating_6_text", "gender_3_text"):
        part: Literal["row", "choice"] = "row" if name.startswith("rating") else "choice"
        texts = [view.label(name, part) for view in (english, german, french)]
        assert len(set(texts)) == 3 and all(text is not None and text.endswith(" (text)") for text in texts), texts
        choice = name.removesuffix("_text")
        if choice in german.columns:
            assert texts[1] == f"{german.label(choice, part)} (text)"
    for view in (german, french):
        assert "not in the questionnaire" not in str(view.warnings)


def test_declared_codes_are_named_in_the_language_of_the_table(box: sondage.Sandbox, tmp_path: Path) -> None:
    """They were "no answer" with `show="null"`, and stayed in the language in which they were declared."""
    table = box.client().interviews(box.survey_id, language="en").table()
    french = table.in_language("fr")
    code, label = next(iter(french.values("frequency").items()))
    counts = {one.code: one.n for one in table.frequencies("frequency").categories}
    expected = (label, counts[code])
    declared = table.with_missing({"frequency": code})
    for view in (declared.in_language("fr"), french.with_missing({"frequency": code}), declared.in_language("de").with_lists().in_language("fr")):
        found = {one.code: (one.label, one.n) for one in view.frequencies("frequency", missing=True).categories if one.missing}
        assert found[code] == expected
        for labels in (False, True, "both"):
            view.with_labels(labels).to_parquet(tmp_path / "a.parquet")
            assert sondage.read_parquet(tmp_path / "a.parquet").frequencies("frequency", missing=True) == view.frequencies("frequency", missing=True)
        assert pickle.loads(pickle.dumps(view)).in_language("en").frequencies("frequency", missing=True) == declared.frequencies("frequency", missing=True)
    reasons = table.with_missing({"frequency": code}, show="reason").in_language("fr").to_pandas()["frequency_missing"]
    assert (reasons == label).sum() == counts[code] and label in reasons.cat.categories
    again = declared.with_missing([], show="reason").to_pandas()["frequency_missing"]
    assert again.value_counts()[table.values("frequency")[code]] == counts[code]


@pytest.mark.parametrize("code_plan", [True, False])
def test_what_is_not_available_has_its_name_where_no_plan_names_it(code_plan: bool) -> None:
    frame = pd.DataFrame({"q": [1, 9_999_999, None, 9_999_999, 2]})
    with sondage.Sandbox.from_frame(frame, labels={"q": {1: "a", 2: "b"}}) as box:
        table = box.client().interviews(box.survey_id, code_plan=code_plan).table()
    declared = table if code_plan else table.with_missing(9_999_999)
    missing = [(category.code, category.label, category.n) for category in declared.frequencies("q", missing=True).categories if category.missing]
    assert missing == [(9_999_999, "not available", 2), (None, "no answer", 1)]
