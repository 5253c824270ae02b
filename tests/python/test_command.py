"""The command `sondage`, which comes with the package."""

import signal
import subprocess
import sys

import sondage

COMMAND = [sys.executable, "-c", "import sys; from sondage._command import main; sys.exit(main())"]


def test_it_has_the_version_and_the_exit_codes_of_the_program() -> None:
    version = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"sondage {sondage.__version__}\n"
    wrong = subprocess.run([*COMMAND, "exprot"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "exprot" in wrong.stderr and not wrong.stdout


def test_ctrl_c_ends_it() -> None:
    with subprocess.Popen([*COMMAND, "sandbox"], stdout=subprocess.PIPE, text=True) as sandbox:
        assert sandbox.stdout is not None and sandbox.stdout.readline()
        sandbox.send_signal(signal.SIGINT)
        sandbox.stdout.read()
        assert sandbox.wait(30) == 0
