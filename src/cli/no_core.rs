//! `mcve test-file --no-core`: a failing file without the library `core`, with the few items of a small one that its failure needs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::PairArgs;
use super::argv::reduction;
use super::begin::Begin;
use super::exit::{Exit, Failed, OrExit, failed};
use super::reduce;
use crate::report::known::is_same;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::oracle::FailureId;
use mcve_reduce::program::{Program, edited};
use mcve_transforms::{Kind, tokens};

/// The items of `core` that programs use most, without what they do.
const ITEMS: &str = include_str!("../../templates/minicore.rs");

/// How such a file begins.
const HEAD: &str = "#![feature(no_core, lang_items, auto_traits, unboxed_closures)]\n// mcve: keep-start\n#![no_core]\n// mcve: keep-end\n#![allow(internal_features)]\n";

/// Writes the program of `question`, which shows `failure`, to `folder`: without `core`, and as small. Returns its path.
/// Fails if it has several files, or the failure does not stay.
pub(super) fn without_core(
    question: &PairArgs,
    toolchain: Option<&str>,
    (program, failure): (&Program, &FailureId),
    folder: &Path,
    limits: &Limits,
) -> Result<PathBuf, Failed> {
    let shown = question.file.file_name().unwrap_or_default().display();
    if !program.is_lone() {
        return Err(failed!(Usage, "--no-core is for a single file, and {shown} needs others"));
    }
    let [file, small] = ["with_items", "small"].map(|name| folder.join(name).with_extension("rs"));
    let text = format!("{HEAD}{}\n{ITEMS}", without_module_paths(&program.root()));
    std::fs::write(&file, text).context("cannot write a temporary file").or_exit(Exit::Output)?;
    let asked = PairArgs { file: file.clone(), ..question.clone() };
    let found = asked.find(limits.clone(), toolchain.map(str::to_owned))?;
    let instead = match found {
        Ok(start) if is_same(failure, &start.problem.oracle.failure()) => None,
        Ok(start) => Some(start.problem.oracle.failure().words),
        Err(error) => Some(error.to_string()),
    };
    if let Some(instead) = instead {
        return Err(failed!(NotFailing, "{shown} does not fail in this way without `core`: {instead}"));
    }
    let words = ["mcve", "-q", "-o"].map(OsString::from).into_iter().chain([small.clone().into(), file.into()]);
    let words: Vec<OsString> = words.collect();
    let mut args = reduction(&words).expect("it is a command line");
    (args.oracle, args.run.search) = (question.oracle.clone(), question.search.clone());
    // Compiler developers know the items by their names.
    args.run.search.skip.push("names".to_owned());
    reduce::reduce(&args, toolchain.map(str::to_owned), Begin::Anew(&words))?;
    Ok(small)
}

/// A text in which items of the standard library are called by their names alone, without their modules.
fn without_module_paths(text: &str) -> String {
    let code: Vec<_> =
        tokens(text).into_iter().filter(|token| token.kind == Kind::Code).map(|token| token.range).collect();
    let word = |at: usize| code.get(at).map_or("", |range| &text[range.clone()]);
    let (mut edits, mut at) = (Vec::new(), 0);
    while at < code.len() {
        let root = at + if word(at) == "use" { 1 } else { 0 };
        let is_path = matches!(word(root), "std" | "core" | "alloc") && word(root + 1) == "::";
        if !is_path || at > 0 && word(at - 1) == "::" {
            at += 1;
            continue;
        }
        let start = at;
        if root > at {
            at += (at..code.len()).position(|at| word(at) == ";").map_or(1, |end| end + 1);
            edits.push((code[start].start..code[at - 1].end, String::new()));
            continue;
        }
        while word(at + 1) == "::" && word(at + 2).starts_with(char::is_alphabetic) {
            at += 2;
        }
        edits.push((code[start].start..code[at].start, String::new()));
        at += 1;
    }
    edited(text, edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_the_library_are_called_by_their_names() {
        let text = "use std::ops::{Add, Sub};\nuse own::std;\nfn f(x: core::option::Option<std::ops::Range<u8>>) { x::std::y() }";
        let expected = "\nuse own::std;\nfn f(x: Option<Range<u8>>) { x::std::y() }";
        assert_eq!(without_module_paths(text), expected);
    }
}
