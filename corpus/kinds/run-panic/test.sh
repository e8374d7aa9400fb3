#!/usr/bin/env bash
# The program panics with "no product c7" in `price`.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 "${RUSTC:-rustc}" --edition=2024 -g -o "$out/run" "$1" 2>"$out/log" || exit 1
RUST_BACKTRACE=1 timeout 10 "$out/run" >"$out/said" 2>&1 </dev/null
[ $? -eq 101 ] && grep -A1 ' panicked at ' "$out/said" | grep -q '^no product ' &&
    grep -q '^ *[0-9]*: .*::price$' "$out/said"
