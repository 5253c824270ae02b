"""The command ``sondage``."""

import signal
import sys

from sondage import _native


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    # Python's own handler would only make a note of Ctrl-C, for code that never runs while the command does.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.command(["sondage", *sys.argv[1:]])
