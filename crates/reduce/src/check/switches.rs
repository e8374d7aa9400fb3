//! Finds the statements that the failure of a program that is run needs: the program is compiled once, and each run switches some of
//! them off.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use mcve_transforms::{Mutants, Reduction, Source, Tree, active_mutants};

use super::checks::Checks;
use super::compiler_errors::{errors, reasons};
use super::limits::Stop;
use super::mutants::{LOOPS, runs};
use super::queries::ask_compiler;
use super::request::Query;
use crate::exec::job::End;
use crate::oracle::CompilerJob;
use crate::oracle::runs::Run;
use crate::program::Program;
use mcve_dd::keep_list::KeepList;

/// How often statements whose switch does not compile are left out.
const REPAIRS: usize = 20;

/// At most so many runs are one job, which may take no longer than a check.
const BATCH: usize = 32;

/// At most so many bytes of one job say what is switched off: the system limits the length of an argument.
const BYTES: usize = 64 * 1024;

/// Finds which of these deletions of statements leave the failure of `program` as it is, by its runs: what is to be deleted, and which
/// others the failure needs then. Nothing where a check runs no program. Whether the program fails without those that are found is not
/// certain: others may be needed for it to compile.
pub(crate) fn unneeded(
    checks: &mut Checks,
    program: &Program,
    deletions: Vec<Reduction>,
) -> Result<(Vec<Reduction>, Vec<Reduction>), Stop> {
    let nothing = (Vec::new(), Vec::new());
    let sites = deletions.iter().map(|deletion| deletion.site.clone()).collect();
    let Some((schema, numbers)) = compiled(checks, program, &sites)? else { return Ok(nothing) };
    let switched = deletions.into_iter().filter_map(|deletion| Some((*numbers.get(&deletion.site)?, deletion)));
    let (numbers, deletions): (Vec<usize>, Vec<Reduction>) = switched.unzip();
    let oracle = Arc::clone(checks.oracle());
    let changed = oracle.conditions().iter().filter_map(|condition| condition.changed(&schema));
    let mut variants = Vec::new();
    for schema in std::iter::once(schema.clone()).chain(changed) {
        let Some(run) = Variant::run(&schema, checks, &[String::new()])?.pop() else { return Ok(nothing) };
        // The first one has to fail, and the others to pass: else a check decides whether the change still helps.
        if run.code != LOOPS && (run.code == 0) != variants.is_empty() {
            variants.push(Variant { schema, expected: (run.code, run.said) });
        } else if variants.is_empty() {
            return Ok(nothing);
        }
    }
    let mut switches = Switches { checks, numbers, variants };
    let kept = switches.shrink()?;
    let (mut gone, mut needed) = (Vec::new(), Vec::new());
    for (index, deletion) in deletions.into_iter().enumerate() {
        if kept.kept().binary_search(&index).is_ok() { &mut needed } else { &mut gone }.push(deletion);
    }
    Ok((gone, needed))
}

/// The numbers of switches, by the bytes of the statement that each switches off.
type Numbers = HashMap<Range<usize>, usize>;

/// `program` with switches for the statements at `sites`, as many as compile, and these; nothing if it does not compile.
fn compiled(
    checks: &mut Checks,
    program: &Program,
    sites: &HashSet<Range<usize>>,
) -> Result<Option<(Program, Numbers)>, Stop> {
    let source = Source::parse(&*program.text);
    let tree = checks.clock.in_time(|| Tree::new(&source))?;
    let mut deletions = Mutants::deletions(&tree);
    for _ in 0..REPAIRS {
        let switch = |number| Some((deletions.site(number).filter(|site| sites.contains(site))?, number));
        let numbers: Numbers = deletions.numbers().into_iter().filter_map(switch).collect();
        if numbers.is_empty() {
            break;
        }
        let text = deletions.schema(false);
        let schema = program.with_text(&*text.text);
        let Some(compiled) = ask_compiler(checks, Query::Lints, CompilerJob::Hints, &schema)? else { break };
        if compiled.end == End::Exited(0) {
            return Ok(Some((schema, numbers)));
        }
        if !deletions.remove(&text, &errors(&compiled, &schema), &reasons(&compiled, &schema)) {
            break;
        }
    }
    Ok(None)
}

/// A program in which statements can be switched off.
struct Variant {
    schema: Program,
    /// The exit code and the message of a run with all of them.
    expected: (i32, String),
}

impl Variant {
    /// Runs the program once for each of `off`, with these statements switched off.
    fn run(schema: &Program, checks: &mut Checks, off: &[String]) -> Result<Vec<Run>, Stop> {
        checks.proceed()?;
        Ok(runs(checks, schema, off, false)?.0)
    }

    /// The places in `off` of those with which a run ends as it should.
    fn ending(&self, checks: &mut Checks, off: &[String]) -> Result<Vec<usize>, Stop> {
        let mut runs = Self::run(&self.schema, checks, off)?;
        runs.retain(|run| (run.code, &*run.said) == (self.expected.0, &*self.expected.1));
        Ok(runs.into_iter().map(|run| run.value).collect())
    }
}

/// Runs a program with statements switched off: it has to fail as with them, and with each change that is the cause it has to pass.
struct Switches<'c> {
    checks: &'c mut Checks,
    /// The numbers of the deletions.
    numbers: Vec<usize>,
    /// The program, and that with each change.
    variants: Vec<Variant>,
}

impl Switches<'_> {
    /// Removes chunks of statements, then smaller ones, down to single ones. A run takes milliseconds and a job makes many, so all
    /// chunks of a size are tried on the same program, and those that can go are removed together, or as many of them as can.
    fn shrink(&mut self) -> Result<KeepList, Stop> {
        let mut kept = KeepList::full(self.numbers.len());
        let mut size = kept.len().next_power_of_two();
        while size > 0 && !kept.is_empty() {
            let before = kept.len();
            let chunks: Vec<Range<usize>> =
                (0..before).step_by(size).map(|start| start..before.min(start + size)).collect();
            let without: Vec<KeepList> = chunks.iter().map(|chunk| kept.without(chunk.clone())).collect();
            let ending = self.ending(&without)?;
            let removable: Vec<&[usize]> = ending.iter().map(|&place| &kept.kept()[chunks[place].clone()]).collect();
            let rest = self.without_most(kept.clone(), &removable)?;
            let is_smaller = rest.len() < before;
            kept = rest;
            // A single one may go once another one is gone.
            size = if size == 1 && is_smaller { 1 } else { size / 2 };
        }
        Ok(kept)
    }

    /// Removes as many of these chunks as can go together.
    fn without_most(&mut self, kept: KeepList, chunks: &[&[usize]]) -> Result<KeepList, Stop> {
        if chunks.is_empty() {
            return Ok(kept);
        }
        let is_left = |index: &usize| !chunks.iter().any(|chunk| chunk.contains(index));
        let rest = kept.kept().iter().copied().filter(is_left).collect();
        let rest = KeepList::of(kept.universe(), rest);
        if !self.ending(std::slice::from_ref(&rest))?.is_empty() {
            return Ok(rest);
        }
        if chunks.len() == 1 {
            return Ok(kept);
        }
        let (first, second) = chunks.split_at(chunks.len() / 2);
        let kept = self.without_most(kept, first)?;
        self.without_most(kept, second)
    }

    /// The places of those of `keeps` with which everything ends as it should.
    fn ending(&mut self, keeps: &[KeepList]) -> Result<Vec<usize>, Stop> {
        let mut places: Vec<usize> = (0..keeps.len()).collect();
        for variant in &self.variants {
            let off: Vec<(usize, String)> = places.iter().map(|&place| (place, self.off(&keeps[place]))).collect();
            let longest = off.iter().map(|(_, value)| value.len()).max().unwrap_or_default();
            let mut ending = Vec::new();
            for batch in off.chunks((BYTES / (longest + 1)).clamp(1, BATCH)) {
                let values: Vec<String> = batch.iter().map(|(_, value)| value.clone()).collect();
                ending.extend(variant.ending(self.checks, &values)?.into_iter().map(|index| batch[index].0));
            }
            places = ending;
        }
        Ok(places)
    }

    /// What switches off the statements that are not kept.
    fn off(&self, keep: &KeepList) -> String {
        active_mutants(&keep.removed().map(|index| self.numbers[index]).collect::<Vec<_>>())
    }
}
