#!/usr/bin/env bash
# A debug build panics by an overflow of `*` in `percent`, and an optimised one does not.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
for flags in -g -O; do
    timeout 60 "${RUSTC:-rustc}" --edition=2024 $flags -o "$out/run$flags" "$1" 2>"$out/log" || exit 1
done
RUST_BACKTRACE=1 timeout 10 "$out/run-g" >"$out/said" 2>&1 </dev/null
[ $? -eq 101 ] && grep -q '^attempt to multiply with overflow' "$out/said" &&
    grep -q '^ *[0-9]*: .*::percent$' "$out/said" && timeout 10 "$out/run-O" >"$out/said" 2>&1 </dev/null
