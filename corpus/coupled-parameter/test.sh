#!/usr/bin/env bash
# A generic function instantiates itself for ever, and no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --emit=obj --out-dir "$out" "$1" >"$out/log" 2>&1
message='^error: reached the recursion limit while instantiating `'
grep -q "$message" "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
