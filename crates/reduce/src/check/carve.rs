//! Carves the innermost call that goes wrong out of a failing program: its test makes just this call.

use std::sync::Arc;

use mcve_transforms::{Analysis, Carving, Source, Tree, WrongCall, wrong_calls};

use super::checks::Checks;
use super::limits::Stop;
use super::queries::{instrumented, query, run_often};
use super::request::Query;
use crate::oracle::Oracle;
use crate::oracle::run::RunOracle;
use crate::program::Program;

/// A failing program whose `main` or test makes one call.
pub(crate) struct Carved {
    pub(crate) program: Program,
    /// The same with each change with which it passes.
    pub(crate) fixed: Vec<Program>,
    /// Judges its failure, which has other words.
    pub(crate) oracle: Arc<dyn Oracle>,
    /// The call and what is wrong with it, in words.
    pub(crate) words: String,
}

/// The innermost call of `program`, which is traced, that goes wrong, as its `main` or test. It fails, and passes with each change that
/// shows the cause. None where no such change is known, or no call can be written as Rust.
pub(crate) fn carve(checks: &mut Checks, program: &Program) -> Result<Option<Carved>, Stop> {
    let oracle = Arc::clone(checks.oracle());
    let Some(run) = oracle.as_run() else { return Ok(None) };
    let changed = |program: &Program| -> Vec<Program> {
        oracle.conditions().iter().filter_map(|condition| condition.changed(program)).collect()
    };
    let passing = changed(program);
    if passing.is_empty() {
        return Ok(None);
    }
    let Some(failing_calls) = calls(checks, program)? else { return Ok(None) };
    let mut passing_calls = Vec::new();
    for passing in &passing {
        let Some(calls) = calls(checks, passing)? else { return Ok(None) };
        passing_calls.push(calls);
    }
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    // Where `main` or the test looks at what calls return, one of them returns something wrong; else one does not return.
    let is_seen = run.failure.site.is_entry;
    let is_likely = |wrong: &WrongCall| is_seen || !wrong.returns();
    for wrong in wrong_calls(&failing_calls, &passing_calls).into_iter().filter(is_likely) {
        for text in wrong.carved(&tree, run.runner.target.test()) {
            let candidate = program.with_text(text);
            let result = query(checks, Query::Check, &candidate, Some(oracle.job(&candidate)))?;
            let own = result.and_then(|result| run.of_call(&candidate, &result, wrong.returns()));
            let Some(own) = own else { continue };
            let fixed = changed(&candidate);
            if fixed.len() == passing.len() && all_pass(checks, &own, &fixed)? {
                let words = wrong.to_string();
                return Ok(Some(Carved { program: candidate, fixed, oracle: Arc::new(own), words }));
            }
        }
    }
    Ok(None)
}

fn all_pass(checks: &mut Checks, run: &RunOracle, programs: &[Program]) -> Result<bool, Stop> {
    let passes = run.with_time_to_pass();
    for program in programs {
        let result = query(checks, Query::Check, program, Some(passes.job(program)))?;
        if !result.is_some_and(|result| run.runner.passes(&result)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The calls that a run of `program` reports; none where it cannot be made to report any.
fn calls(checks: &mut Checks, program: &Program) -> Result<Option<String>, Stop> {
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let mut carving = Carving::of(&names);
    let reporting = instrumented(checks, program, |errors| {
        errors.is_none_or(|errors| carving.remove(errors)).then(|| carving.program())
    })?;
    reporting.map(|reporting| run_often(checks, &reporting)).transpose()
}
