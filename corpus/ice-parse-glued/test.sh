#!/usr/bin/env bash
# The parser crashes with "Should not have unglued last token with cfg attr", and nothing else is wrong.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q '^Should not have unglued last token with cfg attr' "$out/log" &&
    grep -q 'compiler/rustc_parse/src/parser/attr_wrapper.rs' "$out/log" &&
    grep -q '^#0 \[resolver_for_lowering_raw\]' "$out/log" &&
    ! grep '^error' "$out/log" | grep -qvE '^error: (the compiler unexpectedly panicked|aborting due to)'
