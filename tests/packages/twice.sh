#!/usr/bin/env bash
# Builds a wheel here and in a clone: both must be the same. `twice.sh ROOM PLATFORM TARGET`
set -eu
git diff --quiet HEAD || { echo 'commit what has changed first: a clone has not got it'; exit 1; }
git clone --quiet . "$1/clone"
cargo xtask package python "$2"
cd "$1/clone"
CARGO_TARGET_DIR=$1/target cargo xtask package python "$2"
cmp "$1/target/packages/python/$2"/*.whl "$3/packages/python/$2"/*.whl
echo the wheels are the same
rm -r "$1"
