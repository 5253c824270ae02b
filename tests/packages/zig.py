#!/usr/bin/env python3
"""Runs zig, then links its programs and libraries again with Rust's linker, which places similar machine code together.

The code then compresses 6 % better. zig has the C libraries of all platforms, but its linker has no such option.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

# maturin's export list for Windows contains the package's name; rustc's own list is used instead.
WRONG = "sondage._native.def"

# zig's verbose output.
REPORTS = ("ar ", "ld.lld ", "lld-link ")


FILES = Path(__file__).parent


def ordered(words: "list[str]", output: str) -> "list[str]":
    """With our list of what a library of uniffi exports instead of rustc's, and without the tables for cleaning up after a panic
    where a panic ends everything: the profiles of phones and of the command."""
    if "sondage_mobile" in output and "-version-script" in words:
        words[words.index("-version-script") + 1] = str(FILES / "exports.txt")
    ends = re.search("/dist-(phone|command)/deps/", output)
    return [*words, "-T", str(FILES / "no-unwinding.ld"), "--no-eh-frame-hdr"] if ends else words


def smaller(output: str) -> "list[str]":
    """What makes a file smaller: compressed, and for the command, which is downloaded as it is, like code once."""
    return ["--bp-compression-sort=both", *(["--icf=all"] if "/dist-command/deps/" in output else [])]


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
    if made.returncode or not links or (output := links[-1][links[-1].index("-o") + 1]) not in sys.argv:
        return made.returncode
    words = " ".join(links[-1][1:]).replace("-mllvm -float-abi=hard ", "").split()
    rust = [os.environ.get("RUSTC", "rustc"), "--print", "target-libdir"]
    linker = Path(subprocess.check_output(rust, text=True).strip()).parent / "bin/rust-lld"
    return subprocess.run([linker, "-flavor", "gnu", *ordered(words, output), *smaller(output)]).returncode


if __name__ == "__main__":
    sys.exit(main())
