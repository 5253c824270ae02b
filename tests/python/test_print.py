"""What `print` and a notebook show of results: at most a screen, without secrets, and how to see the rest."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import sondage

SCREEN = 24


def text(result: Any) -> str:
    shown = str(result)
    assert 0 < len(shown.splitlines()) <= SCREEN, shown
    assert max(len(line) for line in shown.splitlines()) < 200, shown
    return shown


def page(result: Any) -> str:
    shown: str = result._repr_html_()
    assert "<" in shown and "<script" not in shown and "None" not in shown, shown
    return shown


def test_plans_and_reports_have_tables(client: sondage.Client, box: sondage.Sandbox) -> None:
    plan = client.plan_invite(survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=box.message_template_id)
    shown = page(plan)
    assert "<table" in shown and "opted out" in shown and f"<td style=\"text-align:left\">{plan.count}</td>" in shown
    assert "reaches" in text(plan)
    report = plan.run(confirm=plan.token)
    assert f"done  {report.done}" in " ".join(text(report).split()).replace("done ", "done  ") and "rows (" in text(report)
    shown = page(report)
    assert str(report.done) in shown and "width:" in shown, "outcomes are counted, with bars"
    assert repr(report).startswith("SendReport("), "`repr` has everything"


def test_examinations_and_budgets_are_readable(client: sondage.Client) -> None:
    diagnosis = client.doctor()
    shown = text(diagnosis)
    assert shown.startswith("Diagnosis\n") and all(check.check.replace("_", " ") in shown.replace("_", " ") for check in diagnosis.checks)
    assert page(diagnosis).count("<tr") >= len(diagnosis.checks)
    budget = client.budget()
    assert "calls left" in text(budget) and str(budget.calls_limit) in page(budget)


def test_vouchers_stay_secret(client: sondage.Client, box: sondage.Sandbox) -> None:
    offer = client.read_incentive_list().panel_incentives[0]
    people = [member.id for member in client.members(box.panel_id)][:2]
    plan = client.plan_redeem(incentive_id=offer.id, member_ids=people)
    report = plan.run(confirm=plan.token)
    codes = [row.voucher_code for row in report.rows if row.voucher_code]
    assert codes
    for shown in (text(report), page(report), page(plan)):
        assert not any(code in shown for code in codes)


def test_field_reports_and_crosstabs_have_bars(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    report = reader.field_report(shared_box.feedback_survey_id, by="Language")
    assert "width:" in page(report) and "RR1" in text(report)
    interviews = reader.interviews(shared_box.survey_id)
    crosstab = interviews.crosstab("vote", by="PID", show=["col%"])
    assert page(crosstab).count("linear-gradient") == len(crosstab.cells)
    assert "linear-gradient" not in page(interviews.crosstab("vote", by="PID", show=["n"]))
    ages = interviews.crosstab("age", by="vote")
    assert "more: the table of the result has all" in text(ages) and len(ages.row_categories) > SCREEN


def test_a_codebook_fits_on_a_screen(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    codebook = reader.interviews(shared_box.survey_id).table().codebook(frequencies=True)
    assert "`to_markdown()`" in text(codebook) and "more lines" in text(codebook)
    shown = page(codebook)
    assert shown.startswith("<iframe") and "551" in shown and "width:" in shown


def test_a_codebook_is_safe_for_a_terminal() -> None:
    labels = {"q": {1: "\x1b[31mred\x85\u202e", 2: "L" * 300}}
    with sondage.Sandbox.from_frame({"q": [1, 2]}, labels=labels) as box:
        codebook = box.client().interviews(box.survey_id, fields=["q"]).table().codebook()
    assert "␛" in codebook.to_markdown() and "\x1b" not in codebook.to_markdown() + text(codebook)
    assert "\u202e" not in text(codebook) and max(map(len, text(codebook).split("\n"))) == 120


def test_a_model_with_long_names_keeps_their_values() -> None:
    member = sondage.ReadSurveyResponse.from_dict({"surveyName": "x" * 300, "n" * 90: 7})
    shown = text(member)
    assert "…  7" in shown and max(map(len, shown.splitlines())) <= 100


def test_a_column_that_does_not_exist_is_explained(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Any) -> None:
    query = reader.interviews(shared_box.survey_id, fields=["votes"])
    with pytest.raises(sondage.SondageError, match="Did you mean vote") as caught:
        query.to_csv(tmp_path / "votes.csv")
    assert "has no question or column" in str(caught.value) and list(tmp_path.iterdir()) == []
    with pytest.raises(sondage.SondageError, match="Its columns are popul, TVnews"):
        reader.interviews(shared_box.survey_id, fields=["nothing_like_it"]).table()


def test_a_wrong_test_of_a_question_is_explained(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    question, interviews = sondage.field.question, reader.interviews(shared_box.survey_id)
    with pytest.raises(sondage.ApiError, match='no question "voto". Did you mean vote\\?'):
        interviews.where(question("voto") == 1).count()
    with pytest.raises(sondage.ApiError, match='compared by its code, not by its label: "Clinton" is 0 in the question "vote"'):
        interviews.where(question("vote") == "clinton").count()


def test_a_long_model_is_a_screen(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    survey = reader.read_survey(shared_box.survey_id)
    member = reader.members(shared_box.panel_id).first()
    assert member is not None
    for model in (survey, member, reader.read_member_list(panel_id=shared_box.panel_id), reader.read_panel(shared_box.panel_id)):
        shown = text(model)
        assert shown.startswith(f"{type(model).__name__}\n") and max(len(line) for line in shown.splitlines()) <= 100, shown
        names = [name for name in inspect.signature(type(model)).parameters if name != "extra" and getattr(model, name) is not None]
        assert names and all(f"{name}=" in repr(model) for name in names) and "\n" not in repr(model), "`repr` has everything"
    assert "fields.Email" in str(member) and repr(member["Email"]) in str(member), str(member)
    short = sondage.NewMember.of(Email="a@b.example")
    assert str(short) == repr(short)


def test_a_name_of_somebody_else_does_not_move_the_cursor(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    panel = reader.read_panel(shared_box.panel_id)
    strange = type(panel).from_dict({"x\x1b[2J\ny": "a" * 300, **panel.to_dict()})
    for shown in (str(strange), repr(strange), text(strange)):
        assert "\x1b" not in shown and r"x\x1b[2J\ny" in shown, shown


def test_an_unknown_name_finds_what_is_meant(reader: sondage.Client, shared_box: sondage.Sandbox) -> None:
    client: Any = reader
    query: Any = reader.interviews(shared_box.survey_id, fields=["vote"])
    table: Any = query.table()
    cases: list[tuple[Any, str, str | None]] = [
        (query, "to_excel", "to_xlsx"),
        (query, "to_df", "to_pandas"),
        (table, "to_dataframe", "to_pandas"),
        (table, "to_spss", "to_sav"),
        (table, "with_label", "with_labels"),
        (client, "read_pannel", "read_panel"),
        (client, "list_members", "members"),
        (client, "get_survey", "read_survey"),
        (client, "readSurvey", "read_survey"),
        (sondage.field("Age"), "isnull", "is_empty"),
        (sondage.field("Age"), "notna", "is_not_empty"),
        (sondage.field("Age"), "isEmpty", "is_empty"),
        (sondage.field("Age"), "not_contains", None),
        (client, "list_surveys", "read_survey_list"),
        (client, "colour", None),
    ]
    for owner, name, meant in cases:
        with pytest.raises(AttributeError) as caught:
            getattr(owner, name)
        said = str(caught.value)
        assert said.endswith(f"has no {name!r}. Did you mean `{meant}`?" if meant else f"has no {name!r}"), said
    assert not hasattr(client, "__array__") and not hasattr(table, "_repr_latex_")


def test_an_error_of_a_property_is_seen(shared_box: sondage.Sandbox) -> None:
    class Own(sondage.Client):
        @property
        def region(self) -> str:
            raise AttributeError("the region is not set")

    box = shared_box
    own = Own(base_url=box.base_url, auth_url=box.auth_url, tenant=box.tenant, client_secret=box.client_secret)
    with pytest.raises(AttributeError, match="^the region is not set$"):
        own.region  # noqa: B018


def test_a_load_that_has_not_begun_says_how(reader: sondage.Client, shared_box: sondage.Sandbox, tmp_path: Any) -> None:
    load: Any = reader.interviews(shared_box.survey_id).delta(tmp_path / "state")
    for work in (lambda: len(load), lambda: list(load), lambda: load["vote"]):
        with pytest.raises(TypeError, match="a load begins with `with load as new:`"):
            work()
    assert load and list(tmp_path.iterdir()) == []
