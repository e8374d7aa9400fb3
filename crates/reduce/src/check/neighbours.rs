//! Finds the neighbours of a failing program: small changes with which it passes, in several functions.
//!
//! A program that keeps only the words of its failure may fail for another reason. One that also passes with the same change
//! has the same cause (Zeller, *Isolating Cause-Effect Chains from Computer Programs*, 2002: a cause is a difference).

use std::cmp::Reverse;
use std::ops::Range;

use mcve_transforms::{Mutable, Reduction, Source, Syntax, Tree, range};
use syn::{ImplItem, Item, TraitItem};

use super::checks::Checks;
use super::limits::Stop;
use super::mutants::passing_mutants;
use super::queries::{query, reached};
use super::request::Query;
use crate::program::{Change, Program};
use mcve_dd::outcome::Outcome;

/// In so many functions a neighbour is looked for.
const MOST: usize = 3;

/// So many mutants of one function are tried.
const TRIED: usize = 3;

/// Changes with which the program passes and no other test fails that passed before, at most one in a function. Nothing where a
/// check runs no program, or the failure shows in some of the runs only.
///
/// # Errors
/// When the search has to stop.
pub(crate) fn neighbours(checks: &mut Checks, program: &Program) -> Result<Vec<Change>, Stop> {
    let oracle = checks.oracle().clone();
    let Some(passes) = oracle.advice().with_time_to_pass().filter(|_| checks.flaky().is_none()) else {
        return Ok(Vec::new());
    };
    let not_reached = reached(checks, program)?.map(|reached| reached.hints).unwrap_or_default();
    let is_run = |bytes: &Range<usize>| {
        !not_reached.iter().any(|hint| hint.site.start <= bytes.start && bytes.end <= hint.site.end)
    };
    let mutants = passing_mutants(checks, program, Mutable::CodeAndInput, &is_run)?;
    let source = Source::parse(&*program.text);
    let mut functions = by_function(&Tree::new(&source), mutants);
    functions.sort_by_key(|mutants| (rank(&program.text, &mutants[0]), Reverse(mutants.len())));
    let mut found = Vec::new();
    for mutants in functions {
        if found.len() == MOST {
            break;
        }
        for mutant in mutants.iter().take(TRIED) {
            let changed = program.reduced_by([mutant]);
            let result = query(checks, Query::Values, &changed, Some(passes.job(&changed)))?;
            if result.is_some_and(|result| passes.verdict(&result).outcome == Outcome::Pass) {
                found.push(Change::between(&program.text, &changed.text));
                break;
            }
        }
    }
    Ok(found)
}

/// The mutants of each function, those first that say most.
fn by_function(tree: &Tree<'_>, mutants: Vec<Reduction>) -> Vec<Vec<Reduction>> {
    let function = |syntax: Syntax<'_>| match syntax {
        Syntax::Item(Item::Fn(function)) => Some(range(function)),
        Syntax::ImplItem(ImplItem::Fn(function)) => Some(range(function)),
        Syntax::TraitItem(TraitItem::Fn(function)) => Some(range(function)),
        _ => None,
    };
    let functions: Vec<Range<usize>> = tree.nodes().filter_map(|node| function(node.syntax())).collect();
    let function = |mutant: &Reduction| {
        let around = functions.iter().filter(|at| at.start <= mutant.site.start && mutant.site.end <= at.end);
        around.min_by_key(|at| at.len()).cloned()
    };
    let mut of_functions: Vec<(Option<Range<usize>>, Vec<Reduction>)> = Vec::new();
    for mutant in mutants {
        let function = function(&mutant);
        match of_functions.iter_mut().find(|(other, _)| *other == function) {
            Some((_, mutants)) => mutants.push(mutant),
            None => of_functions.push((function, vec![mutant])),
        }
    }
    let text = tree.source().text();
    let mut all: Vec<Vec<Reduction>> = of_functions.into_iter().map(|(_, mutants)| mutants).collect();
    all.iter_mut().for_each(|mutants| sort(text, mutants));
    all
}

/// Sorts the mutants of a function: those of the line with the most mutants first, as a program is most likely wrong where
/// many changes repair it (Moon et al., *Ask the Mutants*, 2014); in a line those that say most.
fn sort(text: &str, mutants: &mut [Reduction]) {
    let line = |mutant: &Reduction| text[..mutant.site.start].matches('\n').count();
    let lines: Vec<usize> = mutants.iter().map(line).collect();
    let count = |mutant: &Reduction| lines.iter().filter(|other| **other == line(mutant)).count();
    mutants.sort_by_cached_key(|mutant| (Reverse(count(mutant)), line(mutant), rank(text, mutant)));
}

/// How little a mutant says of the cause: another operator, number, variable or method says most, then a condition turned
/// round, then an expression or a statement less.
fn rank(text: &str, mutant: &Reduction) -> usize {
    let edits = mutant.edits.iter();
    let (removed, written): (Vec<&str>, Vec<&str>) = edits.map(|edit| (&text[edit.range.clone()], &*edit.text)).unzip();
    let (removed, written) = (removed.concat(), written.concat());
    match () {
        () if written.is_empty() => 3,
        () if written.trim_start().starts_with('!') => 2,
        () if removed.contains(written.trim()) => 1,
        () => 0,
    }
}
