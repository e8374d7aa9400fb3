#!/usr/bin/env bash
# rustc says E0502, and no errors but those of the input.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 "${RUSTC:-rustc}" --edition=2024 --crate-type=lib --emit=metadata --out-dir "$out" "$1" 2>"$out/log" && exit 1
grep -q '^error\[E0502\]' "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv '^error\[E0\(502\|308\)\]'
