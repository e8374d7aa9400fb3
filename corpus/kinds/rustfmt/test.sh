#!/usr/bin/env bash
# rustfmt changes what it wrote.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
rustfmt --edition 2024 --emit stdout <"$1" >"$out/first" 2>"$out/log" || exit 1
rustfmt --edition 2024 --emit stdout <"$out/first" >"$out/second" 2>"$out/log" || exit 1
! cmp -s "$out/first" "$out/second"
