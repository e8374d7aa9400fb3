//! The last step before the layout of a crash: of the programs of equal size the same one, whatever the crash came out of. Who
//! asks about an error or a run that fails wants to see the names that they know.

use mcve_transforms::canonical::{ordered, ordered_parts, plain_parts, renamed, with};
use mcve_transforms::{Analysis, Edit, Source, Tree};

use crate::check::limits::Stop;
use crate::program::{Language, Program};
use crate::search::engine::Search;

/// Gives the best program the first type, number and operator of a kind, as far as it still fails. What comes after may need them: a
/// type that is the same everywhere can go where others cannot.
pub(super) fn settle_parts(search: &mut Search<'_>) -> Result<(), Stop> {
    if has_form(search) { try_parts(search, |analysis| plain_parts(analysis.tree())) } else { Ok(()) }
}

/// Whether programs of this search have a canonical form.
fn has_form(search: &Search<'_>) -> bool {
    let is_whole = search.best().language == Language::Rust && search.best().is_lone();
    let renames = search.course.enabled.iter().any(|transform| transform.name == "rename");
    is_whole && renames && search.checks.oracle().properties().is_crash
}

/// Orders parameters, fields, items and names of the best program, as far as it still fails.
pub(super) fn settle_order(search: &mut Search<'_>) -> Result<(), Stop> {
    if !has_form(search) {
        return Ok(());
    }
    try_parts(search, ordered_parts)?;
    try_text(search, ordered)?;
    try_text(search, renamed)
}

/// Changes all parts, or else those that can be changed one by one.
fn try_parts(search: &mut Search<'_>, parts: impl Fn(&Analysis<'_>) -> Vec<Edit>) -> Result<(), Stop> {
    let best = search.best();
    let source = Source::parse(&best.text[..best.lists()]);
    let edits = parts(&Analysis::of(&Tree::new(&source)));
    if edits.is_empty() || try_edits(search, &edits)? {
        return Ok(());
    }
    // From the last on, so that the places before stay as they are.
    for edit in edits.iter().rev() {
        try_edits(search, std::slice::from_ref(edit))?;
    }
    Ok(())
}

fn try_edits(search: &mut Search<'_>, edits: &[Edit]) -> Result<bool, Stop> {
    let best = search.best();
    let text = with(&best.text, edits);
    let program = best.with_text(text);
    try_program(search, program)
}

fn try_text(search: &mut Search<'_>, change: impl Fn(&Analysis<'_>) -> Option<String>) -> Result<(), Stop> {
    let best = search.best().clone();
    let (code, lists) = best.text.split_at(best.lists());
    let source = Source::parse(code);
    let changed = change(&Analysis::of(&Tree::new(&source)));
    match changed {
        Some(text) => try_program(search, best.with_text(text + lists)).map(drop),
        None => Ok(()),
    }
}

/// Takes a program that fails and is not larger.
fn try_program(search: &mut Search<'_>, program: Program) -> Result<bool, Stop> {
    if program.size().tokens > search.best().size().tokens {
        return Ok(false);
    }
    Ok(search.take_first("canonical", [Some(program)])?.is_some())
}
