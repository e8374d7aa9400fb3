#!/usr/bin/env bash
# rustc dies by a stack overflow (SIGSEGV).
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
{
    (
        ulimit -c 0
        ulimit -v 4000000
        RUSTC_ICE=0 RUST_BACKTRACE=0 exec timeout 120 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata \
            --out-dir "$out" "$1" >"$out/log" 2>&1
    )
    status=$?
} 2>/dev/null # the shell reports the signal there
[ "$status" -eq 139 ] || grep -Eq 'SIGSEGV|overflowed its stack' "$out/log"
