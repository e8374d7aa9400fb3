//! The labels of an issue of rust-lang/rust, as rustbot takes them.

use std::collections::BTreeSet;

use mcve_transforms::{Kind, tokens};

use super::{Facts, Form};

/// The labels of the crates of the compiler, and of its queries: a crash in one of these is most likely about that.
const AREAS: &[(&str, &str)] = &[
    ("while mir_borrowck", "A-borrow-checker"),
    ("while eval_to_", "A-const-eval"),
    ("while optimized_mir", "A-mir-opt"),
    ("rustc_borrowck/", "A-borrow-checker"),
    ("rustc_codegen_llvm/", "A-LLVM"),
    ("rustc_codegen_ssa/", "A-codegen"),
    ("rustc_const_eval/", "A-const-eval"),
    ("rustc_errors/", "A-diagnostics"),
    ("rustc_expand/", "A-macros"),
    ("rustc_incremental/", "A-incr-comp"),
    ("verify_ich", "A-incr-comp"),
    ("rustc_lint/", "A-lints"),
    ("rustc_mir_build/", "A-MIR"),
    ("rustc_mir_transform/", "A-mir-opt"),
    ("rustc_next_trait_solver/", "A-trait-system"),
    ("rustc_parse/", "A-parser"),
    ("rustc_pattern_analysis/", "A-exhaustiveness-checking"),
    ("rustc_privacy/", "A-visibility"),
    ("rustc_resolve/", "A-resolve"),
    ("rustc_symbol_mangling/", "A-symbol-mangling"),
    ("rustc_trait_selection/", "A-trait-system"),
];

/// Where these labels are; others have only the first ones.
const TRACKER: &str = "https://github.com/rust-lang/rust/";

/// The labels of unstable options.
const FLAGS: &[(&str, &str)] = &[
    ("-Zincremental", "A-incr-comp"),
    ("-Znext-solver", "WG-trait-system-refactor"),
    ("-Zpolonius", "NLL-polonius"),
    ("-Zsanitizer", "A-sanitizers"),
];

/// The line that sets the labels; empty if there are none.
pub(super) fn command(facts: &Facts, form: Form) -> String {
    let labels: String = of(facts, form).iter().map(|label| format!(" +{label}")).collect();
    if labels.is_empty() { labels } else { format!("@rustbot label{labels}") }
}

/// The labels; none for forms of other trackers.
pub(super) fn of(facts: &Facts, form: Form) -> BTreeSet<String> {
    let mut labels: BTreeSet<String> = BTreeSet::new();
    let has = |part: &str| facts.failure.contains(part);
    let kind: &[&str] = match form {
        // `I-ICE` is for panics of the compiler.
        Form::Crash if has("internal compiler error") => &["C-bug", "I-ICE"],
        Form::Crash if has("LLVM") => &["A-LLVM", "C-bug", "I-crash"],
        Form::Crash => &["C-bug", "I-crash"],
        Form::Regression => &["C-bug"],
        Form::Diagnostic if has("suggestion") => &["A-diagnostics", "A-suggestion-diagnostics", "D-invalid-suggestion"],
        Form::Diagnostic => &["A-diagnostics"],
        _ => return labels,
    };
    if facts.search.as_ref().is_some_and(|link| !link.starts_with(TRACKER)) {
        return kind.iter().map(|label| (*label).to_owned()).collect();
    }
    let flags = facts.command.split(' ').filter(|word| word.starts_with("-Z"));
    let of_flags =
        flags.clone().filter_map(|flag| FLAGS.iter().find(|(name, _)| flag.starts_with(name)).map(|(_, label)| *label));
    let team = if facts.command.split(' ').any(|word| word.ends_with("rustdoc")) { "T-rustdoc" } else { "T-compiler" };
    labels.extend(kind.iter().copied().chain(of_flags).chain(["S-has-mcve", team]).map(str::to_owned));
    let is_untriaged = form == Form::Regression && facts.regression.is_none();
    labels.extend(facts.regression.clone().or(is_untriaged.then(|| "regression-untriaged".to_owned())));
    labels.extend((!facts.origin.is_empty()).then(|| "S-has-bisection".to_owned()));
    if form != Form::Diagnostic {
        let area = AREAS.iter().find(|(place, _)| facts.failure.contains(place));
        labels.extend(area.map(|(_, label)| (*label).to_owned()));
    }
    let features = features(&facts.program.text);
    if !features.is_empty() || flags.count() > 0 {
        labels.insert("requires-nightly".to_owned());
    }
    labels.extend(features.into_iter().map(|feature| format!("F-{feature}")));
    labels
}

/// The features that a program turns on.
fn features(text: &str) -> Vec<String> {
    let code: Vec<&str> =
        tokens(text).into_iter().filter(|token| token.kind == Kind::Code).map(|token| &text[token.range]).collect();
    let starts = code.windows(5).enumerate().filter(|(_, words)| *words == ["#", "!", "[", "feature", "("]);
    let names = starts.flat_map(|(at, _)| code[at + 5..].iter().take_while(|word| **word != ")"));
    names.filter(|word| **word != ",").map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_those_of_the_program() {
        assert_eq!(features("#![feature(a, b,)]\n#![allow(x)] // #![feature(c)]\nfn f() {}"), ["a", "b"]);
        assert!(features("fn feature() {}").is_empty());
    }
}
