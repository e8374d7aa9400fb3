//! What a compiler says is missing in a program from which parts are gone.

use std::collections::HashSet;
use std::path::Path;

use mcve_transforms::Complaint;

use super::checks::Checks;
use super::limits::Stop;
use super::request::Query;
use crate::exec::job::End;
use crate::oracle::CompilerJob;
use crate::oracle::diagnostics::{Diagnostic, Span, Stderr};
use crate::program::Program;

impl Checks {
    /// What the compiler complains about in `program`; nothing where it accepts it, or none is known.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn complaints(&mut self, program: &Program) -> Result<Vec<Complaint>, Stop> {
        let compiled =
            self.query(Query::Lints, program, self.parts.oracle.advice().compiler_job(CompilerJob::Hints, program))?;
        let Some(compiled) = compiled.filter(|compiled| compiled.end != End::Exited(0)) else { return Ok(Vec::new()) };
        let diagnostics = Stderr::read(&compiled.stderr).diagnostics;
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_user_error());
        Ok(errors.flat_map(|error| complaints(error, program)).collect())
    }
}

/// How a note begins that names what is not missing.
const OTHERS: &str = "the following other types implement";

/// One for each place that an error is about.
fn complaints(error: &Diagnostic, program: &Program) -> Vec<Complaint> {
    let labels = error.spans.iter().filter_map(|span| span.label.as_deref());
    let children = error.children.iter().map(|child| child.message.as_str());
    let children = children.filter(|message| !message.starts_with(OTHERS));
    let mut words: HashSet<String> =
        labels.chain(children).chain([error.message.as_str()]).flat_map(quoted_words).collect();
    // Such errors name the type, and not the trait.
    words.extend(error.code.iter().flat_map(|code| operators(&code.code)).map(|&name| name.to_owned()));
    let places = error.spans.iter().filter(|span| span.is_primary).filter_map(|span| {
        let span = outermost(span);
        program.range(Path::new(&span.file_name), span.byte_start..span.byte_end)
    });
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

/// The identifiers that a message quotes.
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
