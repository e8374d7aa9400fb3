#!/usr/bin/env bash
# To compile the program takes more than four times the processor time of an empty one.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
TIMEFORMAT=%U
echo 'fn main() {}' >"$out/empty.rs"
take() { { time timeout 60 "${RUSTC:-rustc}" --edition=2024 --emit=metadata --out-dir "$out" "$1" 2>"$out/log"; } 2>&1; }
long=$(take "$1") && empty=$(take "$out/empty.rs") && awk "BEGIN { exit !($long > 4.4 * $empty) }"
