//! Reads the errors of a compiler: where they are, and which items are missing in a program from which parts are gone.

use std::collections::HashSet;
use std::ops::Range;

use mcve_transforms::Complaint;

use crate::exec::job::JobResult;
use crate::oracle::diagnostics::{Diagnostic, Span, Stderr};
use crate::program::Program;

/// The places of the errors that the compiler finds in `program`.
pub(super) fn errors(compiled: &JobResult, program: &Program) -> Vec<Range<usize>> {
    user_errors(compiled, program).into_iter().map(|(place, ..)| place).collect()
}

/// The places of `program` that the compiler points to in its errors as the reasons for them.
pub(super) fn reasons(compiled: &JobResult, program: &Program) -> Vec<Range<usize>> {
    let stderr = Stderr::read(&compiled.stderr);
    let spans = stderr.errors().flat_map(|error| &error.spans).filter(|span| !span.is_primary);
    spans.filter_map(|span| place(span, program)).collect()
}

/// The errors of a compiler in `program`: place, code, words. An error inside of a macro of another crate is at the call.
pub(super) fn user_errors(compiled: &JobResult, program: &Program) -> Vec<(Range<usize>, String, String)> {
    let stderr = Stderr::read(&compiled.stderr);
    let places = stderr.errors().flat_map(|error| {
        let code = error.code_or_lint().unwrap_or_default();
        let places = error.primary().filter_map(|span| place(span, program));
        places.map(move |place| (place, code.to_owned(), error.headline()))
    });
    places.collect()
}

/// The bytes of the program that a span is about.
fn place(span: &Span, program: &Program) -> Option<Range<usize>> {
    span.range(program).or_else(|| place(&span.expansion.as_ref()?.span, program))
}

/// The items that the compiler misses in `program`.
pub(super) fn complaints(compiled: &JobResult, program: &Program) -> Vec<Complaint> {
    Stderr::read(&compiled.stderr).errors().flat_map(|error| complaints_of(error, program)).collect()
}

/// The begin of a note that names items that are not missing.
const OTHERS: &str = "the following other types implement";

fn complaints_of(error: &Diagnostic, program: &Program) -> Vec<Complaint> {
    let labels = error.spans.iter().filter_map(|span| span.label.as_deref());
    let children = error.children.iter().map(|child| child.message.as_str());
    let children = children.filter(|message| !message.starts_with(OTHERS));
    let mut words: HashSet<String> =
        labels.chain(children).chain([error.message.as_str()]).flat_map(quoted_words).collect();
    // Such errors name the type, and not the trait.
    words.extend(error.code_or_lint().into_iter().flat_map(operators).map(|&name| name.to_owned()));
    let places = error.primary().filter_map(|span| outermost(span).range(program));
    places.map(|range| Complaint { byte: range.start, words: words.clone() }).collect()
}

/// The call of a macro whose expansion holds a span, or the span itself.
fn outermost(span: &Span) -> &Span {
    span.expansion.as_ref().map_or(span, |expansion| outermost(&expansion.span))
}

/// The traits of operators that an error of this code may miss.
fn operators(code: &str) -> &'static [&'static str] {
    match code {
        "E0608" => &["Index", "IndexMut"],
        "E0594" | "E0596" => &["DerefMut", "IndexMut"],
        "E0600" => &["Not", "Neg"],
        "E0614" => &["Deref"],
        "E0618" => &["Deref", "Fn", "FnMut", "FnOnce"],
        _ => &[],
    }
}

fn quoted_words(message: &str) -> impl Iterator<Item = String> + '_ {
    let words =
        |quoted: &str| quoted.split(|c: char| c != '_' && !c.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>();
    message.split('`').skip(1).step_by(2).flat_map(words).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_between_quotes() {
        let words: Vec<String> = quoted_words("the trait `From<u8>` of `a::B` is not there").collect();
        assert_eq!(words, ["From", "u8", "a", "B"]);
    }
}
