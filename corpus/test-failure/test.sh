#!/usr/bin/env bash
# Built with --test, exactly one test fails, by an assert_eq! of 215 (left) and 320 (right).
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --test -C opt-level=0 -C debuginfo=0 \
    --crate-name case --out-dir "$out" "$1" >"$out/log" 2>&1 || exit 1
(
    ulimit -v 4000000
    RUST_BACKTRACE=0 exec timeout 10 "$out/case" --test-threads=1 >"$out/run" 2>&1
)
[ $? -eq 101 ] || exit 1
grep -q '^test result: FAILED\. [0-9]* passed; 1 failed;' "$out/run" &&
    [ "$(grep -c ' panicked at ' "$out/run")" -eq 1 ] &&
    grep -A2 '^assertion `left == right` failed' "$out/run" | tr '\n' '|' |
    grep -q '^assertion `left == right` failed[^|]*|  left: 215| right: 320|$'
