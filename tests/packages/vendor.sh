#!/usr/bin/env bash
# Packs the source distribution with the sources of all crates, for machines without a registry: `vendor.sh FOLDER NAME`. The
# distribution contains fewer packages than the workspace, so its lock file gets shorter. An empty home folder proves that nothing else
# is needed.
set -eu
tar -xzf "$1/$2.tar.gz"
cd "$2"
mkdir .cargo
cargo vendor --versioned-dirs vendor > .cargo/config.toml
CARGO_HOME=$PWD/../home cargo metadata --frozen --format-version 1 > /dev/null
tar -czf "$1/$2-vendored.tar.gz" -C .. "$2"
rm -r "$PWD"
