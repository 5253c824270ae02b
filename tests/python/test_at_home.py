"""What a Python programmer expects of objects at the prompt: counting, looking, completing, short forms."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
import sondage

COLUMNS = ["PID", "vote", "age"]
LIST, INTERVIEWS = "ReadMemberList", "ReadInterviewListCompact"


@pytest.fixture(scope="module")
def query(reader: sondage.Client, shared_box: sondage.Sandbox) -> sondage.Interviews:
    return reader.interviews(shared_box.survey_id, fields=COLUMNS)


def test_how_many_costs_one_call(reader: sondage.Client, shared_box: sondage.Sandbox, query: sondage.Interviews) -> None:
    members = reader.members(shared_box.panel_id)
    german = reader.members(shared_box.panel_id, where=sondage.field("Language") == "de")
    for asked in (query, members):
        asked.count()  # finds the number of the first page, once for each client
    shared_box.ledger.clear()
    assert (query.count(), members.count()) == (944, len(list(members.table())))
    assert len(shared_box.ledger.requests(INTERVIEWS)) == 1
    assert german.count() == len(list(german))
    nobody = reader.members(shared_box.panel_id, where=sondage.field("Email") == "nobody")
    assert nobody.count() == 0 and nobody.first() is None


def test_a_count_that_cannot_be_right_is_not_believed(box: sondage.Sandbox) -> None:
    box.fault(LIST, total_count=3, times=None)
    client = box.client()
    assert client.members(box.panel_id, verify_total=False).count() == len(
        list(client.members(box.panel_id, verify_total=False))
    )


def test_the_first_rows(reader: sondage.Client, shared_box: sondage.Sandbox, query: sondage.Interviews) -> None:
    members, all_rows = reader.members(shared_box.panel_id), list(query.table())
    query.head()
    shared_box.ledger.clear()
    first = query.head(3)
    assert first.columns == COLUMNS and list(first) == all_rows[:3]
    assert len(shared_box.ledger.requests(INTERVIEWS)) == 1
    assert query.first() == all_rows[0] and len(query.head(labels=True)) == 5
    assert query.head(1, labels=True).choices("vote") == ["Clinton", "Dole"]
    assert members.first() == next(iter(members)) and len(members.head(7)) == 7
    with pytest.raises(sondage.InvalidArgument, match="rows must be at least 1, not 0"):
        query.head(0)


def test_the_first_rows_for_asyncio(box: sondage.Sandbox) -> None:
    async def look() -> None:
        async with box.async_client() as client:
            members, interviews = client.members(box.panel_id), client.interviews(box.survey_id, fields=COLUMNS)
            first, row = await members.first(), await interviews.first()
            assert first is not None and first["Email"] and row is not None and set(row) == set(COLUMNS)
            assert len(await interviews.head(2)) == 2 and await interviews.count() == 944

    asyncio.run(look())


def test_the_values_of_a_column(query: sondage.Interviews) -> None:
    table = query.table()
    labels = {0: "Clinton", 1: "Dole"}
    assert table.values("vote") == labels == table.with_labels().values("vote")
    assert table.choices("vote") == ["Clinton", "Dole"] and table.values("age") == {} and table.choices("age") == []
    assert list(table.values("PID"))[0] == 0 and len(table.values("PID")) == 7
    assert table.with_labels("both").values("vote_label") == labels
    frame = table.to_pandas()
    assert (frame["vote"].map(table.values("vote")) == table.with_labels().to_pandas()["vote"].astype(str)).all()
    for wrong in (table.values, table.choices):
        with pytest.raises(sondage.InvalidArgument, match='no column "votes"'):
            wrong("votes")


def test_a_codebook_with_a_row_for_each_code(query: sondage.Interviews) -> None:
    book = query.codebook()
    long = book.values().to_pandas()
    assert list(long.columns) == ["variable", "question", "code", "label"] and len(long) == 9
    assert long[long["variable"] == "vote"]["label"].tolist() == ["Clinton", "Dole"]
    assert book._repr_markdown_() == book.to_markdown() and "| 1 | Dole |" in book.to_markdown()


def test_lists_keep_all_choices_and_their_order(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    names = ["topics_3", "topics_1", "topics_2"]
    lists = reader.interviews(shared_box.feedback_survey_id, fields=names).table().with_lists()
    assert lists.values("topics") == {"topics_3": "Sport", "topics_1": "Politik", "topics_2": "Kultur"}
    assert lists.with_labels().choices("topics") == ["Sport", "Politik", "Kultur"] == lists.choices("topics")
    frame = lists.with_labels().to_polars()
    assert frame.schema["topics"] == pl.List(pl.Enum(["Sport", "Politik", "Kultur"]))
    both = lists.with_labels("both").to_polars().schema
    assert both["topics_label"] == frame.schema["topics"] and both["topics"] == pl.List(pl.String)


def test_labels_of_a_parquet_file_in_pandas(query: sondage.Interviews, tmp_path: object) -> None:
    path = f"{tmp_path}/answers.parquet"
    query.to_parquet(path)
    attrs = pd.read_parquet(path).attrs
    assert attrs["labels"]["PID"] == "Party identification" and attrs["values"]["vote"] == {"0": "Clinton", "1": "Dole"}
    # JSON has texts as keys; the rest is as in a frame of memory.
    memory = query.to_pandas().attrs
    assert list(attrs["labels"]) == list(memory["labels"]) and list(attrs["values"]) == list(memory["values"])
    for name, known in memory["values"].items():
        assert list(attrs["values"][name].items()) == [(str(code), label) for code, label in known.items()]
    assert sondage.read_parquet(path).to_pandas().attrs == memory


def test_a_member_as_a_mapping(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    member = reader.members(shared_box.panel_id).first()
    assert member is not None
    flat = dict(member)
    assert flat == {name: member[name] for name in member.fields} and list(member) == list(flat)
    assert list(member.items()) == list(flat.items()) and member._ipython_key_completions_() == list(flat)
    assert pd.DataFrame([dict(one) for one in [member]])["Email"].tolist() == [member["Email"]]


def test_what_the_prompt_shows(reader: sondage.Client, query: sondage.Interviews, shared_box: sondage.Sandbox) -> None:
    assert repr(reader).startswith("<sondage.Client tenant=demo base_url=http://127.0.0.1:")
    assert repr(query) == f"<sondage.Interviews of survey {shared_box.survey_id}: fields=['PID', 'vote', 'age']>"
    with shared_box.client() as closed:
        pass
    assert repr(closed) == repr(reader), "also when it is closed"
    assert repr(reader.members(5)) == "<sondage.Members of panel 5>"
    assert "labels=True" in repr(reader.interviews(7, labels=True))


def test_the_only_id_by_its_position(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    assert reader.read_panel(shared_box.panel_id) == reader.read_panel(panel_id=shared_box.panel_id)
    with pytest.raises(TypeError, match="positional"):
        reader.create_members(shared_box.panel_id, [])  # type: ignore[call-arg]


def test_what_a_query_and_a_table_are_not_says_what_to_call(query: sondage.Interviews, tmp_path: Path) -> None:
    table: Any = query.table()
    asked: Any = query
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: len(asked), r"a query is a request, and has no rows: `len\(query\.table\(\)\)`"),
        (lambda: list(asked), r"a query is a request, and has no rows: `query\.table\(\)` downloads them"),
        (lambda: asked[0], r"`for row in query\.table\(\)`"),
        (lambda: asked["vote"], r"`query\.table\(\)\.to_pandas\(\)\['vote'\]`"),
        (lambda: table["vote"], r"`table\.to_pandas\(\)\['vote'\]`, `table\.select\(\['vote'\]\)`"),
        (lambda: table[0], r"`list\(table\)\[\.\.\]`"),
    ]
    for case, words in cases:
        with pytest.raises(TypeError, match=words):
            case()
    assert query, "a query is true, whatever it has"
    with pytest.raises(sondage.InvalidArgument, match="is a folder: name one of its files"):
        sondage.read_parquet(tmp_path)


@pytest.mark.parametrize("name", ["ReadPanle", "read_panel", "readPanel"])
def test_a_misspelt_fault_is_refused(box: sondage.Sandbox, name: str) -> None:
    with pytest.raises(sondage.InvalidArgument, match="did you mean `ReadPanel`"):
        box.fault(name, status=500)


def test_labels_in_attrs(query: sondage.Interviews) -> None:
    frame = query.to_pandas()
    assert frame.attrs["labels"]["PID"] == "Party identification" and frame.attrs["values"]["vote"] == {0: "Clinton", 1: "Dole"}
    assert {type(one) for one in (frame.attrs, *frame.attrs.values(), *frame.attrs["values"].values())} == {dict}
    later = frame[frame["age"] > 60].assign(old=True)
    later.attrs["values"]["vote"][0] = "changed"
    assert frame.attrs["values"]["vote"][0] == "Clinton", "a result has its own"
    assert query.table().select(["age"]).to_pandas().attrs["values"] == {}


def test_members_whom_nobody_matches_have_the_columns_and_types_of_others(
    reader: sondage.Client, shared_box: sondage.Sandbox
) -> None:
    email = sondage.field("Email")
    full = reader.members(shared_box.panel_id)
    empty = reader.members(shared_box.panel_id, where=email == "nobody")
    assert len(empty.table()) == 0 and empty.table().columns == full.table().columns
    assert "Email" in empty.table().columns
    assert empty.to_polars().schema == full.to_polars().schema
    assert dict(empty.to_pandas().dtypes) == dict(full.to_pandas().dtypes)


def test_one_person_signs_up(box: sondage.Sandbox) -> None:
    client, panel = box.client(), box.panel_id
    new = client.create_member(panel, sondage.NewMember.of(Email="one@python-home.example"))
    assert [member.id for member in client.members(panel, where=sondage.field("Email") == "one@python-home.example")] == [new]
    asked = {"fields": {"Points": {"name": "Points", "fieldType": "Number", "value": 1}}}
    with pytest.raises(sondage.ApiError, match="refuses the member.*Points.*Nobody was created") as refused:
        client.create_member(panel, asked)
    assert refused.value.operation == "CreateMembers" and refused.value.error_message
    for nothing, hint in ((sondage.NewMember.of(), "Give at least one"), ({"Email": "flat@python-home.example"}, "below `fields`")):
        with pytest.raises(sondage.InvalidArgument, match=f"`member` has no field.*{hint}"):
            client.create_member(panel, nothing)
    assert len(box.ledger.requests("CreateMembers")) == 2


def test_a_damaged_parquet_file_is_an_error_of_ours(tmp_path: Path, query: sondage.Interviews) -> None:
    path = tmp_path / "answers.parquet"
    query.to_parquet(path)
    whole = path.read_bytes()
    for at in (*range(4, len(whole), len(whole) // 60), *range(len(whole) - 200, len(whole), 9)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1 :])
        try:
            sondage.read_parquet(path)
        except sondage.InvalidArgument as error:
            assert "answers.parquet" in str(error), at
    path.write_bytes(whole[:100] + bytes(200) + whole[300:])
    with pytest.raises(sondage.InvalidArgument, match="answers.parquet' is damaged.*write it again"):
        sondage.read_parquet(path)
    with pytest.raises(sondage.InvalidArgument, match=r"path is of the type int: hand over `pathlib.Path\(...\)`"):
        sondage.read_parquet(5)  # type: ignore[arg-type]


def test_signs_of_several_parts_are_shown(box: sondage.Sandbox) -> None:
    with sondage.Sandbox.from_frame([{"q": "👩‍🚀 می‌خواهم"}, {"q": "a‍b"}]) as own:
        shown = str(own.client().interviews(own.survey_id).table().select(["q"]))
    assert "👩‍🚀 می‌خواهم" in shown and r"a\u{200d}b" in shown
