//! Another version of a program, after which rustc fails: one with a small change.

use std::collections::HashSet;
use std::thread;

use mcve_transforms::{Analysis, Mutable, Mutants, Reduction, Source, Tree, enumerate, merged, transforms};

use super::error::FailureError;
use super::held::Found;
use super::lookup::{By, Lookup};
use crate::exec::job::JobResult;
use crate::oracle::Oracle;
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The most pairs of versions that are tried.
const MOST: usize = 4000;

/// A program with two versions.
struct Pair {
    program: Program,
    note: String,
}

impl Lookup<'_> {
    /// The failure of the program and another version of it. The error is `absent` where the program has versions already, does
    /// not compile, or none of the changes shows a failure.
    pub(super) fn with_version(&self, by: By<'_>, absent: FailureError) -> Result<Found, FailureError> {
        let versions = self.versions();
        let [first, .., last] = &versions[..] else { return Err(absent) };
        let has_versions = versions.iter().any(|version| self.program.text.contains(&**version));
        let Some(oracle) = self.accepted(by)?.filter(|_| !has_versions) else { return Err(absent) };
        let source = Source::parse(&*self.program.text);
        let changes = changes(&Tree::new(&source));
        let names = [&**first, &**last];
        let mut known = HashSet::new();
        let pairs =
            changes.iter().flat_map(|change| [false, true].map(|is_before| self.pair(change, is_before, names)));
        let mut pairs = pairs.flatten().filter(|pair| known.insert(pair.program.hash()));
        let executor = self.session.executor();
        let limit = self.limit();
        let check = |pair: &Pair| executor.run(&oracle.job(&pair.program), limit, self.cancel);
        loop {
            let batch: Vec<Pair> = pairs.by_ref().take(self.session.jobs.max(1)).collect();
            if batch.is_empty() {
                return Err(absent);
            }
            self.session.limits.proceed()?;
            let results: Vec<_> = thread::scope(|scope| {
                let running: Vec<_> = batch.iter().map(|pair| scope.spawn(|| check(pair))).collect();
                running.into_iter().map(|check| check.join().expect("a check does not panic")).collect()
            });
            for (pair, result) in batch.iter().zip(results) {
                let result: JobResult = result?;
                self.session.limits.proceed()?;
                if oracle.verdict(&result).outcome != Outcome::Fail {
                    continue;
                }
                let found = Lookup { program: &pair.program, ..*self }.find_with_conditions(by);
                if let Ok(mut found) = found {
                    found.notes.push(pair.note.clone());
                    return Ok(found);
                }
            }
        }
    }

    /// The oracle of the first way of compiling the program in which it has no errors.
    fn accepted(&self, by: By<'_>) -> Result<Option<std::sync::Arc<dyn Oracle>>, FailureError> {
        let Some(kind) = by.kinds.first() else { return Ok(None) };
        for rustc in self.tries(by.ways, by.editions, kind.is_of_run()) {
            let rustc = if kind.is_of_run() { rustc } else { rustc.with_emit("obj") };
            let oracle = kind.oracle(&rustc, None);
            if oracle.verdict(&self.result(&*oracle)?).outcome == Outcome::Pass {
                return Ok(Some(oracle));
            }
        }
        Ok(None)
    }

    /// The program with a changed version of it, compiled before or after it; none where they cannot be one program.
    fn pair(&self, change: &Reduction, is_before: bool, names: [&str; 2]) -> Option<Pair> {
        let (text, changed) = (&*self.program.text, self.program.reduced_by([change]));
        let [first, second] = if is_before { [&*changed.text, text] } else { [text, &*changed.text] };
        let text = merged(first, second, names).filter(|text| names.iter().any(|name| text.contains(name)))?;
        let line = self.program.text[..change.site.start].matches('\n').count() + 1;
        let program = Some(self.program.with_text(text)).filter(Program::is_whole)?;
        let place = if is_before { "before" } else { "after" };
        let change = change.transform.summary();
        let note = format!("a version with one change in line {line} is compiled {place} the program: {change}");
        Some(Pair { program, note })
    }
}

/// The small changes of a program: reductions and mutants; of more than [`MOST`], those that are spread evenly over it.
fn changes(tree: &Tree<'_>) -> Vec<Reduction> {
    let analysis = Analysis::of(tree);
    let mutants = Mutants::of(tree, Mutable::CodeAndInput, &|_| true);
    let mutants = mutants.numbers().into_iter().filter_map(|number| mutants.change(number));
    let all: Vec<Reduction> =
        transforms().flat_map(|transform| enumerate(&analysis, transform)).chain(mutants).collect();
    let step = (2 * all.len()).div_ceil(MOST).max(1);
    all.into_iter().step_by(step).collect()
}
