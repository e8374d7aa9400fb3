//! Holds candidates to the cause of a failure: finds the neighbours of a program, small changes with which it passes.
//!
//! A program that keeps only the words of its failure may fail for another reason. One that also passes with the same change
//! has the same cause (Zeller, *Isolating Cause-Effect Chains from Computer Programs*, 2002: a cause is a difference).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use mcve_transforms::{Decisions, Ended, Mutable, Reduction, Source, Tree, covers};

use super::checks::Checks;
use super::limits::Stop;
use super::mutants::{Passing, passing_mutants};
use super::queries::{query, reaches};
use super::refusal::Refusal;
use super::request::Query;
use super::suspects::{describe, line, rank, sort_suspects};
use super::values::same_values;
use crate::event::{Event, Observer};
use crate::exec::job::JobResult;
use crate::oracle::Condition;
use crate::oracle::run_conditions::{PassesChanged, SameValues};
use crate::program::{Change, Program};

/// At most so many changes of a rank show the cause: of more, most pass by accident.
const MOST: usize = 3;

/// The highest rank of a change that can show the cause: another operator, literal or condition passes by accident.
const HIGHEST: usize = 1;

/// How long the jobs that look for neighbours may take in all.
const LONGEST: Duration = Duration::from_secs(25);

/// A failing program whose cause is to be held.
pub(crate) struct Cause<'p> {
    /// The unreduced program.
    pub(crate) whole: &'p Program,
    /// What is left of it, traced to it.
    pub(crate) left: &'p Program,
    /// The same, traced to itself.
    pub(crate) program: &'p Program,
    /// Versions that pass, with the words for each change, if any are known.
    pub(crate) fixed: &'p [(Program, String)],
}

impl Cause<'_> {
    /// Holds candidates to the cause as far as that is known, and reports it: to the expression that fails, to the values on the way, to
    /// what ran more than once, and to the neighbours. The user knows one, or says how else it passes; otherwise mcve looks for them where a check
    /// runs the program. Where the failure shows in some of the runs only, the expression is all that is held, as another run may end in another
    /// way. Returns the words for the changes that are held. Fails when a fixed version does not pass, or the search has to stop.
    pub(crate) fn hold(&self, checks: &mut Checks, observer: &mut dyn Observer) -> Result<Vec<String>, Refusal> {
        let Self { program, fixed, .. } = self;
        let job = checks.oracle().job(program);
        let Some(failing) = query(checks, Query::Check, program, Some(job))? else { return Ok(Vec::new()) };
        let mut held = Vec::new();
        match checks.oracle().at_place(program, &failing) {
            Some(oracle) => checks.judge_by(oracle),
            None if checks.flaky().is_none() => held.extend(ends_at(checks, program, &failing)?),
            None => {}
        }
        let mut found = Found::default();
        for (fixed, shown) in *fixed {
            found.neighbours.push(known_neighbour(checks, program, fixed, shown)?);
        }
        if fixed.is_empty() && !checks.oracle().says_how_it_passes() && checks.flaky().is_none() {
            let message = "looking for small changes with which it passes".to_owned();
            observer.event(&Event::Note { message });
            found = self.find_neighbours(checks)?;
        }
        let has_cause = !found.neighbours.is_empty();
        let is_steady = checks.flaky().is_none();
        let values = if is_steady { same_values(checks, program, &failing, has_cause)? } else { None };
        observer.event(&Event::Note { message: describe_cause(values.as_ref(), &found) });
        held.extend(values.map(|condition| Arc::new(condition) as Arc<dyn Condition>));
        let (conditions, shown): (Vec<_>, Vec<String>) =
            found.neighbours.into_iter().map(|Neighbour { condition, shown }| (condition, shown)).unzip();
        held.extend(conditions);
        if !held.is_empty() {
            let failure = Arc::clone(checks.oracle());
            let conditions = failure.conditions().iter().cloned().chain(held).collect();
            checks.judge_by(failure.with_others(conditions));
        }
        Ok(shown)
    }

    /// The mutants with which the program passes, and whether all tests pass with them: also those that are gone.
    fn passing(&self, checks: &mut Checks) -> Result<Passing, Stop> {
        let is_reached = reaches(checks, self.program)?;
        let mut passing = passing_mutants(checks, self.program, Mutable::CodeAndInput, &is_reached, LONGEST)?;
        if passing.mutants.is_empty() || self.program.text == self.whole.text {
            return Ok(passing);
        }
        let before = |mutant: &Reduction| {
            let site = self.whole_site(&mutant.site)?;
            Some((site, mutant.edits.iter().map(|edit| edit.text.clone()).collect::<Vec<_>>()))
        };
        let known: HashMap<_, _> =
            passing.mutants.drain(..).filter_map(|mutant| Some((before(&mutant)?, mutant))).collect();
        let is_known = |bytes: &Range<usize>| known.keys().any(|(site, _)| covers(bytes, site) || covers(site, bytes));
        let of_whole = passing_mutants(checks, self.whole, Mutable::CodeAndInput, &is_known, LONGEST)?;
        let same = |mutant: &Reduction| {
            let texts = mutant.edits.iter().map(|edit| edit.text.clone()).collect();
            known.get(&(mutant.site.clone(), texts)).cloned()
        };
        Ok(Passing { mutants: of_whole.mutants.iter().filter_map(same).collect(), pass_all: of_whole.pass_all })
    }

    /// The bytes of the unreduced program that these of the program were.
    fn whole_site(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        if bytes.is_empty() {
            let end = self.left.origin_of(bytes.start.checked_sub(1)?)?.end;
            return Some(end..end);
        }
        Some(self.left.origin_of(bytes.start)?.start..self.left.origin_of(bytes.end - 1)?.end)
    }

    /// The changes with which the program passes. They show the cause where all tests pass with them, and where they are few of their rank.
    fn find_neighbours(&self, checks: &mut Checks) -> Result<Found, Stop> {
        let (mut found, program) = (Found::default(), self.program);
        if checks.oracle().as_run().is_none() {
            return Ok(found);
        }
        let Passing { mut mutants, pass_all } = self.passing(checks)?;
        sort_suspects(&program.text, &mut mutants);
        let Some(first) = mutants.first() else { return Ok(found) };
        let shown = |mutant: &Reduction| format!("{} in {}", describe(&program.text, mutant), line(program, mutant));
        let rank_of = |mutant: &Reduction| rank(&program.text, mutant);
        let least = rank_of(first);
        let of_rank = mutants.iter().filter(|mutant| rank_of(mutant) == least).count();
        if !pass_all || least > HIGHEST || of_rank > MOST {
            found.other = Some((shown(first), mutants.len() - 1));
            return Ok(found);
        }
        let passes = checks.oracle().with_time_to_pass();
        for mutant in &mutants[..of_rank] {
            let changed = program.reduced_by([mutant]);
            let Some(result) = query(checks, Query::Values, &changed, Some(passes.job(&changed)))? else { continue };
            let change = Change::between(&program.text, &changed.text);
            let decisions = decisions(program, &mutant.site);
            let condition = checks.oracle().as_run().map(|run| run.passes_with(change, decisions, &result));
            let condition = condition.filter(|condition| condition.broken(&result, &result).is_none());
            found.neighbours.extend(condition.map(|condition| Neighbour { condition, shown: shown(mutant) }));
        }
        Ok(found)
    }
}

/// The neighbour of `program` that has the source of `fixed`, with these words for the change.
fn known_neighbour(checks: &mut Checks, program: &Program, fixed: &Program, shown: &str) -> Result<Neighbour, Refusal> {
    // The lists at the end are no source: arguments, files of data.
    let changed = program.with_text(fixed.text[..fixed.lists()].to_owned() + &program.text[program.lists()..]);
    if !changed.is_whole() {
        return Err(Refusal::FixedFails("it has other files".to_owned()));
    }
    let change = Change::between(&program.text, &changed.text);
    let oracle = Arc::clone(checks.oracle());
    let judge = oracle.with_time_to_pass();
    let Some(result) = query(checks, Query::Values, &changed, Some(judge.job(&changed)))? else {
        return Err(Refusal::FixedFails("it cannot be checked".to_owned()));
    };
    let decisions = decisions(program, &changed_bytes(&program.text, &changed.text));
    let condition = match oracle.as_run() {
        Some(run) => run.passes_with(change, decisions, &result),
        None => Arc::new(PassesChanged { change, decisions: Vec::new(), oracle }),
    };
    match condition.broken(&result, &result) {
        Some(why) => Err(Refusal::FixedFails(why)),
        None => Ok(Neighbour { condition, shown: shown.to_owned() }),
    }
}

/// What has to stay with a change of these bytes: one of each of these tokens of `program`.
fn decisions(program: &Program, changed: &Range<usize>) -> Vec<Vec<Range<usize>>> {
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    Decisions::of(&tree).around(&tree, changed)
}

/// The bytes of `text` from the first to the last in which it differs from `other`.
fn changed_bytes(text: &str, other: &str) -> Range<usize> {
    let same = |bytes: &mut dyn Iterator<Item = (u8, u8)>| bytes.take_while(|(one, other)| one == other).count();
    let start = same(&mut text.bytes().zip(other.bytes()));
    let end = same(&mut text.bytes().rev().zip(other.bytes().rev()));
    let changed = &text[start..(text.len() - end).max(start)];
    let start = start + changed.len() - changed.trim_start().len();
    start..start + changed.trim().len()
}

/// A program that passes, next to one that fails.
struct Neighbour {
    /// The condition that a candidate passes with the change.
    condition: Arc<dyn Condition>,
    /// The words for the change.
    shown: String,
}

/// The changes with which a program passes.
#[derive(Default)]
struct Found {
    /// Those that show the cause, which are held.
    neighbours: Vec<Neighbour>,
    /// The words for another one, and how many more there are. They may pass by accident.
    other: Option<(String, usize)>,
}

/// The words for what is kept of the cause, and for a change that is not.
fn describe_cause(values: Option<&SameValues>, found: &Found) -> String {
    let is_repeated = values.is_some_and(|condition| !condition.repeated.is_empty());
    let before = if is_repeated { "; the code that fails had run before" } else { "" };
    let shown: Vec<&str> = found.neighbours.iter().map(|neighbour| &*neighbour.shown).collect();
    let kept = match values {
        _ if !shown.is_empty() => format!("kept as the cause: it passes with {}", shown.join("; with ")),
        Some(_) => format!("kept: the values that the run computes, and what decides in it{before}"),
        None => "nothing shows the cause, so the result may fail for another reason".to_owned(),
    };
    let other = found.other.as_ref().map(|(shown, others)| match others {
        0 => format!(" (it passes with {shown}, perhaps by accident)"),
        1 => format!(" (it passes with {shown}, or with another change, perhaps by accident)"),
        _ => format!(" (it passes with {shown}, or with {others} other changes, perhaps by accident)"),
    });
    kept + &other.unwrap_or_default()
}

/// The condition that the run of `program` ends by the same statement, for a failure that names no place.
fn ends_at(checks: &mut Checks, program: &Program, failing: &JobResult) -> Result<Option<Arc<dyn Condition>>, Stop> {
    let condition = |checks: &Checks, ended| checks.oracle().as_run()?.ends_at(program, ended);
    let job = condition(checks, Ended::default()).and_then(|any| any.job(program, failing).ok());
    let Some(job) = job else { return Ok(None) };
    let result = query(checks, Query::Values, program, Some(job))?;
    let ended = result.and_then(|result| Ended::read(&String::from_utf8_lossy(&result.stdout)));
    Ok(ended.and_then(|ended| condition(checks, ended)))
}
