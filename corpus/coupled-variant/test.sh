#!/usr/bin/env bash
# A match leaves exactly one variant out (E0004), and no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
message='^error\[E0004\]: non-exhaustive patterns: `[^`]*::[^`]*` not covered$'
grep -q "$message" "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
