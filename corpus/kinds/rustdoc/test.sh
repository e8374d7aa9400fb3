#!/usr/bin/env bash
# rustdoc warns of a link that leads nowhere.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
timeout 60 rustdoc --edition=2024 --out-dir "$out" "$1" 2>"$out/log" || exit 1
grep -q '^warning: unresolved link to' "$out/log"
