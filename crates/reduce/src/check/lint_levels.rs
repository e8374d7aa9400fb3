//! Lint levels that turn warnings into errors go first: each candidate leaves code that nothing uses.

use mcve_transforms::{Analysis, Reduction, Source, Transform, Tree, enumerate};

use super::checks::Checks;
use super::limits::Stop;
use super::queries::fails;
use crate::program::Program;

/// The transforms that delete a level.
const TRANSFORMS: [&str; 2] = ["delete-attribute", "delete-rustc-argument"];

/// The beginnings of an argument of the compiler that sets such a level.
const ARGUMENTS: [&str; 4] = ["-D", "-F", "--deny", "--forbid"];

/// `program` without the attributes and arguments that deny or forbid lints, as far as `transforms` and `proposes` allow that.
/// `program` itself where it has none, or fails in another way without them: then a lint may be the failure.
///
/// # Errors
/// When the search has to stop.
pub(crate) fn without_lint_levels(
    checks: &mut Checks,
    program: &Program,
    transforms: &[&'static Transform],
    proposes: impl Fn(&Reduction) -> bool,
) -> Result<Program, Stop> {
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let deleting = transforms.iter().filter(|transform| TRANSFORMS.contains(&transform.name));
    let levels: Vec<Reduction> = deleting
        .flat_map(|transform| enumerate(&names, transform))
        .filter(|reduction| denies(&program.text[reduction.site.clone()]) && proposes(reduction))
        .collect();
    if levels.is_empty() {
        return Ok(program.clone());
    }
    let without = program.reduced_by(&levels);
    Ok(if fails(checks, &without)? { without } else { program.clone() })
}

/// Whether an attribute or an argument denies or forbids a lint.
fn denies(text: &str) -> bool {
    if text.starts_with('#') {
        return ["deny", "forbid"].iter().any(|level| text.contains(&format!("{level}(")));
    }
    ARGUMENTS.iter().any(|option| text.trim_start_matches('"').starts_with(option))
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
    }
}
