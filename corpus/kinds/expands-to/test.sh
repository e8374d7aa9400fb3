#!/usr/bin/env bash
# The macros of the program expand to a quotient of a quotient.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_BOOTSTRAP=1 timeout 60 "${RUSTC:-rustc}" --edition=2024 -Zunpretty=expanded "$1" >"$out/expanded" 2>"$out/log" || exit 1
grep -q '1\.0 / 1\.0 / 60\.0' "$out/expanded"
