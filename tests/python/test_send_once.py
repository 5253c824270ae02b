"""A write that is sent once under a key: in this process and in others."""

from __future__ import annotations

import asyncio
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import sondage
from conftest import DEADLINE, wait_until

AGAIN = """
import sys, sondage
url, auth, tenant, secret, panel, folder = sys.argv[1:]
client = sondage.Client(base_url=url, auth_url=auth, tenant=tenant, client_secret=secret).send_once(key="people", folder=folder, quiet=0)
print(client.create_members(panel_id=int(panel), members=[sondage.NewMember.of(Email="ada@once.example")]).members_ids)
"""


def person(name: str) -> sondage.NewMember:
    return sondage.NewMember.of(Email=f"{name}@once.example")


def test_another_process_gets_what_was_made(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    once = client.send_once(key="people", folder=tmp_path, quiet=0)
    box.fault("CreateMembers", cut="afterEffect")
    with pytest.raises(sondage.OutcomeUnknown) as failed:
        once.create_members(panel_id=box.panel_id, members=[person("ada")])
    assert failed.value.write_id and "the same key again" in str(failed.value.reconcile)
    known = [box.base_url, box.auth_url, box.tenant, box.client_secret, str(box.panel_id), str(tmp_path)]
    told = subprocess.run([sys.executable, "-c", AGAIN, *known], capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert told.returncode == 0, told.stderr
    made = once.create_members(panel_id=box.panel_id, members=[person("ada")])
    assert told.stdout == f"{made.members_ids}\n"
    (effect,) = box.ledger.effects("CreateMembers")
    assert effect.ids == [str(member) for member in made.members_ids]
    assert len(box.ledger.requests("CreateMembers")) == 1


def test_another_process_gives_what_a_killed_one_has_made(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    box.fault("CreateMembers", "stall", after_effect=True)
    known = [box.base_url, box.auth_url, box.tenant, box.client_secret, str(box.panel_id), str(tmp_path)]
    killed = subprocess.Popen([sys.executable, "-c", AGAIN, *known], stdout=subprocess.PIPE, text=True)
    wait_until(lambda: box.ledger.effects("CreateMembers"))
    killed.kill()
    assert killed.communicate()[0] == ""
    box.clear_faults()
    once = client.send_once(key="people", folder=tmp_path, quiet=0)
    made = once.create_members(panel_id=box.panel_id, members=[person("ada")])
    (effect,) = box.ledger.effects("CreateMembers")
    assert effect.ids == [str(member) for member in made.members_ids]
    assert len(box.ledger.requests("CreateMembers")) == 1


def test_a_journal_of_the_caller_keeps_the_key(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    """In a database: a process that was killed after the effect, and then another one."""
    path = tmp_path / "own.sqlite"
    program = AGAIN.replace("import sys, sondage", "import sys, sondage\nfrom journal import InDatabase")
    program = program.replace("folder=folder", "journal=InDatabase(folder)")
    known = [box.base_url, box.auth_url, box.tenant, box.client_secret, str(box.panel_id), str(path)]
    command = [sys.executable, "-c", program, *known]
    examples = Path(__file__).parents[2] / "examples"
    box.fault("CreateMembers", "stall", after_effect=True)
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=examples)
    wait_until(lambda: box.ledger.effects("CreateMembers"))
    killed.kill()
    assert killed.communicate()[0] == ""
    box.clear_faults()
    told = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, check=False, cwd=examples)
    assert told.returncode == 0, told.stderr
    journal = runpy.run_path(str(examples / "journal.py"))["InDatabase"](path)
    once = client.send_once(key="people", journal=journal, quiet=0)
    made = once.create_members(panel_id=box.panel_id, members=[person("ada")])
    assert told.stdout == f"{made.members_ids}\n"
    (effect,) = box.ledger.effects("CreateMembers")
    assert effect.ids == [str(member) for member in made.members_ids]
    assert len(box.ledger.requests("CreateMembers")) == 1
    lines = journal.open()
    assert lines and "ada@once.example" not in "".join(lines)
    with pytest.raises(sondage.InvalidArgument, match="`folder` and `journal` are both given"):
        client.send_once(key="people", journal=journal, folder=tmp_path)


def test_another_request_is_refused(box: sondage.Sandbox, tmp_path: Path) -> None:
    async def story() -> None:
        async with box.async_client() as client:
            once = client.send_once(key="people", folder=tmp_path)
            await once.create_members(panel_id=box.panel_id, members=[person("ada")])
            with pytest.raises(sondage.InvalidArgument, match="another request was sent before") as refused:
                await once.create_members(panel_id=box.panel_id, members=[person("bea")])
            assert "Nothing was sent" in str(refused.value)
            with pytest.raises(sondage.InvalidArgument, match="operations that are never retried"):
                await once.read_panel(panel_id=box.panel_id)
            with pytest.raises(sondage.InvalidArgument, match="`key` is empty"):
                client.send_once(key="")

    asyncio.run(story())
    assert len(box.ledger.effects("CreateMembers")) == 1


def test_a_folder_that_cannot_be_made(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    once = client.send_once(key="people", folder=tmp_path / "file")
    with pytest.raises(sondage.ConfigurationError, match="cannot be used") as refused:
        once.create_members(panel_id=box.panel_id, members=[person("ada")])
    assert "nothing is sent" in str(refused.value) and not box.ledger.requests("CreateMembers")
