"""A Parquet file is the table that was written."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sondage

pytestmark = pytest.mark.filterwarnings("ignore::sondage.DataWarning")


@pytest.fixture(scope="module")
def box() -> Any:
    with sondage.Sandbox.demo("waves") as box:
        yield box


@pytest.mark.parametrize("labels", [False, True, "both"])
def test_the_table_is_there_again(tmp_path: Path, box: sondage.Sandbox, labels: Any) -> None:
    query = box.client().interviews(box.survey_id)
    table = query.table().with_labels(labels)
    for way in ("table", "query"):
        file = tmp_path / f"{way}.parquet"
        if way == "table":
            table.to_parquet(file)
        else:
            query.to_parquet(file, labels)
        back = sondage.read_parquet(file)
        assert back.columns == table.columns
        pd.testing.assert_frame_equal(back.to_pandas(), table.to_pandas())
        assert back.to_pandas().attrs == table.to_pandas().attrs
        assert list(back.with_labels(False)) == list(table.with_labels(False))
        for name in ("frequency", "branch", "satisfaction", "score", "income"):
            assert (back.label(name), back.values(name), back.choices(name)) == (table.label(name), table.values(name), table.choices(name))
            assert back.frequencies(name, missing=True) == table.frequencies(name, missing=True)
        assert back.codebook(frequencies=True).to_markdown() == table.codebook(frequencies=True).to_markdown()
        assert back.with_lists().columns == table.with_lists().columns


def test_some_columns_and_other_files(tmp_path: Path, box: sondage.Sandbox) -> None:
    table = box.client().interviews(box.survey_id).table()
    table.to_parquet(tmp_path / "a.parquet")
    part = sondage.read_parquet(tmp_path / "a.parquet", ["weight", "frequency"])
    assert part.columns == ["weight", "frequency"] and len(part) == 400
    with pytest.raises(sondage.InvalidArgument, match="the file has no column 'colour'"):
        sondage.read_parquet(tmp_path / "a.parquet", ["colour"])
    with pytest.raises(sondage.InvalidArgument, match="there is no file"):
        sondage.read_parquet(tmp_path / "b.parquet")
    (tmp_path / "c.parquet").write_text("no")
    with pytest.raises(sondage.InvalidArgument, match="not a Parquet file"):
        sondage.read_parquet(tmp_path / "c.parquet")
    pd.DataFrame({"a": [1]}).to_parquet(tmp_path / "d.parquet")
    with pytest.raises(sondage.InvalidArgument, match="no metadata of this library"):
        sondage.read_parquet(tmp_path / "d.parquet")


def test_pandas_reads_integers_and_days_as_they_are(tmp_path: Path) -> None:
    big = 2**60 + 1
    frame = pd.DataFrame({"n": pd.Series([big, None, 3], dtype="Int64"), "day": ["2020-02-29", None, "1850-12-31"], "x": [0.5, None, 2.0]})
    path = tmp_path / "exact.parquet"
    with sondage.Sandbox.from_frame(frame, labels={"x": {}}) as box:
        table = box.client().interviews(box.survey_id, fields=["n", "day", "x", "State"]).table()
        table.to_parquet(path)
        answers = table
        box.client().interviews(box.survey_id, fields=["n", "day", "x", "State"]).to_parquet(tmp_path / "query.parquet")
    days = [name for name in table.columns if str(table.to_arrow().schema.field(name).type) == "date32[day]"]
    for file in (path, tmp_path / "query.parquet"):
        back = pd.read_parquet(file)
        assert back["n"].dtype == "Int64" and back["n"].dropna().tolist() == [big, 3]
        assert back["x"].dtype == "float64"
        for name in days:
            assert str(back[name].dtype) == "date32[day][pyarrow]" and back[name].dt.year.dropna().tolist() == [2020, 1850]
            assert pd.to_datetime(back[name]).dt.year.dropna().tolist() == [2020, 1850]
        assert pd.read_parquet(file, columns=["x", "n"])["n"].dtype == "Int64"
        pd.testing.assert_frame_equal(sondage.read_parquet(file).to_pandas(), table.to_pandas())
        assert pl.read_parquet(file)["n"].to_list() == [big, None, 3]
        assert duckdb.read_parquet(str(file)).fetchall() == duckdb.sql("select * from answers").fetchall()
    assert days == ["day"]


def test_labels_in_lists_are_codes_again(tmp_path: Path, box: sondage.Sandbox) -> None:
    lists = box.client().interviews(box.survey_id).table().with_lists()
    names = [name for name in lists.columns if any(isinstance(cell, list) for cell in lists.to_arrow()[name].to_pylist())]
    assert names
    for labels in (False, True, "both"):
        lists.with_labels(labels).to_parquet(tmp_path / "lists.parquet")
        back = sondage.read_parquet(tmp_path / "lists.parquet")
        assert list(back) == list(lists.with_labels(labels))
        assert list(back.with_labels(False)) == list(lists) and list(back.with_labels()) == list(lists.with_labels())


def test_a_file_without_rows_has_its_categories(tmp_path: Path) -> None:
    with sondage.Sandbox.from_frame({"q": [1, 2]}, labels={"q": {1: "a", 2: "b"}}) as own:
        nobody = own.client().interviews(own.survey_id, where=sondage.field.question("q") == 9).table().with_labels()
    nobody.to_parquet(tmp_path / "none.parquet")
    assert len(nobody) == 0 and pd.read_parquet(tmp_path / "none.parquet").attrs["values"] == {"q": {"1": "a", "2": "b"}}
    # polars 1.5 knows no `Enum` in a file.
    assert pl.read_parquet(tmp_path / "none.parquet").schema["q"] in (pl.Enum(["a", "b"]), pl.Categorical)
    assert list(sondage.read_parquet(tmp_path / "none.parquet").to_pandas()["q"].cat.categories) == ["a", "b"]


def test_pages_join_although_a_code_is_in_one_of_them_only(box: sondage.Sandbox) -> None:
    """A code that the code plan does not know makes another category in one page: pandas would lose the categories of both."""
    frame = pd.DataFrame({"q": [1, 2, 2, 1, 7, 2, 1, 2]})
    with sondage.Sandbox.from_frame(frame, labels={"q": {1: "a", 2: "b", 9: "i"}}) as own:
        query = own.client().interviews(own.survey_id, fields=["Id", "q"])
        paged = own.client().interviews(own.survey_id, fields=["Id", "q"], page_size=3, labels=True)
        pages = list(paged.batches())
        assert len(pages) == 3
        whole = sondage.concat(pages)
        expected = query.table().with_labels()
        assert whole.choices("q") == expected.choices("q") == ["a", "b", "7", "i"]
        assert list(whole) == list(expected)
        assert list(whole.to_pandas()["q"].cat.categories) == ["a", "b", "7", "i"]
        assert sondage.concat(page.with_labels(False) for page in pages).columns == ["Id", "q"]
    with pytest.raises(sondage.InvalidArgument, match="no tables"):
        sondage.concat([])


def test_a_whole_of_pages_knows_why_an_answer_is_missing() -> None:
    frame = pd.DataFrame({"q": [1, 9_999_999, None, 9_999_999, 2]})
    with sondage.Sandbox.from_frame(frame, labels={"q": {1: "a", 2: "b", 9_999_999: "not available"}}) as own:
        client = own.client()
        table = client.interviews(own.survey_id).table()
        whole = sondage.concat(client.interviews(own.survey_id, page_size=2).batches())
    expected = table.frequencies("q", missing=True).categories
    assert [(category.label, category.n) for category in expected if category.missing] == [("not available", 2), ("no answer", 1)]
    assert whole.frequencies("q", missing=True).categories == expected
    assert whole.codebook(frequencies=True).to_markdown() == table.codebook(frequencies=True).to_markdown()


@pytest.mark.parametrize("labels", [False, True, "both"])
def test_a_file_knows_why_an_answer_is_missing(tmp_path: Path, labels: Any) -> None:
    codes = [1, 9_999_999, None, 2, 9_999_999] * 3_000
    frame = pd.DataFrame({"q": codes, "r": [number + 0.5 if number else 9_999_999 for number in range(15_000)]})
    texts = {"q": {1: "a", 2: "b", 9_999_999: "not available"}, "r": {9_999_999: "refused"}}
    with sondage.Sandbox.from_frame(frame, labels=texts) as own:
        query = own.client().interviews(own.survey_id, page_size=4_000)
        table = query.table().with_labels(labels)
        table.to_parquet(tmp_path / "table.parquet")
        query.to_parquet(tmp_path / "query.parquet", labels)
    expected = table.frequencies("q", missing=True)
    assert [(one.code, one.label, one.n) for one in expected.categories if one.missing] == [(9_999_999, "not available", 6_000), (None, "no answer", 3_000)]
    for file in (tmp_path / "table.parquet", tmp_path / "query.parquet"):
        back = sondage.read_parquet(file)
        assert back.frequencies("q", missing=True) == expected
        assert back.frequencies("r", missing=True) == table.frequencies("r", missing=True)
        assert back.with_missing([], show="code").to_pandas().iloc[:, -1].equals(table.with_missing([], show="code").to_pandas().iloc[:, -1])
        assert list(back.with_missing([], show="reason")) == list(table.with_missing([], show="reason"))
        assert sondage.read_parquet(file, ["q"]).frequencies("q", missing=True) == expected
        # Somebody has changed the rows: nothing is known about them.
        whole = pq.read_table(file)
        pq.write_table(whole.slice(1), tmp_path / "other.parquet")
        assert sondage.read_parquet(tmp_path / "other.parquet").frequencies("q", missing=True).answered == 5_999
        pq.write_table(whole.take(list(range(14_999, -1, -1))), tmp_path / "other.parquet")
        assert {one.label for one in sondage.read_parquet(tmp_path / "other.parquet").frequencies("q", missing=True).categories} == {"a", "b", "no answer"}


def test_many_columns_of_labels_are_read_in_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader of Arrow's streams searches all columns for each dictionary: 4,000 columns of labels took 8 s."""
    frame = {f"q{number}": [1, 2, None] for number in range(300)}
    with sondage.Sandbox.from_frame(frame, labels={name: {1: "no", 2: "yes"} for name in frame}) as own:
        table = own.client().interviews(own.survey_id).table()
    labels = table.with_labels()
    labels.to_parquet(tmp_path / "labels.parquet")
    monkeypatch.setattr(pa.ipc, "new_stream", None)
    back = sondage.read_parquet(tmp_path / "labels.parquet")
    assert list(back) == list(labels) and list(back.with_labels(False)) == list(table)
    monkeypatch.undo()
    reasons = table.with_missing([], show="reason")
    stored = reasons._native.method("to_bytes")
    assert list(pickle.loads(pickle.dumps(reasons))) == list(reasons)
    assert not any(pa.types.is_dictionary(field.type) for field in pa.ipc.open_stream(stored).schema)


def test_what_cannot_be_combined_is_named(box: sondage.Sandbox) -> None:
    table = box.client().interviews(box.survey_id).table()
    text = pd.DataFrame({"age": ["old"]})
    with sondage.Sandbox.from_frame({"q": [1]}) as numbers, sondage.Sandbox.from_frame({"q": ["x"]}) as texts:
        one, other = (own.client().interviews(own.survey_id, fields=["q"]).table() for own in (numbers, texts))
    for tables, words in [
        ([one, other], ['column "q" has the type Int64 in tables[0] and Utf8 in tables[1]', "`select`"]),
        ([table, table.in_time_zone("Europe/Zurich")], ["is in the time zone UTC in tables[0] and Europe/Zurich in tables[1]", "`in_time_zone`"]),
        (table, ["several tables, such as [first, second]"]),
        (text, ["several tables, such as [first, second], not one DataFrame"]),
        ([table, text], ["tables[1] is a DataFrame", "before `to_pandas`"]),
        (5, ["not one int"]),
    ]:
        with pytest.raises(sondage.InvalidArgument) as refused:
            sondage.concat(tables)
        assert all(word in str(refused.value) for word in words), refused.value


def test_what_a_file_cannot_hold_is_a_warning() -> None:
    from sondage._warned import saved

    with pytest.warns(sondage.DataWarning, match="too many of them"):
        assert saved({"size": 7, "warnings": ["there are too many of them"]}) == 7


@pytest.mark.parametrize(
    ("codes", "labels"),
    [
        (["01", "1", "01"], {"01": "Geneva", "1": "Bern"}),
        ([1.0, 2.0, 2.5], {1: "a", 2: "b"}),
        ([1, 2, None], {1: "a", 2: "b"}),
    ],
)
def test_codes_keep_their_type_through_labels(tmp_path: Path, codes: list[Any], labels: dict[Any, str]) -> None:
    frame = pd.DataFrame({"q": pd.Series(codes, dtype="object")})
    with sondage.Sandbox.from_frame(frame, labels={"q": labels}) as box:
        table = box.client().interviews(box.survey_id).table().select(["q"])
    for view in ("labels", "both", "codes"):
        shown = {"labels": table.with_labels(), "both": table.with_labels("both"), "codes": table}[view]
        shown.to_parquet(tmp_path / "codes.parquet")
        back = sondage.read_parquet(tmp_path / "codes.parquet")
        assert list(back) == list(shown), view
        assert repr(list(back.with_labels(False))) == repr(list(table)), view
        counts = [(row.code, row.n) for row in back.frequencies("q").categories]
        assert counts == [(row.code, row.n) for row in table.frequencies("q").categories], view


def test_columns_of_a_file_are_named_once_and_with_their_codes(tmp_path: Path, box: sondage.Sandbox) -> None:
    file = tmp_path / "both.parquet"
    table = box.client().interviews(box.feedback_survey_id).table().with_labels("both")
    table.to_parquet(file)
    label = next(name for name in table.columns if name.endswith("_label"))
    for columns, words in [([label], "name both"), ([], "at least one column"), (["Id", "Id"], "each once"), ("Id", "must be a list")]:
        with pytest.raises(sondage.InvalidArgument, match=words):
            sondage.read_parquet(file, columns=columns)
    with pytest.raises(sondage.InvalidArgument, match="no columns"):
        table.select([]).to_sav(tmp_path / "nothing.sav")


def test_columns_come_in_the_order_that_was_asked_for(tmp_path: Path, box: sondage.Sandbox) -> None:
    file = tmp_path / "both.parquet"
    table = box.client().interviews(box.survey_id, fields=["frequency", "branch"]).table().with_labels("both")
    table.to_parquet(file)
    for columns in (["branch_label", "branch"], ["frequency", "branch_label", "frequency_label", "branch"], ["frequency_label", "frequency"]):
        part = sondage.read_parquet(file, columns=columns)
        assert part.columns == columns == list(part.to_pandas().columns)
        assert list(part) == list(table.select(columns))
        assert part.with_labels(False).columns == [name for name in columns if not name.endswith("_label")] or len(columns) > 2


@pytest.mark.parametrize("labels", [False, True, "both"])
def test_a_file_has_the_texts_of_every_language(tmp_path: Path, box: sondage.Sandbox, labels: Any) -> None:
    query = box.client().interviews(box.survey_id, language="en")
    table = query.table().with_labels(labels)
    table.to_parquet(tmp_path / "table.parquet")
    query.to_parquet(tmp_path / "query.parquet", labels)
    for way in ("table", "query"):
        back = sondage.read_parquet(tmp_path / f"{way}.parquet")
        assert len(table.languages) == 4 and back.languages == table.languages
        for language in table.languages:
            spoken, expected = back.in_language(language), table.in_language(language)
            assert spoken.codebook().to_markdown() == expected.codebook().to_markdown()
            assert list(spoken.with_labels()) == list(expected.with_labels())
        with pytest.raises(sondage.InvalidArgument, match='no language "es"; there is'):
            back.in_language("es")
        part = sondage.read_parquet(tmp_path / f"{way}.parquet", ["frequency"])
        assert part.in_language("fr").values("frequency") == table.in_language("fr").values("frequency")
    box.client().interviews(box.survey_id).table().to_parquet(tmp_path / "one.parquet")
    with pytest.raises(sondage.InvalidArgument, match="one language only: read it with the option `language`"):
        sondage.read_parquet(tmp_path / "one.parquet").in_language("fr")


def test_columns_are_a_list_of_names(tmp_path: Path, box: sondage.Sandbox) -> None:
    file = tmp_path / "t.parquet"
    box.client().interviews(box.survey_id, fields=["score", "branch"]).to_parquet(file)
    for wrong in (5, "score", b"score", object()):
        with pytest.raises(sondage.InvalidArgument, match=f"columns must be a list, not {type(wrong).__name__}"):
            sondage.read_parquet(file, columns=wrong)  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match="the file has no column 5"):
        sondage.read_parquet(file, columns=[5])  # type: ignore[list-item]
    assert sondage.read_parquet(file, columns=(name for name in ["score"])).columns == ["score"]  # type: ignore[arg-type]
