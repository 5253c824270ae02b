"""What the pages of the console say about doing the same in a program: the Python runs, and the commands exist with their options."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import sondage
from conftest import ROOT


@pytest.fixture(scope="module")
def box() -> Iterator[sondage.Sandbox]:
    with sondage.Sandbox.demo() as box:
        plan = box.client().plan_invite(survey_id=box.feedback_survey_id, panel_id=box.panel_id, message_template_id=box.message_template_id)
        plan.run(confirm=plan.token)
        yield box


def snippets(box: sondage.Sandbox, page: str) -> dict[str, str]:
    with urllib.request.urlopen(f"{box.console_url}demo/{page}") as answer:
        text = answer.read().decode()
    same = text.partition("The same in a program")[2]
    found = re.findall(r"<h3>([^<]*)</h3><pre[^>]*><code>(.*?)</code></pre>", same, re.DOTALL)
    return {name: html.unescape(code) for name, code in found}


def pages(box: sondage.Sandbox) -> list[str]:
    survey, panel, template = box.feedback_survey_id, box.panel_id, box.message_template_id
    distributor = box.client().read_distributor_list(survey_id=survey).distributors[0].distributor_id
    return [
        "panels/new",
        f"panels/{panel}/import",
        f"panels/{panel}/invite",
        f"panels/{panel}/invite?survey={survey}&template={template}&channel=Email",
        f"panels/{panel}/invite?survey={survey}&template={template}&channel=Email&where=Division%3DSales",
        "surveys/new",
        f"surveys/{box.survey_id}/results",
        f"surveys/{box.survey_id}/results?question=vote",
        f"surveys/{box.survey_id}/results?question=vote&by=PID",
        f"surveys/{box.survey_id}/results?question=age&by=PID",
        f"distribution/{distributor}",
        "webhooks/new",
        "ledger/1",
    ]


def test_the_programs_of_the_pages_run(box: sondage.Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "people.csv").write_text("Email\nada@example.com\n")
    (tmp_path / "answers.csv").write_text("Id,a\n,1\n")
    (tmp_path / "plan.json").write_text('{"codePlan": [{"code": "a", "dataType": "Number", "type": "OpenQuestion"}]}')
    (tmp_path / "questionnaire.json").write_bytes((ROOT / "tests/questionnaire.json").read_bytes())
    monkeypatch.chdir(tmp_path)
    ran, called = 0, set()
    for page in pages(box):
        found = snippets(box, page)
        assert found, page
        if "Python" in found:
            client = box.client(retry_base=0.01)
            exec(compile(found["Python"], page, "exec"), {"sondage": sondage, "client": client})
            ran += 1
        for line in found.get("Command", "").splitlines():
            program, *words = shlex.split(line)
            assert program == "sondage"
            done = subprocess.run(
                # The end of help comes after all arguments were read, and nothing is done.
                [str(Path(sys.executable).with_name("sondage")), *words, "--help"], capture_output=True, text=True, timeout=60
            )
            assert done.returncode == 0, (line, done.stderr)
            known = set(re.findall(r"--[a-z][a-z-]*", done.stdout))
            unknown = {word for word in words if word.startswith("--")} - known
            assert not unknown, (line, unknown)
            called.add(words[0])
    assert ran >= 8 and called >= {"call", "distribution", "import", "invite", "results", "sandbox", "webhooks"}
