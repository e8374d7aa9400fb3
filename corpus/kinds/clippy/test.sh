#!/usr/bin/env bash
# clippy warns of a loop over a range, and the program compiles.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 clippy-driver --edition=2024 --crate-type=lib --emit=metadata --out-dir "$out" "$1" 2>"$out/log" || exit 1
grep -q 'needless_range_loop' "$out/log"
