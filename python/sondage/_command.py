"""The command ``sondage``."""

import signal
import sys

from sondage import _native


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    # Python's own handler would only set a flag, which nothing checks while the command runs.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.command(["sondage", *sys.argv[1:]])
