//! Finds the statements that the failure of a program that is run needs: the program is compiled once, and each run switches some of
//! them off.

use std::collections::HashSet;
use std::ops::Range;

use mcve_transforms::{Mutants, Source, Tree, active_mutants};

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
use mcve_dd::algorithm::Algorithm;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;

/// How often statements whose switch does not compile are left out.
const REPAIRS: usize = 20;

/// One job makes so many runs: with more of them, more are useless once one fails.
const BATCH: usize = 16;

/// At most so many bytes of one job say what is switched off.
const BYTES: usize = 64 * 1024;

/// Which statements of a program its failure needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Statements {
    /// The statements without all of which it still fails as it does.
    pub(crate) unneeded: Vec<Range<usize>>,
    /// The statements each of which it needs once those are gone.
    pub(crate) needed: Vec<Range<usize>>,
}

/// Runs a program with statements switched off.
struct Switches<'c> {
    checks: &'c mut Checks,
    schema: Program,
    /// The number of each statement.
    numbers: Vec<usize>,
    /// The end of the program with all of them.
    expected: Option<(i32, String)>,
}

/// Finds which of the statements at `sites` the program needs to fail as it does, by `algorithm` over its runs. Nothing where a check
/// runs no program. Whether the program fails without the others is not certain: they may be needed for it to compile.
pub(crate) fn statements(
    checks: &mut Checks,
    program: &Program,
    sites: &HashSet<Range<usize>>,
    algorithm: Algorithm,
) -> Result<Statements, Stop> {
    let source = Source::parse(&*program.text);
    let tree = checks.timer().in_time(|| Tree::new(&source))?;
    let mut deletions = Mutants::deletions(&tree);
    for _ in 0..REPAIRS {
        let is_asked = |number: &usize| deletions.site(*number).is_some_and(|site| sites.contains(&site));
        let numbers: Vec<usize> = deletions.numbers().into_iter().filter(is_asked).collect();
        if numbers.is_empty() {
            break;
        }
        let text = deletions.schema(false);
        let schema = program.with_text(&*text.text);
        let Some(compiled) = ask_compiler(checks, Query::Lints, CompilerJob::Hints, &schema)? else { break };
        if compiled.end != End::Exited(0) {
            if deletions.remove(&text, &errors(&compiled, &schema), &reasons(&compiled, &schema)) {
                continue;
            }
            break;
        }
        let mut switches = Switches { checks: &mut *checks, schema, numbers, expected: None };
        let all = switches.run(&[String::new()])?.pop();
        let Some(Run { code, said, .. }) = all.filter(|run| ![0, LOOPS].contains(&run.code)) else { break };
        switches.expected = Some((code, said));
        let kept = algorithm.shrink(KeepList::full(switches.numbers.len()), &mut switches)?;
        let site = |index: &usize| deletions.site(switches.numbers[*index]);
        return Ok(Statements {
            unneeded: kept.removed().filter_map(|index| site(&index)).collect(),
            needed: kept.kept().iter().filter_map(site).collect(),
        });
    }
    Ok(Statements::default())
}

impl Switches<'_> {
    /// Runs the program once for each of `off`, with these statements switched off.
    fn run(&mut self, off: &[String]) -> Result<Vec<Run>, Stop> {
        self.checks.proceed()?;
        Ok(runs(self.checks, &self.schema, off, false)?.0)
    }
}

impl Tester<Stop> for Switches<'_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        let found = self.first(&mut std::iter::once(keep.clone()))?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, Stop> {
        let mut begin = 0;
        loop {
            let mut off: Vec<String> = Vec::new();
            while off.len() < BATCH && off.iter().map(String::len).sum::<usize>() < BYTES {
                let Some(keep) = keeps.next() else { break };
                off.push(active_mutants(&keep.removed().map(|index| self.numbers[index]).collect::<Vec<_>>()));
            }
            if off.is_empty() {
                return Ok(None);
            }
            let runs = self.run(&off)?;
            let found = runs.into_iter().find(|run| self.expected == Some((run.code, run.said.clone())));
            if let Some(run) = found {
                return Ok(Some(begin + run.value));
            }
            begin += off.len();
        }
    }
}
