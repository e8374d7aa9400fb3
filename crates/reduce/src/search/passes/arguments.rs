//! Arguments of the compiler that stay get the value that says least: the newest edition, the lowest level. Where a search ends
//! early, those go that name what the program does not.

use std::collections::HashSet;
use std::ops::Range;

use mcve_transforms::{ListKind, tokens};

use crate::check::limits::Stop;
use crate::oracle::headers::rewrite;
use crate::oracle::rustc::EDITIONS;
use crate::program::Program;
use crate::search::engine::Search;

/// The options whose values are levels, lowest first.
const LEVELS: [(&str, &[&str]); 5] = [
    ("-Copt-level=", &["0", "1", "2", "3", "s", "z"]),
    ("-Cdebuginfo=", &["0", "1", "2"]),
    ("-Ccodegen-units=", &["1"]),
    ("-Zmir-opt-level=", &["0", "1", "2", "3", "4"]),
    ("-Zinline-mir-threshold=", &["0"]),
];

/// Gives each argument the first value with which the program fails. Before the proof, which depends on the arguments.
pub fn settle(search: &mut Search<'_>) -> Result<(), Stop> {
    settle_edition(search)?;
    for argument in search.best().arguments() {
        for value in better(&argument) {
            if replace_argument(search, &argument, &[value])? {
                break;
            }
        }
    }
    Ok(())
}

/// Replaces an argument of the best program by others, if it still fails then; whether it does.
pub(super) fn replace_argument(search: &mut Search<'_>, argument: &str, others: &[String]) -> Result<bool, Stop> {
    let best = search.best();
    let literal = format!("{argument:?}");
    let Some(at) = best.text[best.lists()..].find(&literal) else { return Ok(false) };
    let (mut text, start) = (best.text.to_string(), best.lists() + at);
    let literals: Vec<String> = others.iter().map(|other| format!("{other:?}")).collect();
    text.replace_range(start..start + literal.len(), &literals.join(", "));
    let mut candidates = std::iter::once(Some((best.with_text(text), ())));
    let Some((_, (program, ()))) = search.first("arguments", &mut candidates)? else { return Ok(false) };
    search.accept(program, vec![format!("{argument} to {}", others.join(" "))])?;
    Ok(true)
}

/// Takes the crates and variables away that the best program does not name, or the crates alone, if it still fails then.
pub(crate) fn drop_unnamed(search: &mut Search<'_>) -> Result<(), Stop> {
    let best = search.best();
    let mut fewer: Vec<Program> = [true, false].map(|variables| without_unnamed(best, variables)).to_vec();
    fewer.dedup();
    fewer.retain(|program| program != best && program.is_whole());
    search.take_first("unnamed", fewer.into_iter().map(Some)).map(drop)
}

/// The program without crates that its code does not name, and, where `has_variables`, without such variables.
fn without_unnamed(program: &Program, has_variables: bool) -> Program {
    let Some(document) = program.document() else { return program.clone() };
    let code = &program.text[..program.lists()];
    let words: HashSet<&str> = tokens(code).into_iter().map(|token| &code[token.range]).collect();
    let is_used = |used: &str| words.contains(used.split('=').next().unwrap_or(used));
    let crates = program.crates().into_iter().flat_map(|krate| krate.arguments).chain(program.arguments());
    let mut used = crates.filter_map(|argument| Some(argument.strip_prefix("--extern=")?.to_owned()));
    let has_built = used.any(|used| used.contains('=') && is_used(&used));
    let is_named = |argument: &str| match argument.strip_prefix("--extern=") {
        Some(used) => is_used(used),
        // Folders are searched for what such crates need.
        None => has_built || !argument.starts_with("-L"),
    };
    let is_read = |variable: &str| {
        let name = variable.split('=').next().unwrap_or(variable);
        !has_variables || words.contains(&*format!("{name:?}"))
    };
    let mut gone: Vec<Range<usize>> = Vec::new();
    let mut add = |elements: &[(Range<usize>, &str)], is_kept: &dyn Fn(&str) -> bool| {
        for (index, (element, _)) in elements.iter().enumerate().filter(|(_, (_, word))| !is_kept(word)) {
            gone.push(element.start..elements.get(index + 1).map_or(element.end, |(next, _)| next.start));
        }
    };
    for list in &document.lists {
        let elements: Vec<(Range<usize>, &str)> = list
            .elements
            .iter()
            .map(|(range, word)| (range.clone(), std::str::from_utf8(word).unwrap_or_default()))
            .collect();
        match list.kind {
            ListKind::Arguments => add(&elements, &is_named),
            ListKind::Environment => add(&elements, &is_read),
            _ => {}
        }
    }
    for arguments in document.files.iter().filter_map(|file| file.arguments.as_ref()) {
        let elements: Vec<(Range<usize>, &str)> =
            arguments.iter().map(|(range, word)| (range.clone(), word.as_str())).collect();
        add(&elements, &is_named);
    }
    gone.sort_by_key(|range| range.start);
    let mut text = program.text.to_string();
    gone.into_iter().rev().for_each(|range| text.replace_range(range, ""));
    program.with_text(text)
}

/// Makes the headers of the file say what is left of the arguments. They are comments, so the proof still holds.
pub(crate) fn settle_headers(search: &mut Search<'_>) -> Result<(), Stop> {
    let best = search.best().clone();
    if best.layout.is_none() || !best.text.contains("//@") {
        return Ok(());
    }
    let (code, lists) = best.text.split_at(best.lists());
    let code = rewrite(code, best.edition(), &best.arguments(), !best.crates().is_empty());
    let program = best.with_text(code + lists);
    search.take_first("headers", (program != best).then_some(Some(program))).map(drop)
}

/// The newest edition.
fn settle_edition(search: &mut Search<'_>) -> Result<(), Stop> {
    let best = search.best().clone();
    let Some(own) = best.edition() else { return Ok(()) };
    let newer = EDITIONS.iter().take_while(|edition| **edition != own);
    let mut candidates = newer.map(|edition| Some((best.with_edition(Some(edition)), edition)));
    match search.first("edition", &mut candidates)? {
        Some((_, (program, edition))) => search.accept(program, vec![format!("edition {edition}")]),
        None => Ok(()),
    }
}

/// The better replacements of an argument, the best first.
fn better(argument: &str) -> Vec<String> {
    let level = LEVELS.iter().find_map(|(name, values)| Some((name, values, argument.strip_prefix(name)?)));
    let Some((name, values, own)) = level else { return Vec::new() };
    values.iter().take_while(|value| **value != own).map(|value| format!("{name}{value}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_and_variables_that_no_code_names_go() {
        let arguments = ["--extern=a=/a.rlib", "--extern=b=/b.rlib", "-L/d", "-O"].map(str::to_owned);
        let variables = ["V=1", "W=2"].map(str::to_owned);
        let program = Program::new("a.rs", "use b as _; // a\nconst W: &str = env!(\"W\");");
        let program = program.with_arguments(&arguments, &variables).expect("it has a place");
        let left = without_unnamed(&program, true);
        assert_eq!(left.arguments(), ["--extern=b=/b.rlib", "-L/d", "-O"]);
        assert_eq!(left.environment(), [("W".to_owned(), "2".to_owned())]);
        assert_eq!(without_unnamed(&program, false).environment().len(), 2);
        let program = program.with_text(program.text.replace("use b as _;", ""));
        assert_eq!(without_unnamed(&program, true).arguments(), ["-O"]);
    }

    #[test]
    fn lower_levels_are_better() {
        assert_eq!(better("-Copt-level=2"), ["-Copt-level=0", "-Copt-level=1"]);
        assert_eq!(better("-Copt-level=0"), [""; 0]);
        assert_eq!(better("--cfg=a"), [""; 0]);
    }
}
