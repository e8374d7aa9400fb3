//! Which options of rustc a header may have: those that are known to run, load and write nothing but what rustc does anyway.
//!
//! The words are read as rustc reads them, and what is not listed is refused, also what rustc would read in another way: short
//! options in one word (`-go PATH`), a value that looks like an option, a file of arguments in the place of a value (`@PATH`).
//! Source: `rustc --help -v`, `-Chelp` and `-Zhelp` of 1.95, and options of older versions.

use std::ffi::OsString;

use crate::oracle::rustc_args::{InHeader, ValueOption};

/// Options without a value.
const PLAIN: [&str; 8] = ["-O", "-V", "-g", "-v", "-vV", "--test", "--verbose", "--version"];

/// Code generation (`-C`). Not here: linkers, LLVM's arguments and passes, profiles, incremental and temporary files.
const CODEGEN: &str = "\
    ar code-model codegen-units collapse-macro-debuginfo control-flow-guard debug-assertions debuginfo \
    default-linker-libraries dwarf-version embed-bitcode extra-filename force-frame-pointers force-unwind-tables \
    inline-threshold instrument-coverage jump-tables link-dead-code link-self-contained linker-features \
    linker-plugin-lto lto metadata no-prepopulate-passes no-redzone no-stack-check no-vectorize-loops \
    no-vectorize-slp opt-level overflow-checks panic prefer-dynamic relocation-model relro-level remark rpath \
    soft-float split-debuginfo strip symbol-mangling-version target-cpu target-feature trap-unreachable \
    unsafe-allow-abi-mismatch";

/// The harmless values of `-Clinker-plugin-lto`: any other value is a plug-in for the linker.
const SWITCHES: [&str; 9] = ["", "y", "yes", "on", "true", "n", "no", "off", "false"];

/// Unstable options (`-Z`). Not here: other back ends, plug-ins, arguments of linkers and LLVM, dumps, profiles, statistics
/// in files, folders for any of these, and what reads a file.
const UNSTABLE: &str = "\
    allow-features always-encode-mir annotate-moves assert-incr-state assume-incomplete-release \
    assumptions-on-binders autodiff binary-dep-depinfo borrowck box-noalias branch-protection cache-proc-macros \
    cf-protection chalk check-cfg-all-expected checksum-hash-algorithm codegen-source-order contract-checks \
    coverage-options crate-attr cross-crate-inline-threshold debug-info-for-profiling debug-info-type-line-numbers \
    debuginfo-compression deduplicate-diagnostics default-visibility direct-access-external-data drop-tracking \
    drop-tracking-mir dwarf-version dylib-lto eagerly-emit-delayed-bugs ehcont-guard embed-metadata \
    emit-stack-sizes emscripten-wasm-eh enforce-type-length-limit experimental-default-bounds \
    export-executable-symbols extra-const-ub-checks fewer-names fixed-x18 flatten-format-args fmt-debug \
    force-overflow-checks force-unstable-if-unmarked function-return function-sections future-incompat-test \
    has-thread-local higher-ranked-assumptions hint-mostly-unused hir-stats human-readable-cgu-names \
    identify-regions incremental-ignore-spans incremental-info incremental-verify-ich indirect-branch-cs-prefix \
    inline-in-all-cgus inline-llvm inline-mir inline-mir-forwarder-threshold inline-mir-hint-threshold \
    inline-mir-preserve-debug inline-mir-threshold input-stats instrument-coverage instrument-mcount \
    instrument-xray keep-hygiene-data large-data-threshold layout-seed link-directives link-native-libraries \
    lint-llvm-ir lint-mir llvm-module-flag location-detail lower-impl-trait-in-trait-to-assoc-ty macro-backtrace \
    macro-stats maximal-hir-to-mir-coverage merge-functions meta-stats min-function-alignment mir-emit-retag \
    mir-enable-passes mir-include-spans mir-keep-place-mention mir-opt-bisect-limit mir-opt-level mir-preserve-ub \
    mir-strip-debuginfo move-size-limit mutable-noalias namespaced-crates next-solver nll no-analysis no-codegen \
    no-generate-arange-section no-implied-bounds-compat no-leak-check no-link no-parallel-backend no-parallel-llvm \
    no-profiler-runtime no-steal-thir no-trait-vptr no-unique-section-names normalize-docs on-broken-pipe oom \
    osx-rpath-install-name packed-bundled-libs panic-abort-tests panic-in-drop parse-crate-root-only parse-only \
    patchable-function-entry plt polonius polymorphize precise-enum-drop-elaboration print-codegen-stats \
    print-llvm-passes print-mono-items print-type-sizes proc-macro-backtrace proc-macro-execution-strategy \
    query-dep-graph randomize-layout reg-struct-return regparm relax-elf-relocations relro-level retpoline \
    retpoline-external-thunk sanitizer sanitizer-cfi-canonical-jump-tables sanitizer-cfi-generalize-pointers \
    sanitizer-cfi-normalize-integers sanitizer-kcfi-arity sanitizer-memory-track-origins sanitizer-recover \
    saturating-float-casts share-generics shell-argfiles small-data-threshold span-debug span-free-formats \
    split-dwarf-inlining split-dwarf-kind split-lto-unit src-hash-algorithm stack-protector \
    staticlib-allow-rdylib-deps staticlib-prefer-dynamic strict-init-checks strip symbol-mangling-version teach \
    terminal-urls thinlto thir-unsafeck threads time-llvm-passes time-passes time-passes-format \
    tiny-const-eval-limit tls-model trace-macros track-diagnostics trait-solver \
    translate-remapped-path-to-local-path trap-unreachable treat-err-as-bug trim-diagnostic-paths tune-cpu \
    two-phase-borrows typing-mode-borrowck ub-checks ui-testing uninit-const-chunk-threshold \
    unleash-the-miri-inside-of-you unpretty unsound-mir-opts unstable-options use-ctors-section use-sync-unwind \
    validate-mir verbose verbose-asm verbose-internals verify-llvm-ir virtual-function-elimination wasi-exec-model \
    wasm-c-abi write-long-types-to-disk";

/// The words of a header's options, as far as they are allowed, and the options that are not.
pub(super) fn sort(words: &[OsString]) -> (Vec<OsString>, Vec<String>) {
    let (mut allowed, mut refused) = (Vec::new(), Vec::new());
    let mut rest = words;
    while !rest.is_empty() {
        let (is_allowed, length) = first(rest);
        let (option, behind) = rest.split_at(length);
        if is_allowed {
            allowed.extend_from_slice(option);
        } else {
            let text: Vec<_> = option.iter().map(|word| word.to_string_lossy()).collect();
            refused.push(text.join(" "));
        }
        rest = behind;
    }
    (allowed, refused)
}

/// Whether a word is an option of rustc whose value is the next word.
pub fn takes_value(word: &str) -> bool {
    matches!(ValueOption::read(word), Some((_, None)))
}

/// Whether the first option is allowed, and of how many words it is.
fn first(words: &[OsString]) -> (bool, usize) {
    let text = |index: usize| words.get(index).and_then(|word: &OsString| word.to_str());
    let Some(word) = text(0) else { return (false, 1) };
    // What begins so is another option to some reader, or the name of a file with arguments.
    let value = text(1).filter(|next| !next.starts_with(['-', '@']));
    if PLAIN.contains(&word) {
        return (true, 1);
    }
    match ValueOption::read(word) {
        Some((option, Some(value))) => (is_allowed(option, value), 1),
        Some((option, None)) => value.map_or((false, 1), |value| (is_allowed(option, value), 2)),
        None => {
            let in_one = match word.strip_prefix("--") {
                Some(_) => word.split_once('='),
                None => word.split_at_checked(2).filter(|(_, value)| !value.is_empty()),
            };
            // A value that stands alone belongs to it.
            (false, if in_one.is_none() && value.is_some() { 2 } else { 1 })
        }
    }
}

fn is_allowed(option: &ValueOption, value: &str) -> bool {
    if option.in_header != InHeader::WithoutPath {
        return option.in_header == InHeader::Any;
    }
    let has_no_path = |text: &str| !text.contains(['/', '\\']);
    match option.name() {
        "-C" => {
            let (name, value) = setting(value);
            let is_safe = name != "linker-plugin-lto" || SWITCHES.contains(&value);
            has(CODEGEN, &name) && is_safe && has_no_path(value)
        }
        "-Z" => {
            let (name, value) = setting(value);
            has(UNSTABLE, &name) && (name == "crate-attr" || has_no_path(value))
        }
        // `NAME=PATH` of a crate, a kind of output or a kind of information.
        "--extern" | "--emit" | "--print" => has_no_path(value) && !value.contains('='),
        "--target" => has_no_path(value) && !value.ends_with(".json"),
        "-l" => {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+:,=.".contains(c);
            value.chars().all(is_plain) && !value.contains("link-arg")
        }
        _ => has_no_path(value),
    }
}

/// The name of an option of `-C` or `-Z`, in which both signs mean the same, and its value.
fn setting(text: &str) -> (String, &str) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (name.replace('_', "-"), value)
}

fn has(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

#[cfg(test)]
mod tests;
