#!/usr/bin/env bash
# With input.txt the program panics with "the customer has ordered" in `cancel`.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
input=$(dirname "$0")/input.txt
timeout 60 "${RUSTC:-rustc}" --edition=2024 -g -o "$out/run" "$1" 2>"$out/log" || exit 1
RUST_BACKTRACE=1 timeout 10 "$out/run" -v >"$out/said" 2>&1 <"$input"
[ $? -eq 101 ] && grep -A1 ' panicked at ' "$out/said" | grep -q '^the customer has ordered' &&
    grep -q '^ *[0-9]*: .*::cancel$' "$out/said"
