#!/usr/bin/env bash
# The program takes more than a second of processor time, and still has the loop of the machine.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
grep -q 'while self.step(' "$1" || exit 1
timeout 60 "${RUSTC:-rustc}" --edition=2024 -o "$out/run" "$1" 2>"$out/log" || exit 1
(
    ulimit -c 0
    ulimit -S -t 1
    exec timeout 20 "$out/run" >"$out/said" 2>&1 </dev/null
)
# 128 and the number of SIGXCPU.
[ $? -eq 152 ]
