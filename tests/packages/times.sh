#!/usr/bin/env bash
# Installs from a clone where nothing has been built, and prints how long that took, of all processors together: `times.sh ROOM`. Other
# programs on the machine hardly change that. The limit is six minutes of two processors.
set -eu
git clone --quiet . "$1/clone"
python3 -m venv "$1/venv"
cd "$1/clone"
unset CARGO_TARGET_DIR
TIMEFORMAT=%U+%S
used=$({ time "$1/venv/bin/python" -m pip install --quiet --no-deps . >&3 2>&3; } 3>&2 2>&1)
"$1/venv/bin/python" examples/first.py
"$1/venv/bin/python" -c "used = $used; print(round(used), 's of one processor'); assert used < 720"
rm -r "$1"
