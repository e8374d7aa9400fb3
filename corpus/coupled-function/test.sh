#!/usr/bin/env bash
# An index is out of bounds where a constant is evaluated (E0080), and no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
message='^error\[E0080\]: index out of bounds: the length is [0-9]* but the index is [0-9]*$'
grep -q "$message" "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
