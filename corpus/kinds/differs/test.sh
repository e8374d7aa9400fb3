#!/usr/bin/env bash
# Without -O and with it the program prints two things, and ends well.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 "${RUSTC:-rustc}" --edition=2024 -o "$out/run" "$1" 2>"$out/log" || exit 1
timeout 60 "${RUSTC:-rustc}" --edition=2024 -O -o "$out/optimised" "$1" 2>"$out/log" || exit 1
timeout 10 "$out/run" >"$out/said" 2>/dev/null </dev/null || exit 1
timeout 10 "$out/optimised" >"$out/other" 2>/dev/null </dev/null || exit 1
! cmp -s "$out/said" "$out/other"
