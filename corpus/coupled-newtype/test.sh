#!/usr/bin/env bash
# rustc reports "broken MIR" for an addition of a type that it cannot normalise, and no user error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata --out-dir "$out" "$1" >"$out/log" 2>&1
grep -q '^error: internal compiler error: broken MIR in .* bad assignment ' "$out/log" &&
    ! grep -E '^error(\[E|:)' "$out/log" | grep -qv 'internal compiler error\|the compiler unexpectedly panicked\|aborting due to'
