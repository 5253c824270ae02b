"""Languages, missing answers, names of the service's columns, states and filters: a survey that is created, answered and read."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
import sondage
from sondage import questionnaire as ask

F = sondage.field


def both(en: str, de: str) -> dict[str, str]:
    return {"en": en, "de": de}


@pytest.fixture(scope="module")
def platform() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox.demo() as box:
        yield box


@pytest.fixture(scope="module")
def visit(platform: sondage.Sandbox) -> int:
    """A survey in two languages: one refuses, one is not asked, one has not begun."""
    client = platform.client()
    again = {"1": both("Yes", "Ja"), "2": both("No", "Nein"), "99": both("Refused", "Keine Angabe")}
    topics = {"a": both("Food", "Essen"), "b": both("Music", "Musik")}
    elements = [
        ask.single_choice("again", both("Again?", "Wieder?"), again),
        ask.multiple_choice("topics", both("Which?", "Welche?"), topics),
        ask.open_question("Id", both("Card?", "Ausweis?")),
    ]
    survey = ask.questionnaire(["en", "de"], {"Visit": elements})
    survey_id = client.create_survey(workspace_id=platform.workspace_id, name="Visit", survey_definition=survey).survey_id
    assert survey_id is not None
    client.execute_workflow_transition(workflow="SurveyDesign", target_state="Published", survey_id=survey_id)
    panel_id = client.create_panel(workspace_id=platform.workspace_id, name="Visitors", panel_type="Basic").id
    assert panel_id is not None
    people = [sondage.NewMember.of(Email=f"p{number}@example.com") for number in range(3)]
    client.create_members(panel_id=panel_id, members=people)
    client.invite_members(survey_id=survey_id, panel_id=panel_id, message_template_id=platform.message_template_id, channel="Email")
    ids = [row["Id"] for row in client.interviews(survey_id, fields=["Id"]).table()]
    platform.set_profile({"acceptedAnswers": "any"})
    platform.emit("complete", id=ids[0], answers={"again": 99, "topics_a": 1, "topics_b": 0, "Id": "card"})
    platform.emit("complete", id=ids[1], answers={"again": 1, "Id": "card"})
    return survey_id


def test_labels_in_every_language_of_the_survey(platform: sondage.Sandbox, visit: int) -> None:
    client = platform.client()
    query = client.interviews(visit, fields=["again", "topics"], language="de", labels=True)
    frame = query.to_pandas()
    assert frame["again"].tolist()[:2] == ["Keine Angabe", "Ja"]
    assert frame.attrs["labels"]["again"] == "Wieder?"
    table = query.table()
    assert table.languages == ["en", "de"]
    before = len(platform.ledger.requests())
    english = table.in_language("en")
    assert english.to_pandas()["again"].tolist()[:2] == ["Refused", "Yes"]
    assert english.with_lists().to_polars()["topics"].to_list() == [["Food"], None, None]
    assert len(platform.ledger.requests()) == before, "a view costs no call"
    with pytest.raises(sondage.InvalidArgument, match='no language "it"; there is en, de'):
        client.interviews(visit, language="it").table()
    with pytest.raises(sondage.InvalidArgument, match="there is en, de"):
        table.in_language("it")
    with pytest.raises(sondage.InvalidArgument, match="option `language`"):
        client.interviews(visit, fields=["again"]).table().in_language("de")
    with pytest.raises(sondage.InvalidArgument, match="needs the code plan"):
        client.interviews(visit, language="de", code_plan=False).table()


def test_labels_in_another_language_are_found_by_their_codes(visit: int, platform: sondage.Sandbox) -> None:
    labels = {"1": "<p>Yes</p>", "2": " No", "98": "Don't know"}
    values = [{"id": code, "value": label} for code, label in labels.items()]
    plan = [{"code": "again", "dataType": "Number", "type": "SingleChoice", "question": "Again?", "values": values}]
    rows = [{"Id": f"00000000-0000-4000-8000-00000000000{code}", "again": code} for code in (1, 2)]
    page = {"surveyName": "Visit", "surveyDefaultLanguage": "en", "surveyLanguages": ["en", "de"], "interviews": rows, "codePlan": plan}
    body = json.dumps({**page, "totalCount": 2, "isSuccess": True, "errorMessage": None, "errorCode": None})
    platform.fault("ReadInterviewListCompact", body=body, times=1)
    with pytest.warns(sondage.DataWarning, match="not in the questionnaire stay in the language of the code plan: 1, of the columns again"):
        table = platform.client().interviews(visit, fields=["again"], language="de").table()
    assert table.values("again") == {1: "Ja", 2: "Nein", 98: "Don't know"}
    assert table.in_language("en").values("again") == {1: "Yes", 2: "No", 98: "Don't know"}


def test_a_file_in_another_language(platform: sondage.Sandbox, visit: int, tmp_path: Path) -> None:
    platform.client().interviews(visit, fields=["again"], language="de").to_csv(tmp_path / "a.csv", labels=True)
    assert "Keine Angabe" in (tmp_path / "a.csv").read_text(encoding="utf-8")


def test_missing_answers_and_their_reasons(platform: sondage.Sandbox, visit: int, tmp_path: Path) -> None:
    table = platform.client().interviews(visit, fields=["State", "again", "topics"]).table()
    assert table.to_pandas()["again"].tolist()[0] == 99
    gone = table.with_missing({"again": [99]})
    assert gone.to_pandas()["again"].isna().tolist() == [True, False, True]
    assert gone.values("again") == {1: "Yes", 2: "No"}
    assert gone.with_labels().to_pandas()["again"].cat.categories.tolist() == ["Yes", "No"]
    reasons = table.with_missing({"again": [99]}, show="reason")
    assert [row["again_missing"] for row in reasons] == ["Refused", None, "not_asked"]
    assert [row["topics_a_missing"] for row in reasons] == [None, "not_asked", "not_asked"]
    assert reasons.to_pandas()["again_missing"].cat.categories.tolist() == ["not_asked", "no_answer", "unknown", "Refused"]
    kept = table.with_missing({"again": [99]}, show="code")
    assert kept.to_pandas()["again"].tolist()[0] == 99

    import pyreadstat

    kept.to_sav(tmp_path / "a.sav")
    _, told = pyreadstat.read_sav(tmp_path / "a.sav", user_missing=True)
    assert told.missing_ranges["again"] == [{"lo": 99.0, "hi": 99.0}], "declared in the file"
    with pytest.warns(sondage.DataWarning, match="no answer has the code 98"):
        table.with_missing({"again": [98]})
    with pytest.raises(sondage.InvalidArgument, match="agian"):
        table.with_missing({"agian": [99]})
    with pytest.raises(sondage.InvalidArgument, match="null, code or reason"):
        table.with_missing({}, show="none")  # type: ignore[arg-type]


N = 9999999


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sondage.Table]:
    """Answers to closed questions of which the last person finds none available, and to an open one about a number."""
    home = tmp_path_factory.mktemp("own")
    single = {"code": "q", "dataType": "Number", "type": "SingleChoice", "question": "Q", "values": [{"id": "1", "value": "a"}, {"id": "5", "value": "e"}]}
    choice = {"dataType": "Number", "type": "MultipleChoice", "question": "MC", "questionCode": "mc"}
    plan = [
        single,
        *({**choice, "code": f"mc_{number}", "choice": f"Choice {number}"} for number in (1, 2)),
        {"code": "sales", "dataType": "Number", "type": "OpenQuestion", "question": "Sales"},
        {"code": "q_label", "dataType": "String", "type": "OpenQuestion", "question": "Label"},
        {"code": "q_missing", "dataType": "String", "type": "OpenQuestion", "question": "Missing"},
    ]
    (home / "plan.json").write_text(json.dumps({"codePlan": plan}))
    rows = ["q,mc_1,mc_2,sales,q_label,q_missing", "1,1,0,5,x,y", "5,0,0,96,x,y", "96,1,1,98,x,y", f"{N},{N},{N},{N},x,y"]
    (home / "answers.csv").write_text("\n".join(rows) + "\n")
    with sondage.Sandbox(data=home / "answers.csv", code_plan=home / "plan.json") as box:
        with pytest.warns(sondage.DataWarning, match=r"9999999 .* an answer in q, mc_1, mc_2\. .*`with_missing\(9999999\)`"):
            assert box.data_survey_id is not None
            yield box.client().interviews(box.data_survey_id, not_available=None).table()


def column(table: sondage.Table, name: str) -> list[Any]:
    """The values of a column, in the order of the rows of the file."""
    return sorted((row[name] for row in table), key=lambda value: (value is None, value))


def test_one_declaration_for_all_columns(answered: sondage.Table) -> None:
    import numpy as np

    forms: list[Any] = [N, float(N), str(N), [N], (N,), {N}, np.int64(N), np.array([N]), {"*": N}, {"*": [N]}]
    for form in [*forms, range(N, N + 1), [range(N, N + 3)], {"*": range(1000, 10**12)}]:
        gone = answered.with_missing(form)
        assert column(gone, "q") == [1, 5, 96, None], form
        assert column(gone, "sales") == [5, 96, 98, N], form
        assert gone.warnings == [], form
    by_name = answered.with_missing({"q": N, "mc": {N}, "sales": np.array([N])})
    assert column(by_name, "sales") == [5, 96, 98, None] and by_name.warnings == []
    lists = answered.with_missing(N).with_lists()
    assert sorted(map(str, column_of_lists(lists))) == ["None", "['mc_1', 'mc_2']", "['mc_1']", "[]"]
    assert "mc" not in answered.with_lists().columns
    assert column(answered.with_missing(range(96, 99)), "sales") == [5, N, None, None]
    assert column(answered.with_missing({"sales": [range(5, 6), 98]}), "sales") == [96, N, None, None]
    assert gone.to_pandas()["q"].mean() == 34
    with pytest.warns(sondage.DataWarning, match="no column has the code -99"):
        answered.with_missing(-99)


def test_what_is_not_available_is_missing(tmp_path: Path) -> None:
    """Without a declaration, in every type of closed question, and shown as a code or a reason on request."""
    frame = pd.DataFrame({"q": [1, 5, 96, N], "sales": [5, 96, 98, N]})
    with sondage.Sandbox.from_frame(frame, labels={"q": {1: "a", 5: "e", 96: "f", N: "Keine Angabe"}}) as box:
        query = box.client().interviews(box.survey_id)
        table = query.table()
        assert column(table, "q") == [1, 5, 96, None] and column(table, "sales") == [5, 96, 98, N]
        assert table.to_pandas()["q"].mean() == 34 and table.choices("q") == ["a", "e", "f"]
        assert "not_available" not in repr(query) and "not_available=None" in repr(box.client().interviews(1, not_available=None))
        codes, reasons = table.with_missing([], show="code"), table.with_missing([], show="reason")
        assert column(codes, "q") == [1, 5, 96, N] and codes.choices("q")[-1] == "Keine Angabe"
        assert column(reasons, "q") == [1, 5, 96, None] and column(reasons, "q_missing").count("not_available") == 1
        again = pickle.loads(pickle.dumps(table))
        assert column(again, "q") == [1, 5, 96, None] and column(again.with_missing([], show="code"), "q") == [1, 5, 96, N]
        plain = box.client().interviews(box.survey_id, not_available=None).table()
        assert column(plain, "q") == [1, 5, 96, N]
        other = box.client().interviews(box.survey_id, not_available=96).table()
        assert column(other, "q") == [1, 5, N, None]
        assert [one.label for one in table.frequencies("q", missing=True).categories] == ["a", "e", "f", "Keine Angabe"]
        for way in ("parquet", "csv", "jsonl"):
            file = tmp_path / f"answers.{way}"
            getattr(query, f"to_{way}")(file)
            back = {"parquet": pd.read_parquet, "csv": pd.read_csv, "jsonl": lambda path: pd.read_json(path, lines=True)}[way](file)
            assert sorted(back["q"].dropna()) == [1, 5, 96], way
            getattr(table.with_labels(), f"to_{way}")(file)
        query.to_sav(tmp_path / "answers.sav")
        sav, meta = pyreadstat.read_sav(tmp_path / "answers.sav", user_missing=True)
        assert sorted(sav["q"]) == [1, 5, 96, N] and meta.missing_ranges["q"] == [{"lo": N, "hi": N}]
        sav, _ = pyreadstat.read_sav(tmp_path / "answers.sav")
        assert sorted(sav["q"].dropna()) == [1, 5, 96]


def column_of_lists(table: sondage.Table) -> list[Any]:
    return [row["mc"] for row in table]


def test_wrong_codes_are_refused_with_the_way_out(answered: sondage.Table) -> None:
    wrong: list[Any] = [None, True, float("nan"), object(), b"9", 2**70, [None], [[9]], range(5, 1), {"q": range(1, 1)}, {"q": None}, {"q": [True]}, {"q": {"min": 1}}, {1: 9}]
    for form in [*wrong, {"q": {"from": 9, "to": 1}}, {"q": object()}]:
        with pytest.raises(sondage.InvalidArgument):
            answered.with_missing(form)
    with pytest.raises(sondage.InvalidArgument, match="a number or a text for all columns, a list of these, or codes by column"):
        answered.with_missing(None)  # type: ignore[arg-type]
    with pytest.raises(sondage.InvalidArgument, match="a code, which is a number or a text, or a range with `from` and `to`, or a list of these"):
        answered.with_missing({"q": None})  # type: ignore[dict-item]
    with pytest.raises(sondage.InvalidArgument, match=r"range\(5, 1\) has no codes.*the codes 1 to 5"):
        answered.with_missing(range(5, 1))


def test_names_of_the_survey_win_over_derived_ones(answered: sondage.Table) -> None:
    with pytest.warns(sondage.DataWarning, match="`q_label` is `q_label_`"):
        both = answered.with_labels("both")
    assert column(both, "q_label") == ["x"] * 4 and column(both, "q_label_") == ["96", "9999999", "a", "e"]
    with pytest.warns(sondage.DataWarning, match="`q_missing` is `q_missing_`"):
        reasons = answered.with_missing(N, show="reason")
    assert column(reasons, "q_missing") == ["y"] * 4 and column(reasons, "q_missing_") == ["not available", None, None, None]


def test_a_question_called_id_hides_nothing(platform: sondage.Sandbox, visit: int) -> None:
    table = platform.client().interviews(visit, fields=["Id"]).table()
    assert table.columns == ["Id", "answers.Id"]
    assert [row["answers.Id"] for row in table] == ["card", "card", None]
    assert len({row["Id"] for row in table}) == 3


def test_a_state_that_no_interview_has(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    query = reader.interviews(shared_box.survey_id)
    for wrong in (lambda: query.state("Complete").count(), lambda: reader.interviews(shared_box.survey_id, state="complet").count()):  # type: ignore[arg-type]
        with pytest.raises(sondage.InvalidArgument, match="did you mean Completed.*NotResponded"):
            wrong()
    other = reader.interviews(shared_box.survey_id, where=F.column("State") == "Complete")
    assert other.count() == 0, "any text can be filtered by"


def test_conditions_where_a_filter_stands(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    german = F("Language") == "de"
    expected = reader.members(shared_box.panel_id, where=german).count()
    assert reader.members(shared_box.panel_id, where=german.compile()).count() == expected > 0
    assert reader.members(shared_box.panel_id).where(german.compile()).count() == expected
    with pytest.raises(sondage.InvalidArgument, match="no test|contains no"):
        reader.members(shared_box.panel_id, where=[]).count()


def test_a_filter_can_be_read() -> None:
    test = ((F("Division") == "Sales") | (F.question("NPS") < 7)) & F("Language").is_in(["de", "at"])
    shown = '<sondage.Expression (Division = "Sales" or question(NPS) < 7) and Language in ["de", "at"]>'
    assert repr(test) == shown


def test_tokens_in_the_keyring(box: sondage.Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring", reason="the oldest packages have none")
    from keyring.backend import KeyringBackend
    from keyring.errors import PasswordDeleteError

    kept: dict[tuple[str, str], str] = {}

    class Fake(KeyringBackend):
        priority = 1  # type: ignore[assignment]

        def get_password(self, service: str, username: str) -> str | None:
            return kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            kept[service, username] = password

        def delete_password(self, service: str, username: str) -> None:
            if kept.pop((service, username), None) is None:
                raise PasswordDeleteError

    before = keyring.get_keyring()
    keyring.set_keyring(Fake())
    try:
        given: dict[str, Any] = {"base_url": box.base_url, "auth_url": box.auth_url, "tenant": box.tenant}
        given |= {"client_secret": box.client_secret, "token_store": sondage.KeyringStore()}
        for _ in range(2):
            assert sondage.Client(**given).read_panel(panel_id=box.panel_id).panel
        assert len(box.ledger.token_requests()) == 1
        [(service, _)] = kept
        assert service == "sondage" and "access" in json.dumps(kept[next(iter(kept))])
        box.revoke_tokens()  # renewed, and saved again
        first = dict(kept)
        assert sondage.Client(**given).read_panel(panel_id=box.panel_id).panel
        assert kept != first and len(box.ledger.token_requests()) >= 2, "a token of the same second is revoked too"
        sondage.Client(**given).logout()
        assert not kept
        sondage.KeyringStore("other").forget("nothing is there")
    finally:
        keyring.set_keyring(before)
    monkeypatch.setitem(__import__("sys").modules, "keyring", None)
    with pytest.raises(ImportError, match=r"pip install 'sondage\[keyring\]'"):
        sondage.KeyringStore()


def test_a_query_shows_its_filter(reader: sondage.Client) -> None:
    assert repr(reader.interviews(7, where=F.question("NPS") < 7)) == "<sondage.Interviews of survey 7: where=question(NPS) < 7>"


def test_what_is_wrong_is_said_in_words_of_python(client: sondage.Client, box: sondage.Sandbox) -> None:
    with pytest.raises(sondage.InvalidArgument, match="must be a positive number of seconds, not -1"):
        client.with_options(deadline=-1)
    with pytest.raises(sondage.InvalidArgument, match="not None"):
        box.emit("complete", id=None)
    with pytest.raises(sondage.InvalidArgument, match="agian"):
        client.interviews(box.survey_id, fields=["age"]).table().label("agian")


@pytest.mark.parametrize("key", ["id", "Id", "Email"])
def test_a_table_of_members_can_be_edited_and_given_back(client: sondage.Client, box: sondage.Sandbox, key: str) -> None:
    frame = client.members(box.panel_id, fields=["Email", "Division"]).to_pandas().head(3)
    frame.loc[0, "Division"] = "Moved"
    plan = client.plan_update(box.panel_id, frame, key=key)
    assert [(change["field"], change["new"]) for change in plan.changes] == [("Division", "Moved")]
    assert len(plan.apply().applied) == 1


def test_results_of_a_query_carry_what_the_table_warns_of(platform: sondage.Sandbox, visit: int) -> None:
    platform.answer(visit, [{"again": "often"}])
    query = platform.client().interviews(visit)
    with pytest.warns(sondage.DataWarning):
        table = query.table()
    about_again = [warning for warning in table.warnings if "again" in warning]
    assert about_again
    counted = query.frequencies("again")
    assert counted.warnings == about_again
    assert about_again[0] in repr(counted)
    assert query.crosstab("again", by="again").warnings[-1:] == about_again
    assert query.quality().warnings == table.warnings
    # A table has told them itself.
    assert table.frequencies("again").warnings == []
