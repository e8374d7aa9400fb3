#!/usr/bin/env bash
# rust-analyzer panics while it highlights.
rust-analyzer highlight <"$1" 2>&1 >/dev/null | grep -q 'expected type for .* but found Lifetime'
