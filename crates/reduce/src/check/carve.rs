//! Carves the innermost call that goes wrong out of a failing program: its test makes just this call.

use std::sync::Arc;

use mcve_transforms::{Analysis, Call, Carving, Source, Tree, carved, wrong_calls};

use super::checks::Checks;
use super::compiler_errors::errors;
use super::limits::Stop;
use super::queries::{ask_compiler, query, run_often};
use super::request::Query;
use crate::exec::job::End;
use crate::oracle::{CompilerJob, Oracle};
use crate::program::Program;

/// How often what does not compile is removed from a program that reports its calls.
const REPAIRS: usize = 8;

/// A failing program whose `main` or test makes one call.
pub(crate) struct Carved {
    pub(crate) program: Program,
    /// The same with the change with which it passes.
    pub(crate) fixed: Program,
    /// Judges its failure, which has other words.
    pub(crate) oracle: Arc<dyn Oracle>,
    /// The call and what is wrong with it, in words.
    pub(crate) words: String,
}

/// The innermost call of `program`, which is traced, that goes wrong, as its `main` or test. It fails, and passes with the change that
/// shows the cause. None where no such change is known, or no call can be written as Rust.
///
/// # Errors
/// When the search has to stop.
pub(crate) fn carve(checks: &mut Checks, program: &Program) -> Result<Option<Carved>, Stop> {
    let oracle = Arc::clone(checks.oracle());
    let Some(run) = oracle.as_run() else { return Ok(None) };
    // Of several changes it is not known which of them is right, and what the call has to return.
    if oracle.conditions().iter().filter(|condition| condition.changed(program).is_some()).count() != 1 {
        return Ok(None);
    }
    let changed = |program: &Program| oracle.conditions().iter().find_map(|condition| condition.changed(program));
    let Some(passing) = changed(program) else { return Ok(None) };
    let Some(failing_calls) = calls(checks, program)? else { return Ok(None) };
    let Some(passing_calls) = calls(checks, &passing)? else { return Ok(None) };
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    // Where `main` or the test looks at what calls return, one of them returns something wrong; else one does not return.
    let is_seen = run.failure.site.is_entry;
    let is_likely = |(wrong, _): &(Call, Call)| is_seen || wrong.returned.is_none();
    for (wrong, right) in wrong_calls(&failing_calls, &passing_calls).into_iter().filter(is_likely) {
        for text in carved(&tree, run.runner.target.test(), &wrong, &right) {
            let candidate = program.with_text(text);
            let result = query(checks, Query::Check, &candidate, Some(oracle.job(&candidate)))?;
            let own = result.and_then(|result| run.of_call(&candidate, &result, wrong.returned.is_some()));
            let Some((own, fixed)) = own.zip(changed(&candidate)) else { continue };
            let passes = own.with_time_to_pass();
            let result = query(checks, Query::Check, &fixed, Some(passes.job(&fixed)))?;
            if result.is_some_and(|result| own.runner.passes(&result)) {
                let words = describe(&wrong, &right);
                return Ok(Some(Carved { program: candidate, fixed, oracle: Arc::new(own), words }));
            }
        }
    }
    Ok(None)
}

fn describe(Call { text, returned }: &Call, right: &Call) -> String {
    match (returned, &right.returned) {
        (Some(returned), Some(right)) => format!("`{text}` gives `{returned}` in place of `{right}`"),
        _ => format!("`{text}` fails"),
    }
}

/// The calls that a run of `program` reports; none where it cannot be made to report any.
fn calls(checks: &mut Checks, program: &Program) -> Result<Option<String>, Stop> {
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let mut carving = Carving::of(&names);
    for _ in 0..REPAIRS {
        let reporting = program.with_text(carving.program());
        let compiled = ask_compiler(checks, Query::Lints, CompilerJob::Hints, &reporting)?;
        let Some(compiled) = compiled else { return Ok(None) };
        if compiled.end == End::Exited(0) {
            return run_often(checks, &reporting).map(Some);
        }
        if !carving.remove(&errors(&compiled, &reporting)) {
            break;
        }
    }
    Ok(None)
}
