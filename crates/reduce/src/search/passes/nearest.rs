//! The nearest program that passes: a single reduction of the best program with which the failure is gone.
//!
//! A program that fails and one that passes, as near as can be, explain a failure better than the failing one alone (Zeller and
//! Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002).

use super::schedule::Schedule;
use crate::check::limits::Stop;
use crate::check::queries::passes;
use crate::oracle::Verdict;
use crate::oracle::WORKS;
use crate::program::{Change, Program};
use crate::search::engine::Search;
/// What leaves a place open: a program with one more of them says nothing about what stood there.
const OPEN: [&str; 3] = ["todo!(", "panic!(", "loop {}"];

/// The number of programs that are checked again.
const CHECKED: usize = 3;

/// Finds the change to the nearest passing program that the proof has checked, where passing means being valid.
pub(crate) fn find(search: &mut Search<'_>, schedule: &Schedule) -> Result<(), Stop> {
    if search.checks.is_replica() || !search.checks.oracle().properties().passes_if_valid {
        return Ok(());
    }
    let (best, size) = (search.best().clone(), search.measure().tokens);
    let mut passing: Vec<(bool, usize, usize, Program)> = Vec::new();
    for pass in schedule.all() {
        let transforms = search.transforms_of(&pass);
        for reduction in search.reductions(&transforms)? {
            let program = best.reduced_by([&reduction]);
            let verdict = search.checks.known_verdict(&program).filter(Verdict::is_passing);
            if let Some(verdict) = verdict.filter(|_| says_something(&best, &program)) {
                let tokens = size.saturating_sub(program.measure().tokens);
                // Where a suggestion is wrong, one that is right says more than none.
                passing.push((verdict.reason != WORKS, tokens, reduction.site.len(), program));
            }
        }
    }
    passing.sort_by_key(|(is_gone, tokens, bytes, _)| (*is_gone, *tokens, *bytes));
    for (_, _, _, program) in passing.into_iter().take(CHECKED) {
        if passes(&mut search.checks, &program)?.is_some() {
            search.nearest = Some((Change::between(&best.text, &program.text), best.traced()));
            return Ok(());
        }
    }
    Ok(())
}

/// Whether a program that passes says something about `best`: there is code left, and no more places are left open.
fn says_something(best: &Program, program: &Program) -> bool {
    let open = |program: &Program| OPEN.iter().map(|open| program.text.matches(open).count()).sum::<usize>();
    let code = program.text[..program.lists()].lines().filter(|line| !line.trim_start().starts_with("#!["));
    let code: String = code.flat_map(str::split_whitespace).collect();
    let is_empty_function = code.contains("fn") && code.ends_with("(){}") && code.matches('{').count() == 1;
    open(program) <= open(best) && !code.is_empty() && !is_empty_function
}
