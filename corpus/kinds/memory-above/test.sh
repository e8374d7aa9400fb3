#!/usr/bin/env bash
# The program ends well, but not in 100 MiB of memory.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 "${RUSTC:-rustc}" --edition=2024 -o "$out/run" "$1" 2>"$out/log" || exit 1
timeout 10 "$out/run" >"$out/said" 2>&1 </dev/null || exit 1
(
    ulimit -c 0
    ulimit -v 102400
    exec timeout 10 "$out/run" >"$out/said" 2>&1 </dev/null
) && exit 1
grep -q '^memory allocation of [0-9]* bytes failed' "$out/said"
