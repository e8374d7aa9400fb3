#!/usr/bin/env bash
# The assertion in rustc_middle's mir/statement.rs fails while a function is borrow-checked, and no user error is reported.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q 'rustc_middle/src/mir/statement\.rs' "$out/log" &&
    grep -q 'assertion `left == right` failed' "$out/log" &&
    grep -q '^#0 \[mir_borrowck\]' "$out/log" &&
    ! grep -E '^error(\[E|:)' "$out/log" | grep -qv 'internal compiler error\|the compiler unexpectedly panicked\|aborting due to'
