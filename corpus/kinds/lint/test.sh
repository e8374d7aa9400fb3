#!/usr/bin/env bash
# rustc compiles it and warns of an unused comparison.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 "${RUSTC:-rustc}" --edition=2024 --crate-type=lib --emit=metadata --out-dir "$out" "$1" 2>"$out/log" || exit 1
grep -q '^warning: unused comparison that must be used' "$out/log"
