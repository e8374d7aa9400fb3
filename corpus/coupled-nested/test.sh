#!/usr/bin/env bash
# Two impls of a trait overlap (E0119), and no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
message='^error\[E0119\]: conflicting implementations of trait `[^`]*` for type `[^`]*`$'
grep -q "$message" "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
