//! The last step before the layout, if the user asks for it: names that say nothing about the source, or words for roles, and
//! neutral values for texts and numbers. What is left of the source is listed, with the check that refused another.

use std::collections::HashSet;

use mcve_transforms::{Analysis, Edit, Naming, Reduction, Remnant, Source, Tree, named, remnants, renames};

use crate::check::limits::Stop;
use crate::event::Left;
use crate::program::{Language, Program};
use crate::search::engine::Search;
use mcve_dd::ddmin::ddmin;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;

/// Renames what the best program defines, and takes out the rest of the source if `naming` says so, as far as it still fails.
pub(super) fn settle(search: &mut Search<'_>, naming: Naming) -> Result<(), Stop> {
    if naming == Naming::default() || search.best().language != Language::Rust {
        return Ok(());
    }
    if naming.scrub
        && let Some(oracle) = search.checks.oracle().following_names()
    {
        search.begin_stage(oracle, false);
    }
    let source = Source::parse(&*search.best().text);
    try_together(search, renames(&Analysis::of(&Tree::new(&source)), naming))?;
    if naming.scrub {
        let values = left(search, naming).into_iter().filter(|left| !left.is_name);
        try_together(search, values.map(|left| left.edits).collect())?;
        search.left = Some(try_each(search, naming)?);
    }
    Ok(())
}

fn left(search: &Search<'_>, naming: Naming) -> Vec<Remnant> {
    let source = Source::parse(&*search.best().text);
    remnants(&Analysis::of(&Tree::new(&source)), naming)
}

/// Makes all of the changes, or as many as go together by delta debugging.
fn try_together(search: &mut Search<'_>, changes: Vec<Vec<Edit>>) -> Result<(), Stop> {
    let (base, changes) = (search.best().clone(), changes.into_iter().filter_map(change).collect::<Vec<_>>());
    let mut apply = |keep: &KeepList| {
        let program = base.reduced_by(keep.removed().map(|index| &changes[index]));
        Ok(Outcome::fail_if(refusal(search, program)?.is_none()))
    };
    ddmin(KeepList::full(changes.len()), &mut apply).map(drop)
}

/// A change as a reduction, so that the program knows where its tokens come from.
fn change(edits: Vec<Edit>) -> Option<Reduction> {
    let (transform, site) = (named("rename").first().copied()?, edits.first()?.range.clone());
    Some(Reduction { transform, site, rank: 0, edits, gain: 0 })
}

/// Makes each change that is left alone. Returns what cannot be changed, and why.
fn try_each(search: &mut Search<'_>, naming: Naming) -> Result<Vec<Left>, Stop> {
    let (mut found, mut tried) = (Vec::new(), HashSet::new());
    // Each change moves the rest.
    while let Some(remnant) = left(search, naming).into_iter().find(|it| tried.insert((it.is_name, it.text.clone()))) {
        let Remnant { text, kind, is_name, other, edits } = remnant;
        // A header says how the file is compiled, and stays.
        let changed = change(edits).filter(|_| text != other).map(|change| search.best().reduced_by([&change]));
        let reason = changed.map_or(Ok(Some(String::new())), |changed| refusal(search, changed))?;
        let Some(reason) = reason else { continue };
        let is_said = has_word(&search.checks.oracle().failure().words, &text);
        let why = match &*reason {
            "" => "it says how the file is compiled".to_owned(),
            reason if is_name && has_word(reason, &other) => "a name of rustc, std or another crate".to_owned(),
            _ if is_said => "the failure is known by it: with another it is another failure".to_owned(),
            reason => format!("the failure needs it; else: {}", reason.lines().next().unwrap_or_default()),
        };
        found.push(Left { text, kind: kind.to_owned(), why });
    }
    Ok(found)
}

/// Makes a program the best one if it fails. Returns why it does not.
fn refusal(search: &mut Search<'_>, program: Program) -> Result<Option<String>, Stop> {
    search.checks.proceed()?;
    let reply = search.checks.reply(&program, search.observer)?;
    match reply.and_then(|reply| reply.verdict) {
        None => Ok(Some("it names a file".to_owned())),
        Some(verdict) if verdict.outcome != Outcome::Fail => Ok(Some(verdict.reason)),
        Some(_) => search.accept(program, vec!["scrub".to_owned()]).map(|()| None),
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| c != '_' && c != '\'' && !c.is_alphanumeric()).any(|own| own == word)
}
