#!/bin/sh
# Runs the targets with cargo-fuzz, one after the other: `fuzz/run.sh [SECONDS] [TARGET ...]`.
set -eu
cd "$(dirname "$0")"
seconds=60
case "${1:-}" in [0-9]*) seconds=$1; shift ;; esac
[ $# -gt 0 ] || set -- $(cd src/targets && ls | sed -n 's/\.rs$//p' | grep -v '^mod$')
findings=../target/fuzz
for target; do
    [ -f "src/targets/$target.rs" ] || { echo "there is no target $target: see src/targets" >&2; exit 2; }
    echo "== $target"
    mkdir -p "$findings/corpus/$target"
    # The only unsafe code of these crates checks its preconditions: no sanitizer, hence any toolchain.
    SONDAGE_FUZZ_TARGET=$target cargo fuzz run --sanitizer none --dev --features libfuzzer --fuzz-dir . --target-dir "$findings" \
        target "$findings/corpus/$target" "seeds/$target" -- -dict=json.dict -artifact_prefix="$findings/$target-" \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096
done
