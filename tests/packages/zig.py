#!/usr/bin/env python3
"""Runs zig, then links its programs and libraries again with Rust's linker, which places similar machine code together.

The code then compresses 6 % better. zig has the C libraries of all platforms, but its linker has no such option. The
environment variable SONDAGE_LINKER names Rust's.
"""

import os
import subprocess
import sys

# maturin's export list for Windows contains the package's name; rustc's own list is used instead.
WRONG = "sondage._native.def"

# zig's verbose output.
REPORTS = ("ar ", "ld.lld ", "lld-link ")


def ordered(words: "list[str]") -> "list[str]":
    """With the list of what is exported that SONDAGE_EXPORTS names, instead of rustc's, and without the sections that
    SONDAGE_SECTIONS leaves out."""
    exports, sections = os.environ.get("SONDAGE_EXPORTS"), os.environ.get("SONDAGE_SECTIONS")
    # The compilers of C link programs as well, to see whether that works.
    if exports:
        if "-version-script" not in words:
            return words
        words[words.index("-version-script") + 1] = exports
    return [*words, "-T", sections, "--no-eh-frame-hdr"] if sections else words


def main() -> int:
    environment = {**os.environ, "ZIG_VERBOSE_LINK": "1"}
    zig = [sys.executable, "-m", "ziglang", *(word for word in sys.argv[1:] if not word.endswith(WRONG))]
    made = subprocess.run(zig, env=environment, stderr=subprocess.PIPE, text=True)
    lines = made.stderr.splitlines()
    for line in lines:
        if not line.startswith(REPORTS):
            print(line, file=sys.stderr)
    links = [line.split() for line in lines if line.startswith("ld.lld ")]
    # The first links are those of the C library.
    if made.returncode or not links or links[-1][links[-1].index("-o") + 1] not in sys.argv:
        return made.returncode
    words = " ".join(links[-1][1:]).replace("-mllvm -float-abi=hard ", "").split()
    linker = [os.environ["SONDAGE_LINKER"], "-flavor", "gnu", *ordered(words), "--bp-compression-sort=both"]
    return subprocess.run(linker).returncode


if __name__ == "__main__":
    sys.exit(main())
