#!/usr/bin/env bash
# The report of a bad format string crashes in rustc_span, inside of a four-byte character, and no error is printed.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q '^assertion failed: bpos.to_u32() >= mbc.pos.to_u32() + mbc.bytes as u32' "$out/log" &&
    grep -q 'compiler/rustc_span/src/lib.rs' "$out/log" &&
    grep -q '^#0 \[resolver_for_lowering_raw\]' "$out/log" &&
    ! grep '^error' "$out/log" | grep -qvE '^error: (the compiler unexpectedly panicked|aborting due to)'
