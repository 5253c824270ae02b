"""Data frames as surveys: what is read back is what was given."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pytest
import sondage

SCALE = ["never", "sometimes", "always"]


def _labelled(box: sondage.Sandbox) -> pd.DataFrame:
    own = [name for name in box.client().interviews(box.survey_id).head(1).columns if name in ("use", "age", "hours", "since", "why")]
    return box.client().interviews(box.survey_id, fields=own, labels=True).to_pandas()


def test_a_labelled_frame_comes_back_equal() -> None:
    frame = pd.DataFrame(
        {
            "use": pd.Categorical(["always", None, "never"], SCALE, ordered=True),
            "age": pd.array([31, None, 58], "Int64"),
            "hours": [0.5, 2.0, None],
            "since": ["2019-05-01", None, "2020-02-29"],
            "why": ["so", "", None],
        }
    )
    with sondage.Sandbox.from_frame(frame, name="Use") as box:
        assert box.survey_ids == {"Use": box.survey_id}
        back = _labelled(box)
    assert back["use"].cat.categories.tolist() == SCALE
    assert back["use"].astype(object).where(back["use"].notna(), None).tolist() == ["always", None, "never"]
    assert back["age"].tolist()[0] == 31 and back["age"].isna().tolist() == [False, True, False]
    assert back["hours"].tolist()[:2] == [0.5, 2.0]
    assert [str(day)[:10] for day in back["since"].dropna()] == ["2019-05-01", "2020-02-29"]
    assert back["why"].tolist()[:2] == ["so", ""]


def test_a_table_of_the_demo_is_the_same_survey_in_another_sandbox(box: sondage.Sandbox) -> None:
    query = box.client().interviews(box.survey_id, labels=True)
    given = query.to_pandas()
    with sondage.Sandbox.from_frame(given) as other:
        back = other.client().interviews(other.survey_id, fields=list(given.columns), labels=True).to_pandas()
    questions = ["PID", "vote", "educ", "income", "age", "popul", "selfLR"]
    left, right = given.set_index("Id")[questions].sort_index(), back.set_index("Id")[questions].sort_index()
    for name in questions:
        assert left[name].astype(str).tolist() == right[name].astype(str).tolist(), name
        if hasattr(left[name], "cat"):
            assert left[name].cat.categories.tolist() == right[name].cat.categories.tolist(), name


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"use": pl.Series(["always", None, "never"], dtype=pl.Enum(SCALE)), "age": [31, None, 58]}),
        {"use": pd.Categorical(["always", None, "never"], SCALE), "age": [31, None, 58]},
        pd.DataFrame({"use": pd.Categorical(["always", None, "never"], SCALE), "age": [31, None, 58]}),
    ],
    ids=["polars", "mapping", "pandas"],
)
def test_frames_of_every_kind(frame: Any) -> None:
    if isinstance(frame, dict):
        frame = {"use": pd.Series(frame["use"]), "age": frame["age"]}
    with sondage.Sandbox.from_frame(frame) as box:
        back = _labelled(box)
    assert back["use"].cat.categories.tolist() == SCALE
    assert back["age"].dropna().tolist() == [31, 58]


def test_labels_of_codes_and_codes_without_labels() -> None:
    rows = [{"use": 1, "Language": "de"}, {"use": 5}, {"use": None}]
    labels = {"use": {1: "nie", 10: "immer", 77: "nobody said this"}}
    with sondage.Sandbox.from_frame(rows, labels=labels, questions={"use": "Wie oft?"}) as box:
        table = box.client().interviews(box.survey_id, fields=["use", "Language"]).table()
        assert table.values("use") == {1: "nie", 10: "immer", 77: "nobody said this"}
        assert sorted(str(row["use"]) for row in table) == ["1", "5", "None"]
        assert "Wie oft?" in table.codebook().to_markdown()


def test_a_wide_frame() -> None:
    frame = {f"q{number}": [number, None] for number in range(33_000)}
    with sondage.Sandbox.from_frame(frame) as box:
        rows = box.client().read_interview_list_compact(survey_id=box.survey_id).interviews
    assert [rows[0]["q0"], rows[0]["q32999"], rows[1]["q7"]] == [0, 32_999, None]


def test_a_wide_frame_with_labels_in_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    """polars builds the schema of a frame anew each time: once for each column made 4,000 columns take 48 s."""
    polars = pytest.importorskip("polars")
    frame = {f"q{number}": [1, 2, None] for number in range(300)}
    labels = {name: {1: "no", 2: "yes"} for name in frame}
    asked: list[None] = []
    schema = polars.DataFrame.schema.fget
    monkeypatch.setattr(polars.DataFrame, "schema", property(lambda self: (asked.append(None), schema(self))[1]))
    with sondage.Sandbox.from_frame(frame, labels=labels) as box:
        labelled = box.client().interviews(box.survey_id).table().with_labels().to_polars()
    assert labelled["q299"].to_list() == ["no", "yes", None]
    assert len(asked) < 20


@pytest.mark.parametrize(
    ("frame", "labels", "why"),
    [
        ({"a": [1, 2], "b": [1]}, {}, 'column "b" has 1 rows, and the first one has 2'),
        ({"": [1]}, {}, "a name is needed once"),
        ({"State": ["Over"]}, {}, 'column "State", row 0: this is not a state'),
        ({"Id": ["x"]}, {}, 'column "Id", row 0: this is not a GUID'),
        ({"a": [1]}, {"b": {1: "x"}}, "labels: the frame has no column 'b'"),
        ({"a": [1]}, {"a": ["x"]}, "labels of 'a' must be a mapping of codes, not list"),
        ({"a": [1]}, ["a"], "labels must be a mapping by column, not list"),
        ({" ": [1]}, {}, "a name is needed once"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, "the frame has two columns with the name 'a'"),
        (None, {}, "a frame, a mapping of columns or rows are needed, not NoneType"),
        ("abc", {}, "a frame, a mapping of columns or rows are needed, not str"),
        ([1], {}, "each row must be a mapping"),
        (pd.Series([1, 2], name="a"), {}, "a frame is needed, not one Series: pass its `to_frame()`"),
        ({"a": 5}, {}, "column 'a': a list of values is needed, not int"),
        ({"a": [1.0, float("-inf")]}, {}, "column 'a', row 1: a finite number is needed: replace the infinity, for example by None"),
        ({"a": [2**70]}, {}, "column 'a', row 0: the integer has more than 64 bits"),
        ({"a": ["x", b"y"]}, {}, "column 'a', row 1: bytes are no answer: decode them to a text"),
        ({"a": [[1]]}, {}, "column 'a', row 0: a number, a text or None is needed, not list"),
        ({"a": ["x", "y\ud83d"]}, {}, "column 'a', row 1: half of a surrogate pair is no text"),
        ({"a\ud83d": [1]}, {}, "column 'a\\ud83d': half of a surrogate pair is no text"),
        ({"a": [1]}, {"a": {1: "\ud83d"}}, "labels of 'a', '1': half of a surrogate pair is no text"),
    ],
)
def test_what_cannot_be_a_survey_is_named(frame: Any, labels: Any, why: str) -> None:
    with pytest.raises(sondage.InvalidArgument) as refused:
        sondage.Sandbox.from_frame(frame, labels=labels)
    assert why in str(refused.value)


def test_tables_whose_codes_mean_something_else_are_not_combined() -> None:
    with sondage.Sandbox.demo("waves") as box:
        client = box.client()
        first, second = (client.interviews(survey).table().select(["informed"]) for survey in box.survey_ids.values())
        with pytest.raises(sondage.InvalidArgument, match='the column "informed": the code "1" means .* in tables\\[0\\]'):
            sondage.concat([first, second])
        assert len(sondage.concat([first, first])) == 2 * len(first)


def test_a_code_without_a_label_stays_a_code() -> None:
    labels = {"q": {1: "yes", 2: None, 3: float("nan")}}
    with sondage.Sandbox.from_frame({"q": [1, 2, 3]}, labels=labels) as box:  # type: ignore[dict-item]
        shown = box.client().interviews(box.survey_id).table().with_labels()
        assert [row["q"] for row in shown] == ["yes", "2", "3"]


def test_texts_of_a_frame_are_no_markup() -> None:
    labels = ["<none>", "a<b and c>d", "AT&amp;T", "R&D", "<b>bold</b>"]
    frame = pd.DataFrame({"q": pd.Categorical(labels, labels)})
    with sondage.Sandbox.from_frame(frame) as box:
        shown = box.client().interviews(box.survey_id).table().with_labels()
        assert [row["q"] for row in shown] == labels


def test_all_faults_of_a_frame_are_named_at_once() -> None:
    frame = {"a": [b"x", float("inf"), 2**70], "b": [1, {"c": 1}, "\ud83d"], "d": 5}
    with pytest.raises(sondage.InvalidArgument) as refused:
        sondage.Sandbox.from_frame(frame, labels={"z": {1: "x"}})
    told = str(refused.value)
    for part in (
        "the frame has no column 'z'; it has 'a', 'b', 'd'", "'a', row 0: bytes", "'a', row 1: a finite number", "'a', row 2: the integer",
        "'b', row 1: a number, a text or None is needed, not dict", "'b', row 2: half of a surrogate pair", "'d': a list of values",
    ):  # fmt: skip
        assert part in told
    with pytest.raises(sondage.InvalidArgument, match="; and 980 more"):
        sondage.Sandbox.from_frame({"a": [b""] * 1000})


def test_numbers_as_ids_are_replaced_with_a_warning() -> None:
    with pytest.warns(sondage.DataWarning, match="'Id': numbers are no ids of interviews, which are GUIDs"), sondage.Sandbox.from_frame({"Id": [7, 8], "a": [1, 2]}) as box:
        rows = box.client().read_interview_list_compact(survey_id=box.survey_id).interviews
        listed = box.not_carried_out(box.survey_id)
    assert [row["a"] for row in rows] == [1, 2]
    assert listed == ["numbers as ids of interviews, which are GUIDs: the interviews have new ones: Id"]


def test_times_become_texts_with_a_warning_and_decimals_numbers() -> None:
    day, time = dt.datetime(2024, 5, 1), dt.datetime(2024, 5, 2, 10, 30)
    frame = {
        "day": [day, dt.date(2024, 5, 2)], "time": [day, time], "price": [Decimal("1.5"), None], "count": [Decimal(7), Decimal("7.0")],
        "long": [Decimal("0.1234567890123456789"), Decimal("NaN")], "span": [dt.timedelta(hours=1), None], "StartDate": [day, time],
        "yes": [True, None],
    }  # fmt: skip
    with pytest.warns(sondage.DataWarning) as told, sondage.Sandbox.from_frame(frame) as box:
        rows = list(box.client().interviews(box.survey_id).table())
    assert sorted(str(one.message) for one in told) == [
        "'long': decimals were rounded to numbers of 17 digits",
        "'span': values of the type timedelta became texts: the platform has numbers, texts and dates",
        "'time': values of the type datetime became texts: the platform has numbers, texts and dates",
        "'yes': truth values became 1 and 0: the platform has numbers, texts and dates",
    ]
    assert [row["day"] for row in rows] == [dt.date(2024, 5, 1), dt.date(2024, 5, 2)]
    assert [row["time"] for row in rows] == ["2024-05-01T00:00:00", "2024-05-02T10:30:00"]
    assert [(row["price"], row["count"]) for row in rows] == [(1.5, 7), (None, 7)]
    assert rows[0]["long"] == 0.12345678901234568 and rows[0]["span"] == "1:00:00"
    assert [row["StartDate"].hour for row in rows] == [0, 10]


def test_categories_of_every_type_are_labels() -> None:
    kinds = [pd.Timestamp(2024, 5, 1, 3), pd.Timestamp(2024, 5, 2)]
    with pytest.warns(sondage.DataWarning, match="'q': values of the type Timestamp became texts"):
        box = sondage.Sandbox.from_frame(pd.DataFrame({"q": pd.Categorical([kinds[1], None], kinds)}))
    with box:
        shown = box.client().interviews(box.survey_id).table().with_labels()
        assert [row["q"] for row in shown] == ["2024-05-02T00:00:00", None]


def test_an_end_that_is_not_given_is_after_the_start() -> None:
    frame = pd.DataFrame({"StartDate": pd.to_datetime(["2026-01-02", "2020-05-05"]), "a": [1, 2]})
    with sondage.Sandbox.from_frame(frame) as box:
        rows = box.client().interviews(box.survey_id).table().to_pandas()
    assert (rows["EndDate"] > rows["StartDate"]).all() and (rows["UpdatedAt"] == rows["EndDate"]).all()
