//! Finds the neighbours of a failing program: small changes with which it passes, in several functions.
//!
//! A program that keeps only the words of its failure may fail for another reason. One that also passes with the same change
//! has the same cause (Zeller, *Isolating Cause-Effect Chains from Computer Programs*, 2002: a cause is a difference).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use mcve_transforms::{Completed, Mutable, Reduction, Source, Tree, function};

use super::checks::Checks;
use super::limits::Stop;
use super::mutants::passing_mutants;
use super::queries::{query, reaches};
use super::request::Query;
use crate::event::{Event, Observer};
use crate::exec::job::JobResult;
use crate::oracle::Condition;
use crate::oracle::conditional::Conditional;
use crate::program::{Change, Program};
use mcve_dd::outcome::Outcome;

/// The number of functions in which a neighbour is kept.
const MOST: usize = 3;

/// The number of mutants of one function that are tried.
const TRIED: usize = 3;

/// Holds candidates to the neighbours of `program`, and reports them: each candidate must pass with each of these changes, which
/// are returned. They break the fewest other tests, and stand in different functions. There are none where a check runs no program,
/// or where the failure shows in some of the runs only.
///
/// # Errors
/// When the search has to stop.
pub(crate) fn hold_neighbours(
    mut checks: Checks,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<(Checks, Vec<Change>), Stop> {
    let (mut held, mut changes, mut shown) = (Vec::new(), Vec::new(), Vec::new());
    let job = checks.oracle().job(program);
    let failing = query(&mut checks, Query::Check, program, Some(job))?;
    if let Some(oracle) = failing.as_ref().and_then(|failing| checks.oracle().advice().at_place(program, failing)) {
        checks = checks.judged_by(oracle);
    }
    // Another run may end in another way.
    let completed = match failing.filter(|_| checks.flaky().is_none()) {
        Some(failing) => completed_before(&mut checks, program, &failing)?,
        None => None,
    };
    let passes = checks.oracle().advice().with_time_to_pass().filter(|_| checks.flaky().is_none());
    if let Some(passes) = passes {
        for mutants in mutants_by_function(&mut checks, program)? {
            if held.len() == MOST {
                break;
            }
            for mutant in mutants.iter().take(TRIED) {
                let changed = program.reduced_by([mutant]);
                let result = query(&mut checks, Query::Values, &changed, Some(passes.job(&changed)))?;
                if result.is_some_and(|result| passes.verdict(&result).outcome == Outcome::Pass) {
                    let change = Change::between(&program.text, &changed.text);
                    changes.push(change.clone());
                    let oracle = checks.oracle().advice().passes_with(change);
                    held.extend(oracle.map(|oracle| Condition { oracle, is_negated: false }));
                    shown.push(describe(&program.text, mutant));
                    break;
                }
            }
        }
    }
    if held.is_empty() && completed.is_none() {
        let message = "no small change makes it pass, so the result may fail for another reason".to_owned();
        observer.event(&Event::Note { message });
        return Ok((checks, changes));
    }
    let before = completed.as_ref().map(|_| "what fails had succeeded earlier in the run".to_owned());
    let passes = (!shown.is_empty()).then(|| format!("it passes with {}", shown.join("; with ")));
    let kept: Vec<String> = before.into_iter().chain(passes).collect();
    observer.event(&Event::Note { message: format!("kept as the cause: {}", kept.join("; ")) });
    let failure = Arc::clone(checks.oracle());
    let conditions = failure.advice().conditions().iter().cloned().chain(completed).chain(held).collect();
    Ok((checks.judged_by(Arc::new(Conditional { failure, conditions })), changes))
}

/// The condition that what fails was completed before in the same run, by the innermost such part of `program`.
fn completed_before(checks: &mut Checks, program: &Program, failing: &JobResult) -> Result<Option<Condition>, Stop> {
    let advice = |part| checks.oracle().advice().completes_before(part);
    let conditions: Vec<Condition> = [Completed::Statement, Completed::Function, Completed::Caller]
        .into_iter()
        .filter_map(advice)
        .map(|oracle| Condition { oracle, is_negated: false })
        .collect();
    let Some(job) = conditions.first().and_then(|first| first.job(program, failing).ok()) else { return Ok(None) };
    let result = query(checks, Query::Values, program, Some(job))?;
    Ok(result.and_then(|result| conditions.into_iter().find(|condition| condition.broken(&result).is_none())))
}

/// The mutants with which `program` passes, by function: those first that say most, of functions and in each.
fn mutants_by_function(checks: &mut Checks, program: &Program) -> Result<Vec<Vec<Reduction>>, Stop> {
    let is_reached = reaches(checks, program)?;
    let mutants = passing_mutants(checks, program, Mutable::CodeAndInput, &is_reached)?;
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let mut by_function: HashMap<usize, Vec<Reduction>> = HashMap::new();
    for mutant in mutants {
        by_function.entry(function(&tree, &mutant.site).start).or_default().push(mutant);
    }
    let mut functions: Vec<Vec<Reduction>> = by_function.into_values().collect();
    functions.iter_mut().for_each(|mutants| sort(&program.text, mutants));
    functions.sort_by_key(|mutants| (rank(&program.text, &mutants[0]), Reverse(mutants.len()), mutants[0].site.start));
    Ok(functions)
}

/// Sorts the mutants of a function: those of the line with the most mutants first, as a program is most likely wrong where
/// many changes repair it (Moon et al., *Ask the Mutants*, 2014); in a line those that say most.
fn sort(text: &str, mutants: &mut [Reduction]) {
    let line = |mutant: &Reduction| text[..mutant.site.start].rfind('\n');
    let mut counts: HashMap<Option<usize>, usize> = HashMap::new();
    mutants.iter().for_each(|mutant| *counts.entry(line(mutant)).or_default() += 1);
    mutants.sort_by_cached_key(|mutant| (Reverse(counts[&line(mutant)]), line(mutant), rank(text, mutant)));
}

/// The words for a mutant: what comes, and for what.
fn describe(text: &str, mutant: &Reduction) -> String {
    let quote = |text: &str| format!("`{}`", text.split_whitespace().collect::<Vec<_>>().join(" "));
    let part = |range: &Range<usize>, new: &str| match new.is_empty() {
        true => format!("{} deleted", quote(&text[range.clone()])),
        false => format!("{} in place of {}", quote(new), quote(&text[range.clone()])),
    };
    mutant.edits.iter().map(|edit| part(&edit.range, &edit.text)).collect::<Vec<_>>().join(", ")
}

/// How little a mutant says of the cause: another operator, number, variable or method says most, then a condition turned
/// round, then an expression or a statement less, or the other constant.
fn rank(text: &str, mutant: &Reduction) -> usize {
    let edits = mutant.edits.iter();
    let (removed, written): (Vec<&str>, Vec<&str>) = edits.map(|edit| (&text[edit.range.clone()], &*edit.text)).unzip();
    let (removed, written) = (removed.concat(), written.concat());
    match () {
        () if written.is_empty() || ["true", "false"].contains(&&*written) => 3,
        () if written.trim_start().starts_with('!') => 2,
        () if removed.contains(written.trim()) => 1,
        () => 0,
    }
}
