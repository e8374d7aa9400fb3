#!/usr/bin/env bash
# The lint unused_must_use as an error for a boxed trait object (of a trait of the program) at index 1 of a tuple.
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
RUSTC_ICE=0 RUST_BACKTRACE=0 timeout 60 "${RUSTC:-rustc}" --edition=2021 --crate-type=lib --emit=metadata \
    --out-dir "$out" "$1" >"$out/log" 2>&1
message='^error: unused boxed `[A-Za-z0-9_:]*` trait object in tuple element 1 that must be used$'
# `Fn`, `Iterator` and `Future` of the standard library are `must_use` too, with these notes.
grep -q "$message" "$out/log" &&
    ! grep -Eq '= note: (closures are lazy|iterators are lazy|futures do nothing)' "$out/log" &&
    ! grep '^error' "$out/log" | grep -v '^error: aborting due to' | grep -qv "$message"
