#!/usr/bin/env python3
"""The linker of Android's NDK, which the environment variable SONDAGE_LINKER names, with the orders that zig.py gives to zig's: a list
of what is exported, because rustc's own has the descriptions in it from which uniffi makes classes, and which no app needs, and
what is left out.
"""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = "-Wl,--version-script="
FILES = Path(__file__).parent

words = [word for word in sys.argv[1:] if not word.startswith(SCRIPT)]
words += [f"{SCRIPT}{FILES}/exports.txt", f"-Wl,-T,{FILES}/no-unwinding.ld", "-Wl,--no-eh-frame-hdr"]
sys.exit(subprocess.run([os.environ["SONDAGE_LINKER"], *words]).returncode)
