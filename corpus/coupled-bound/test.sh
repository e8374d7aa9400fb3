#!/usr/bin/env bash
# A value is dropped while what has a Drop impl of its own still borrows it (E0597), and no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
message='^error\[E0597\]: `[^`]*` does not live long enough$'
grep -q "$message" "$out/log" &&
    grep -q 'when `[^`]*` is dropped and runs the `Drop` code for type `' "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
