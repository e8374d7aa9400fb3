#!/usr/bin/env bash
# Lowering a trait object type with a negative auto trait bound crashes while a body is type-checked; the only other errors are the two about the bounds.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q 'compiler/rustc_hir_analysis/src/hir_ty_lowering/dyn_trait.rs:426:' "$out/log" &&
    grep -q '^#0 \[typeck\]' "$out/log" &&
    ! grep '^error' "$out/log" | grep -qvE '^error: (the compiler unexpectedly panicked|aborting due to|negative bounds are not supported|relaxed bounds are not permitted in trait object types)'
