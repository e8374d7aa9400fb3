//! Shorter texts in place of the best program.

use super::engine::Search;
use crate::check::limits::Stop;
use crate::program::Program;
use crate::sentence::Sentences;

/// Makes the first of `programs` that fails the best program, and returns its position. Only texts with fewer characters than the
/// best program are tried, and of those only `sentences`, if the user gave a grammar.
pub(super) fn first_failing(
    search: &mut Search<'_>,
    pass: &str,
    sentences: Option<&Sentences>,
    programs: impl Iterator<Item = Program>,
) -> Result<Option<usize>, Stop> {
    let longest = search.best().text.chars().count();
    let programs = programs.map(|program| {
        let is_shorter = program.text.chars().count() < longest;
        (is_shorter && sentences.is_none_or(|sentences| sentences.has(&program.text))).then_some(program)
    });
    search.take_first(pass, programs)
}
