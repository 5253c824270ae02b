"""A terminal in tmux, as a person uses one: it sends keys and reads the screen."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path

LIMIT = 60.0


class Terminal:
    """A shell in a window of its own, in a folder, with the program `sondage` on its path."""

    def __init__(self, name: str, folder: Path, program: Path) -> None:
        self.socket = f"sondage-{os.getpid()}-{name}"
        # The settings and profiles of the user who runs the tests must not be used.
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SONDAGE_")}
        kept |= {"HOME": str(folder), "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "ENV": ""}
        kept.pop("XDG_CONFIG_HOME", None)
        size = ["-x", "160", "-y", "50"]
        start = ["tmux", "-L", self.socket, "-f", os.devnull, "new-session", "-d", *size, "-c", str(folder), "sh"]
        subprocess.run(start, check=True, env=kept)
        self.shown()

    def tmux(self, *words: str) -> str:
        return subprocess.run(["tmux", "-L", self.socket, *words], check=True, capture_output=True, text=True).stdout

    def screen(self) -> str:
        """What was shown so far, with lines that were broken at the edge joined again."""
        return self.tmux("capture-pane", "-p", "-J", "-S", "-")

    def shown(self, words: str = r"^[$#] *$") -> re.Match[str]:
        """Waits until the screen shows a pattern; by default until the shell is ready for the next line."""
        end = time.monotonic() + LIMIT
        while not (found := re.search(words, self.screen().rstrip("\n"), re.MULTILINE)):
            assert time.monotonic() < end, f"{words!r} was not shown:\n{self.screen()}"
            time.sleep(0.05)
        return found

    def type(self, line: str) -> None:
        """Types a line on a clear screen."""
        self.tmux("send-keys", "-R")
        self.tmux("clear-history")
        self.tmux("send-keys", "-l", line)
        self.tmux("send-keys", "Enter")

    def run(self, line: str) -> str:
        """Types a line, and returns what the command has printed when the shell is ready again."""
        self.type(f"{line}; echo status $?")
        self.shown(r"^status \d+$")
        return self.screen()

    def interrupt(self) -> None:
        self.tmux("send-keys", "C-c")

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], check=False, capture_output=True)
