#!/usr/bin/env bash
# Name resolution crashes with "inconsistent resolution for an import", and nothing else is wrong.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q 'compiler/rustc_resolve/src/imports.rs:.*inconsistent resolution for an import' "$out/log" &&
    grep -q '^#0 \[resolver_for_lowering_raw\]' "$out/log" &&
    ! grep '^error' "$out/log" | grep -qvE '^error: (internal compiler error|aborting due to)'
