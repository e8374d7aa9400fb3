//! The headers that rustc never sees.

/// Headers that change what is compiled in a way that a lone file cannot follow: other crates.
pub(crate) const OTHER_CRATES: [&str; 4] = ["add-minicore", "aux-bin", "aux-codegen-backend", "build-aux-docs"];

/// Headers that tell the test suite what to expect and when to run; rustc never sees them. A hyphen at the end stands for all
/// that begin so.
const EXPECTATIONS: &str = "\
    assembly-output assert- build-fail build-pass check-fail check-pass check-run-results check-stdout \
    compare-output-by-lines dont- error-pattern exact- exec-env failure-status filecheck-flags forbid-output \
    force-host ignore- known-bug llvm-cov-flags max- min- minicore-compile-flags needs- no-auto-check-cfg \
    no-prefer-dynamic normalize- only- pp-exact pretty- reference regex-error-pattern remap-src-base run-crash \
    run-fail run-fail-or-crash run-flags run-pass run-rustfix rustfix-only- should-fail should-ice stderr-per-bitwidth \
    unset-exec-env unused-revision-names";

/// Whether a header only speaks to the test suite.
pub(crate) fn is_expectation(name: &str) -> bool {
    EXPECTATIONS.split(' ').any(|known| if known.ends_with('-') { name.starts_with(known) } else { name == known })
}
