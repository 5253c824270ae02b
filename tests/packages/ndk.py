#!/usr/bin/env python3
"""The linker of Android's NDK, which the environment variable SONDAGE_LINKER names, with the orders that zig.py gives to zig's.

SONDAGE_EXPORTS names the list of what is exported: rustc's own has the descriptions in it from which uniffi makes classes, and
which no app needs. SONDAGE_SECTIONS names what is left out.
"""

import os
import subprocess
import sys

SCRIPT = "-Wl,--version-script="

words = [word for word in sys.argv[1:] if not word.startswith(SCRIPT)]
words += [SCRIPT + os.environ["SONDAGE_EXPORTS"], "-Wl,-T," + os.environ["SONDAGE_SECTIONS"], "-Wl,--no-eh-frame-hdr"]
sys.exit(subprocess.run([os.environ["SONDAGE_LINKER"], *words]).returncode)
