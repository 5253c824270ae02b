"""The public API as type checkers, editors and `help` show it."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sondage
from conftest import ROOT

Check = Callable[[str], "tuple[bool, str]"]


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Runs `mypy --strict` on a text."""
    folder = tmp_path_factory.mktemp("mypy")

    def check(text: str) -> tuple[bool, str]:
        # A file of its own: mypy treats files with the same length and the same timestamp as unchanged.
        path = folder / f"snippet_{len(list(folder.iterdir()))}.py"
        path.write_text(text)
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), path.name]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        return done.returncode == 0, done.stdout + done.stderr

    return check


TYPED = """

def shown(row: Survey{survey}Row, fields: Panel{panel}Fields) -> tuple[int | None, str | None, float | None, str | None]:
    return row["{key}"], row["class"], row["say \\"ü\\" */ 1"], fields["Email"]
"""


def test_declarations_of_an_account_are_types_whatever_its_columns_are_called(check: Check, tmp_path: Path) -> None:
    columns = {"Q-1": [1], "class": ["a"], 'say "ü" */ 1': [2.5]}
    labels = {"Q-1": {1: "one\n})"}}
    with sondage.Sandbox.from_frame(columns, labels=labels, questions={"class": "Which class?"}) as box:
        names = ("base_url", "auth_url", "tenant", "client_secret")
        settings = {f"SONDAGE_{name.upper()}": getattr(box, name) for name in names}
        words = ["types", "--python", "--panel", str(box.panel_id), "--survey", str(box.survey_id)]
        code = "import sys; from sondage._command import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, env=os.environ | settings, check=False
        )
        assert done.returncode == 0, done.stderr
        module: dict[str, Any] = {}
        exec(done.stdout, module)
        row = next(iter(box.client().interviews(box.survey_id).table()))
        assert set(row) == set(module[f"Survey{box.survey_id}Row"].__annotations__)
        for key, expected in (("Q-1", True), ("Q-2", False)):
            fine, said = check(done.stdout + TYPED.format(panel=box.panel_id, survey=box.survey_id, key=key))
            assert fine == expected, said


GOOD = """
from datetime import datetime
import sondage

client = sondage.Client("https://acme.survalyzer-eu.app", client_secret="...")
members: list[sondage.Member] = client.read_member_list(panel_id=5, fields_to_download=("Email",)).members
created: datetime = members[0].created_at
channel: sondage.types.DistributionChannel = "Email"
answer: sondage.Response[sondage.ReadPanelResponse] = client.with_response(client.read_panel, panel_id=5)
for survey in client.pages(client.read_survey_list, workspace_id=5):
    name: str | None = survey.name
for member in client.members(5, where=(sondage.field("Division") == "Sales") & ~sondage.field("Language").is_in(["de"])):
    number: int = member.id
client.invite_members(
    survey_id=1, panel_id=2, message_template_id=3, channel=channel, conditions=sondage.field("Division") == "Sales"
)

async def main() -> None:
    async with sondage.AsyncClient() as other:
        panel: sondage.ReadPanelResponse = await other.read_panel(panel_id=5)
        whole: sondage.Response[sondage.ReadPanelResponse] = await other.with_response(other.read_panel, panel_id=5)
        async for member in other.members(5):
            number: int = member.id
        async for survey in other.pages(other.read_survey_list, workspace_id=5):
            name: str | None = survey.name
"""


def test_good_code_is_good(check: Check) -> None:
    good, said = check(GOOD)
    assert good, said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("client.read_panel(panelid=5)", 'Unexpected keyword argument "panelid"'),
        ("client.create_members(5, [])", "Too many positional arguments"),
        ('client.read_panel(panel_id="5")', 'incompatible type "str"'),
        ("client.with_response(client.read_panel, panelid=5)", 'Unexpected keyword argument "panelid"'),
        ("client.read_panel(panel_id=5).panels", 'has no attribute "panels"'),
        ("client.read_panel(5).panel = None", "is read-only"),
        ('sondage.Client(client_secrt="x")', 'Unexpected keyword argument "client_secrt"'),
        ("sondage.NewMembers", 'has no attribute "NewMembers"'),
        ("client.members(5).to_panda()", 'has no attribute "to_panda"'),
        ("sondage.Paging(page_size=5)", 'Missing named argument "page"'),
        ('sondage.login(client_secrt="x")', 'Unexpected keyword argument "client_secrt"'),
        ('sondage.login(retry_attempts="2")', 'incompatible type "str"'),
        ("sondage.Sandbox.demo().client(retry_atempts=1)", 'Unexpected keyword argument "retry_atempts"'),
        ("sondage.Sandbox.demo().async_client(deadline=[])", "incompatible type"),
        ('sondage.Sandbox.demo().emit("bounce", memberId=1)', 'Unexpected keyword argument "memberId"'),
        ('sondage.questionnaire.nps("n", {}, force_respons=True)', 'Unexpected keyword argument "force_respons"'),
        ('sondage.questionnaire.slider("s", {}, 1, 2, force_response="yes")', 'incompatible type "str"'),
        ('sondage.questionnaire.choice("1", {}, exclusiv=True)', 'Unexpected keyword argument "exclusiv"'),
        ('sondage.questionnaire.questionnaire(["en"], {}, back=True)', 'Unexpected keyword argument "back"'),
    ],
)
def test_wrong_code_is_found(check: Check, wrong: str, said: str) -> None:
    good, found = check(f"import sondage\nclient = sondage.Client()\n{wrong}\n")
    assert not good and said in found, found


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_the_examples(check: Check, example: Path) -> None:
    good, said = check(example.read_text())
    assert good, said


def test_the_package_itself(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "--config-file", "pyproject.toml"]
    done = subprocess.run([*command, "python/sondage"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_signatures_and_help() -> None:
    signature = inspect.signature(sondage.Client.read_member_list)
    assert list(signature.parameters)[:3] == ["self", "panel_id", "tenant"]
    kinds = {name: parameter.kind for name, parameter in signature.parameters.items() if name != "self"}
    assert kinds.pop("panel_id") == inspect.Parameter.POSITIONAL_OR_KEYWORD, "the only id that is required"
    assert set(kinds.values()) == {inspect.Parameter.KEYWORD_ONLY}
    several = inspect.signature(sondage.Client.create_members).parameters
    assert {several[name].kind for name in ("panel_id", "members")} == {inspect.Parameter.KEYWORD_ONLY}
    assert signature == inspect.signature(sondage.AsyncClient.read_member_list)
    assert inspect.iscoroutinefunction(sondage.AsyncClient.read_member_list)
    text = inspect.getdoc(sondage.Client.create_members) or ""
    assert "Creates members in a panel" in text and "panel_id: The panel or sample." in text and "When the outcome" in text
    assert "client_secret" in inspect.signature(sondage.Client).parameters


def test_names_can_be_found() -> None:
    assert sondage.__version__.count(".") == 2
    assert {"Client", "Member", "ApiError", "Sandbox", "field", "login"} <= set(dir(sondage))
    for name in dir(sondage):
        assert getattr(sondage, name) is not None or name.startswith("__")
    with pytest.raises(AttributeError, match="no attribute 'Clint'"):
        sondage.Clint  # type: ignore[attr-defined]
