"""Invalid input: each error says what is wrong, where, whether anything changed and what to do next, and the sandbox's
ledger shows that nothing was sent.

Which test holds which case of the jobs is listed in docs/internals/bad-input.md.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sondage
from sondage import questionnaire as ask

WRITES = ["CreateMembers", "UpdateMembers", "InviteMembers", "CreateSurvey"]


class Series:
    """An object that looks like a column of a frame."""


def letters() -> Iterator[Any]:
    yield from "ab"


# Input that every job refuses with the same error. Rows are created for each job, because an iterator can be read only
# once.
ROWS: list[tuple[Any, str]] = [
    (lambda: "people.csv", "rows is a str.*path object.*Hand over `pathlib.Path"),
    (lambda: ["a@import.example"], "row 0 is of the type str.*Every row is a dictionary"),
    (lambda: [sondage.NewMember.of(Email="a@import.example")], "row 0 is of the type NewMember"),
    (lambda: [{"Email": "a@import.example"}, 7], "row 1 is of the type int"),
    (letters, "row 0 is of the type str"),
    (lambda: {"Email": ["a@import.example"]}, "rows is of the type dict.*Hand over a list"),
    (lambda: [{7: "a"}], "row 0 has a key that is not text but int"),
    (lambda: [{"Email": 1j}], "row 0 has in the column 'Email' a value of the type complex"),
    (lambda: 7, "rows is of the type int"),
    (lambda: None, "rows is of the type NoneType"),
    (Series, "rows is a single column"),
    (lambda: pd.Series(["a@import.example"], name="Email"), "rows is a single column.*to_frame"),
    (lambda: pl.Series("Email", ["a@import.example"]), "rows is a single column"),
    (lambda: pa.chunked_array([["a@import.example"]]), "rows is a single column"),
    (lambda: pl.DataFrame({"Email": ["a"]}).lazy(), "lazy frame.*Hand over `rows.collect"),
    (lambda: pd.DataFrame([["a", "b"]], columns=["Email", "Email"]), 'two columns "Email".*Rename one'),
    (lambda: pd.DataFrame({"Email": ["ada@import.example", 7]}), "cannot be read as a table: column Email with type object"),
    (lambda: pl.DataFrame({"Email": ["a"], "Tags": [["b"]]}), "Tags.*members cannot have"),
]


@pytest.mark.parametrize("job", ["import_members", "create_members_from", "plan_update"])
@pytest.mark.parametrize(("rows", "words"), ROWS)
def test_what_cannot_be_rows(
    client: sondage.Client, box: sondage.Sandbox, tmp_path: Path, job: str, rows: Any, words: str
) -> None:
    more: dict[str, Any] = {} if job == "create_members_from" else {"key": "Email"}
    if job == "import_members":
        more["journal"] = tmp_path / "journal"
    with pytest.raises(sondage.InvalidArgument, match=f"(?s){words}") as raised:
        getattr(client, job)(box.panel_id, rows(), **more)
    said = str(raised.value)
    assert "Nothing was" in said and "ada@" not in said
    assert sent(box) == 0


def test_dictionaries_of_different_kinds(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    phone: dict[str, Any] = {"Email": "a@import.example", "CellPhoneNumber": 41_791_234_567}
    mixed = [phone, {"Email": "b@import.example", "CellPhoneNumber": "x"}]
    with pytest.raises(sondage.InvalidArgument, match='column "CellPhoneNumber" does not hold values of one type.*Nothing was'):
        client.create_members_from(box.panel_id, mixed)
    with pytest.raises(sondage.InvalidArgument, match="CellPhoneNumber.*Nothing was"):
        client.plan_update(box.panel_id, mixed, key="Email")
    assert sent(box) == 0
    # An import looks at each row.
    report = client.import_members(box.panel_id, mixed, key="Email", journal=tmp_path / "journal")
    assert [row["status"] for row in report.rows] == ["created", "refused"]
    # Rows need not have the same names.
    some = [{"Email": "c@import.example"}, {"Email": "d@import.example", "FirstName": "Dee"}]
    assert client.create_members_from(box.panel_id, some).created == 2


def test_a_wrong_type_in_the_last_of_20_000_rows(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    rows = [{"Email": f"p{i}@import.example", "CellPhoneNumber": "x" if i == 19_999 else ""} for i in range(20_000)]
    box.fault("CreateMembers", times=None, status=403)
    report = client.import_members(box.panel_id, rows, key="Email", journal=tmp_path / "journal")
    last = list(report.rows)[19_999]
    assert (last["status"], last["reason"]) == (
        "refused",
        'the column "CellPhoneNumber" needs an integer without leading zeros',
    )
    assert (report.created, report.refused + report.not_sent) == (0, 20_000) and report.not_sent > 0
    first = next(iter(report.rows))
    assert first["status"] == "refused" and "its chunk was refused" in first["reason"]


def test_no_fields_do_not_become_all_fields(client: sondage.Client, box: sondage.Sandbox) -> None:
    members = client.members(box.panel_id, fields=[])
    for read in (members.table, lambda: next(iter(members))):
        with pytest.raises(sondage.InvalidArgument, match="`fields` is an empty list.*Name at least one field"):
            read()
    assert box.ledger.requests("ReadMemberList") == []


def test_a_filter_and_a_question_of_the_wrong_type(client: sondage.Client, box: sondage.Sandbox) -> None:
    text: Any = "Division = 'Sales'"
    calls: list[Any] = [
        lambda: client.members(box.panel_id, where=text),
        lambda: client.members(box.panel_id).where(text),
        lambda: client.plan_invite(
            survey_id=box.survey_id, panel_id=box.panel_id, message_template_id=box.message_template_id, where=text
        ),
    ]
    for call in calls:
        with pytest.raises(sondage.InvalidArgument, match="a filter is of the type str. Nothing was sent.*sondage.field"):
            call()
    yes: Any = {"1": {"en": "Yes"}}
    questions: list[Any] = [
        (lambda: ask.single_choice("x", text, yes), "a text cannot be of the type str.*dictionary of languages"),
        (lambda: ask.single_choice("x", {"en": "Well?"}, text), "the choices cannot be of the type str.*codes and texts"),
        (lambda: ask.single_choice("x", {"en": "Well?"}, ["a"]), "the choices cannot be of the type list"),  # type: ignore[list-item]
    ]
    for question, words in questions:
        with pytest.raises(sondage.InvalidArgument, match=words):
            question()
    assert sent(box) == 0


IMPORT = """
import os, sys, sondage
limit, user = int(sys.argv[6]), int(sys.argv[7])
client = sondage.Client(tenant=sys.argv[1], client_secret=sys.argv[2], base_url=sys.argv[3], auth_url=sys.argv[4])
rows = [{"Email": f"p{i}@import.example"} for i in range(300)]
if limit:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
if user:
    try:
        client.import_members(int(sys.argv[8]), rows, key="Nope")
    except sondage.InvalidArgument as error:
        str(error)
    # All modules are loaded first, because another user may not be able to read them.
    os.setuid(user)
try:
    report = client.import_members(int(sys.argv[8]), rows, key="Email", chunk_size=20, journal=sys.argv[5], quiet=0.0)
    print("report", report.created, report.stopped)
except sondage.SondageError as error:
    print("error", error)
"""


def imported(box: sondage.Sandbox, journal: Path, limit: int = 0, user: int = 0) -> str:
    """What an import in another process says, whose files may not be larger than `limit` bytes."""
    account = [box.tenant, box.client_secret, box.base_url, box.auth_url]
    given = [*account, str(journal), str(limit), str(user), str(box.panel_id)]
    return subprocess.run([sys.executable, "-c", IMPORT, *given], capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of file sizes and no users of this kind")
def test_a_disk_that_is_full_from_the_beginning_or_on_the_way(box: sondage.Sandbox, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    told = imported(box, journal, limit=100)
    assert "the journal" in told and "cannot be used" in told and "nothing is sent" in told, told
    assert sent(box) == 0
    whole = imported(box, tmp_path / "measured", limit=0)
    assert whole.startswith("report 300 None"), whole
    size = (tmp_path / "measured").stat().st_size
    # Another panel with the same fields: the journal is the same except for its last lines.
    other = box.client()
    panel = other.create_panel(workspace_id=box.workspace_id, name="Full", panel_type="Basic").id
    assert panel is not None
    account = [box.tenant, box.client_secret, box.base_url, box.auth_url]
    given = [*account, str(journal.with_name("second")), str(size * 3 // 5), "0", str(panel)]
    before = sent(box)
    told = subprocess.run([sys.executable, "-c", IMPORT, *given], capture_output=True, text=True, check=True).stdout
    made = list(other.members(panel, fields=["Email"]))
    assert told.startswith("report ") and "cannot be used" in told and 0 < len(made) < 300, told
    assert len(made) <= (sent(box) - before) * 20
    # With free space again, the same command completes it.
    given[5] = "0"
    told = subprocess.run([sys.executable, "-c", IMPORT, *given], capture_output=True, text=True, check=True).stdout
    emails = [member["Email"] for member in other.members(panel, fields=["Email"])]
    assert told.startswith("report 300 None") and len(emails) == len(set(emails)) == 300, told


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no users of this kind")
def test_a_folder_that_is_read_only(box: sondage.Sandbox) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o555)
        # Root may write anywhere, so this process changes its user.
        told = imported(box, folder / "journal", user=65_534 if os.geteuid() == 0 else 0)
        assert told.startswith("error") and "cannot be used (Permission denied" in told, told
        assert "nothing is sent. Name a file in a folder that can be written as `journal`" in told, told
        assert sent(box) == 0 and list(folder.iterdir()) == []
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


OWNER = "import fcntl, sys; file = open(sys.argv[1], 'a'); fcntl.flock(file, fcntl.LOCK_EX); print(flush=True); sys.stdin.read()"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks files in another way")
def test_another_process_uses_the_journal(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    journal, rows = tmp_path / "journal", [{"Email": "a@import.example"}]
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(journal)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert owner.stdout is not None and owner.stdout.readline()
    with pytest.raises(sondage.InvalidArgument, match="another run uses the journal.*Wait until it has ended"):
        client.import_members(box.panel_id, rows, key="Email", journal=journal)
    assert sent(box) == 0
    owner.communicate()
    assert client.import_members(box.panel_id, rows, key="Email", journal=journal).created == 1


def test_a_journal_of_another_account(client: sondage.Client, box: sondage.Sandbox, tmp_path: Path) -> None:
    journal, rows = tmp_path / "journal", [{"Email": "a@import.example"}]
    client.import_members(box.panel_id, rows, key="Email", journal=journal)
    before = journal.read_bytes()
    with sondage.Sandbox.demo() as theirs:
        with pytest.raises(sondage.InvalidArgument, match="is not of this import: it is of the account.*Nothing was sent"):
            theirs.client().import_members(theirs.panel_id, rows, key="Email", journal=journal)
        assert sent(theirs) == 0 and journal.read_bytes() == before


def sent(box: sondage.Sandbox) -> int:
    return sum(len(box.ledger.requests(operation)) for operation in WRITES)
