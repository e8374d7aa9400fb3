#!/usr/bin/env bash
# A macro hands a captured `ty` fragment to a macro of the file that expects other tokens; no other error.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
(
    ulimit -v 4000000
    RUSTC_ICE=0 RUST_BACKTRACE=0 exec timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata \
        --out-dir "$out" "$1" >"$out/log" 2>&1
)
message='^error: no rules expected `ty` metavariable$'
grep -q "$message" "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
