#!/usr/bin/env bash
# Built as a test program, exactly one test fails, with an assertion that 185 is not 320.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --test -C opt-level=0 -C debuginfo=0 \
    --crate-name case --out-dir "$out" "$1" >"$out/log" 2>&1 || exit 1
RUST_BACKTRACE=0 timeout 10 "$out/case" --test-threads=1 >"$out/run" 2>&1
[ $? -eq 101 ] || exit 1
grep -A2 '^assertion `left == right` failed' "$out/run" >"$out/assertion"
cat $out/run
