"""The command `sondage`, which comes with the package."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sondage

COMMAND = [sys.executable, "-c", "import sys; from sondage._command import main; sys.exit(main())"]


def account(box: sondage.Sandbox) -> dict[str, str]:
    """The environment of a command for this account."""
    settings = {"SONDAGE_TENANT": box.tenant, "SONDAGE_BASE_URL": box.base_url, "SONDAGE_AUTH_URL": box.auth_url}
    return {**os.environ, **settings, "SONDAGE_CLIENT_SECRET": box.client_secret}


def test_it_has_the_version_and_the_exit_codes_of_the_program() -> None:
    version = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"sondage {sondage.__version__}\n"
    wrong = subprocess.run([*COMMAND, "exprot"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "exprot" in wrong.stderr and not wrong.stdout


class Terminal:
    """A command whose standard error is a terminal."""

    def __init__(self, box: sondage.Sandbox, *words: str) -> None:
        ours, theirs = os.openpty()
        self._screen, self.text = ours, ""
        self.process = subprocess.Popen([*COMMAND, *words], env=account(box), stdout=subprocess.DEVNULL, stderr=theirs, stdin=theirs)
        os.close(theirs)

    def read_until(self, words: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < end, f"{words!r} is not in {self.text!r}"
            if select.select([self._screen], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self._screen, 4096).decode()
                except OSError:
                    assert words in self.text, self.text
                    return

    def close(self) -> None:
        self.process.kill()
        self.process.wait(30)
        os.close(self._screen)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
@pytest.mark.parametrize(("stop", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_terminal_says_what_is_waited_for_and_a_signal_what_was_under_way(
    box: sondage.Sandbox, stop: signal.Signals, exit_code: int
) -> None:
    box.fault("ReadPanel", delay=60, times=None)
    terminal = Terminal(box, "panel", str(box.panel_id))
    try:
        terminal.read_until("ReadPanel: no data for 2 s (limit 200 s), attempt 1 of 3")
        terminal.read_until("no data for 3 s")
        terminal.process.send_signal(stop)
        terminal.read_until("interrupted while waiting for ReadPanel. No write was under way.")
        assert terminal.process.wait(30) == exit_code
    finally:
        terminal.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT of its own")
def test_ctrl_c_leaves_nothing_of_an_export_to_standard_output(box: sondage.Sandbox, tmp_path: Path) -> None:
    # The first page arrives, and is stored.
    box.fault("ReadInterviewListCompact", skip=1, delay=3, times=None)
    environment = account(box) | {"TMPDIR": str(tmp_path), "SONDAGE_PAGE_SIZE": "100"}
    command = [*COMMAND, "export", str(box.survey_id), "-"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as export:
        end = time.monotonic() + 30
        while not [path for path in tmp_path.rglob("*") if path.is_file()]:
            assert time.monotonic() < end and export.poll() is None
            time.sleep(0.05)
        export.send_signal(signal.SIGINT)
        out, _ = export.communicate(timeout=30)
    assert (export.returncode, out, list(tmp_path.iterdir())) == (130, b"", [])


def test_ctrl_c_ends_it() -> None:
    with subprocess.Popen([*COMMAND, "sandbox"], stdout=subprocess.PIPE, text=True) as sandbox:
        assert sandbox.stdout is not None and sandbox.stdout.readline()
        sandbox.send_signal(signal.SIGINT)
        sandbox.stdout.read()
        assert sandbox.wait(30) == 0
