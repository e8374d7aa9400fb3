#!/usr/bin/env bash
# Const evaluation crashes over a promoted that is "not in required_consts"; the only other error is that of a static reading itself.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q 'compiler/rustc_const_eval/src/interpret/eval_context.rs:.*which is not in required_consts' "$out/log" &&
    grep -q '^#0 \[eval_static_initializer\]' "$out/log" &&
    ! grep '^error' "$out/log" | grep -qvE '^error: (internal compiler error|aborting due to)|^error\[E0080\]: encountered static that tried to access itself'
