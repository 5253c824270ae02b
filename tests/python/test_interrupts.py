"""Ctrl-C during a call says what it has ended."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator

import pytest
import sondage

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no notes of exceptions")


@pytest.fixture(autouse=True)
def default_handler() -> Iterator[None]:
    """Ctrl-C may be ignored where the tests were started: in the background of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def note_of(call: Callable[[], object]) -> str:
    """What the exception says when Ctrl-C comes half a second after the call."""
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as stopped:
        call()
    (note,) = stopped.value.__notes__
    return str(note)


def test_a_read(client: sondage.Client, box: sondage.Sandbox) -> None:
    client.read_panel(panel_id=box.panel_id)
    box.fault("ReadPanel", delay=2)
    note = note_of(lambda: client.read_panel(panel_id=box.panel_id))
    assert note.startswith("Under way was ReadPanel: no data for 0 s") and note.endswith("No write was under way.")


def test_a_table(client: sondage.Client, box: sondage.Sandbox) -> None:
    client.read_panel(panel_id=box.panel_id)
    box.fault("ReadInterviewListCompact", delay=2)
    note = note_of(lambda: client.interviews(box.survey_id).table())
    assert note.startswith("Under way was ReadInterviewListCompact: "), note


def test_a_write(client: sondage.Client, box: sondage.Sandbox) -> None:
    client.read_panel(panel_id=box.panel_id)
    box.fault("CreatePanel", delay=2)
    note = note_of(lambda: client.create_panel(workspace_id=box.workspace_id, name="New", panel_type="Basic"))
    assert note.startswith("CreatePanel had been sent and had no response yet. It goes on"), note
    (outcome,) = client.write_outcomes().writes
    assert outcome.operation == "CreatePanel"
