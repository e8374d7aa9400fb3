#!/usr/bin/env bash
# The program ends with 3, and says why.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 "${RUSTC:-rustc}" --edition=2024 -o "$out/run" "$1" 2>"$out/log" || exit 1
timeout 10 "$out/run" >"$out/said" 2>&1 </dev/null
[ $? -eq 3 ] && grep -q 'mean: DivisionByZero' "$out/said"
