//! Arguments of the compiler that stay get the value that says least: the newest edition, the lowest level.

use crate::check::limits::Stop;
use crate::oracle::headers::rewrite;
use crate::oracle::rustc::EDITIONS;
use crate::search::engine::Search;

/// The options whose values are levels, lowest first.
const LEVELS: [(&str, &[&str]); 5] = [
    ("-Copt-level=", &["0", "1", "2", "3", "s", "z"]),
    ("-Cdebuginfo=", &["0", "1", "2"]),
    ("-Ccodegen-units=", &["1"]),
    ("-Zmir-opt-level=", &["0", "1", "2", "3", "4"]),
    ("-Zinline-mir-threshold=", &["0"]),
];

/// Gives each argument of the best program the first value with which it still fails. Comes before the proof, which holds for
/// the arguments that it is made with.
///
/// # Errors
/// When the search is to stop.
pub fn settle(search: &mut Search<'_>) -> Result<(), Stop> {
    settle_edition(search)?;
    for argument in search.best().arguments() {
        let best = search.best().clone();
        let literal = format!("{argument:?}");
        let Some(at) = best.text[best.lists()..].find(&literal) else { continue };
        let start = best.lists() + at;
        let candidates = better(&argument).into_iter().map(|value| {
            let mut text = best.text.to_string();
            text.replace_range(start..start + literal.len(), &format!("{value:?}"));
            Some((best.with_text(text), value))
        });
        let mut candidates = candidates.collect::<Vec<_>>().into_iter();
        if let Some((_, (program, value))) = search.checks.first(&mut candidates, search.observer)? {
            search.accept(program, vec![format!("{argument} to {value}")])?;
        }
    }
    Ok(())
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
    if program == best {
        return Ok(());
    }
    let mut candidates = std::iter::once(Some((program, ())));
    match search.checks.first(&mut candidates, search.observer)? {
        Some((_, (program, ()))) => search.accept(program, vec!["headers".to_owned()]),
        None => Ok(()),
    }
}

/// The newest edition.
fn settle_edition(search: &mut Search<'_>) -> Result<(), Stop> {
    let best = search.best().clone();
    let Some(own) = best.edition() else { return Ok(()) };
    let newer = EDITIONS.iter().take_while(|edition| **edition != own);
    let mut candidates = newer.map(|edition| Some((best.with_edition(Some(edition)), edition)));
    match search.checks.first(&mut candidates, search.observer)? {
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
    fn lower_levels_are_better() {
        assert_eq!(better("-Copt-level=2"), ["-Copt-level=0", "-Copt-level=1"]);
        assert_eq!(better("-Copt-level=0"), [""; 0]);
        assert_eq!(better("--cfg=a"), [""; 0]);
    }
}
