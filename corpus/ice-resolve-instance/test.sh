#!/usr/bin/env bash
# rustc cannot resolve a trait method while it collects the vtable entries of a trait object ("failed to resolve instance"), and no user error is reported.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --emit=obj --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q 'internal compiler error: .*failed to resolve instance for' "$out/log" &&
    grep -q '^#0 \[vtable_entries\]' "$out/log" &&
    ! grep -E '^error(\[E|:)' "$out/log" | grep -qv 'internal compiler error\|the compiler unexpectedly panicked\|aborting due to'
