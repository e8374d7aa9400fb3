#!/usr/bin/env bash
# An overflow while evaluating a trait requirement (E0275), and no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata \
    --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q '^error\[E0275\]: overflow evaluating the requirement' "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv '^error\[E0275\]: overflow'
