#!/usr/bin/env bash
# A type holds itself (E0072), and no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
message='^error\[E0072\]: recursive type `[^`]*` has infinite size$'
grep -q "$message" "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
