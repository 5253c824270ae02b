#!/usr/bin/env bash
# Runs the commands of docs/deploying.md in an empty folder, with these packages: `deploying.sh MAIN.tgz PLATFORM.tgz`
set -eu
sources=$(cd "$(dirname "$0")/../.." && pwd)
export MAIN=$1 PLATFORM=$2
cp -R "$sources/tests/packages/deploying/." "$sources/examples/first.mjs" .
npm install --no-audit --no-fund --loglevel=error --ignore-scripts "$MAIN" "$PLATFORM"
# Each block after the mark runs in a shell of its own.
script=$(awk '/^<!-- run -->$/ { getline; if ($0 == "```sh") { inside = 1; print "("; next } }
              inside && /^```$/ { inside = 0; print ")" }
              inside' "$sources/docs/deploying.md")
[ -n "$script" ] || { echo "docs/deploying.md has no commands"; exit 1; }
sh -eux -c "$script"
