#!/usr/bin/env bash
# The test `no_line_is_too_long` fails by the same two lists.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 "${RUSTC:-rustc}" --edition=2024 --test -g -o "$out/run" "$1" 2>"$out/log" || exit 1
timeout 10 "$out/run" no_line_is_too_long --test-threads=1 >"$out/said" 2>&1 </dev/null
[ $? -eq 101 ] && grep -q '^test .*no_line_is_too_long \.\.\. FAILED' "$out/said" &&
    grep -q '^  left: \["over the", "lazy dogs"\]' "$out/said" &&
    grep -q '^ right: \["over the", "lazy", "dogs"\]' "$out/said"
