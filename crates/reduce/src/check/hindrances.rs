//! What hinders a search goes first: lint levels that turn warnings into errors, as each candidate leaves code that nothing uses,
//! and arguments that make checks slow.

use mcve_transforms::{Analysis, Reduction, Source, Transform, Tree, enumerate};

use super::checks::Checks;
use super::limits::Stop;
use super::queries::fails;
use crate::program::Program;

/// The transforms that delete a level.
const TRANSFORMS: [&str; 2] = ["delete-attribute", "delete-rustc-argument"];

/// The beginnings of an argument of the compiler that sets such a level.
const ARGUMENTS: [&str; 4] = ["\"-D", "\"-F", "\"--deny", "\"--forbid"];

/// The attributes that set such a level.
const ATTRIBUTES: [&str; 2] = ["deny(", "forbid("];

/// The beginnings of arguments that make each check slow. Few failures need them.
const SLOW: [&str; 2] = ["\"-Cdebuginfo=", "\"-g\""];

/// What a kind of hindrance has in its text, and whether a text is one.
type Kind = (Vec<&'static str>, fn(&str) -> bool);

/// `program` without levels that deny or forbid lints, and without slow arguments, as far as `transforms` and `proposes` allow that.
/// `program` itself where it has none, or fails in another way without them: then a lint may be the failure.
pub(crate) fn without_hindrances(
    checks: &mut Checks,
    program: &Program,
    transforms: &[&'static Transform],
    proposes: impl Fn(&Reduction) -> bool,
) -> Result<Program, Stop> {
    let mut program = program.clone();
    let kinds: [Kind; 2] = [([ARGUMENTS.as_slice(), &ATTRIBUTES].concat(), denies), (SLOW.to_vec(), is_slow)];
    for (marks, is_meant) in kinds {
        // Most programs have none, and need not be read for that.
        if !marks.iter().any(|mark| program.text.contains(mark)) {
            continue;
        }
        let source = Source::parse(&*program.text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let deleting = transforms.iter().filter(|transform| TRANSFORMS.contains(&transform.name));
        let reductions: Vec<Reduction> = deleting
            .flat_map(|transform| enumerate(&names, transform))
            .filter(|reduction| is_meant(&program.text[reduction.site.clone()]) && proposes(reduction))
            .collect();
        let without = program.reduced_by(&reductions);
        if !reductions.is_empty() && fails(checks, &without)? {
            program = without;
        }
    }
    Ok(program)
}

/// Whether an argument makes a check slow.
fn is_slow(text: &str) -> bool {
    SLOW.iter().any(|option| text.starts_with(option))
}

/// Whether an attribute or an argument denies or forbids a lint.
fn denies(text: &str) -> bool {
    if text.starts_with('#') {
        return ATTRIBUTES.iter().any(|level| text.contains(level));
    }
    ARGUMENTS.iter().any(|option| text.starts_with(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_arguments_deny_lints() {
        for text in
            ["#![deny(warnings)]", "#![cfg_attr(test, forbid(unused))]", "\"-Dwarnings\"", "\"--forbid=unused\""]
        {
            assert!(denies(text), "{text}");
        }
        for text in ["#![warn(unused)]", "#[derive(Debug)]", "\"-Copt-level=2\""] {
            assert!(!denies(text), "{text}");
        }
        assert!(is_slow("\"-Cdebuginfo=2\"") && !is_slow("\"-Copt-level=2\""));
    }
}
