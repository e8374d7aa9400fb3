//! The nearest program that passes: a single reduction of the best program with which the failure is gone.
//!
//! A program that fails and one that passes, as near as can be, explain a failure better than the failing one alone (Zeller and
//! Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002).

use super::schedule::Schedule;
use crate::check::limits::Stop;
use crate::check::queries::passes;
use crate::program::{Change, Program};
use crate::search::engine::Search;
use mcve_dd::outcome::Outcome;

/// The number of programs that are checked again.
const CHECKED: usize = 3;

/// Finds the change to the nearest program that passes among those that the proof has checked, where passing means that a program is
/// valid.
///
/// # Errors
/// When the search is to stop.
pub(crate) fn find(search: &mut Search<'_>, schedule: &Schedule) -> Result<(), Stop> {
    if search.checks.is_replica() || !search.checks.oracle().advice().properties().passes_if_valid {
        return Ok(());
    }
    let (best, size) = (search.best().clone(), search.measure().tokens);
    let mut passing: Vec<(usize, usize, Program)> = Vec::new();
    for pass in schedule.all() {
        let transforms = search.transforms_of(&pass);
        for reduction in search.reductions(&transforms)? {
            let program = best.reduced_by([&reduction]);
            if search.checks.known_outcome(&program) == Some(Outcome::Pass) {
                let tokens = size.saturating_sub(program.measure().tokens);
                passing.push((tokens, reduction.site.len(), program));
            }
        }
    }
    passing.sort_by_key(|(tokens, bytes, _)| (*tokens, *bytes));
    for (_, _, program) in passing.into_iter().take(CHECKED) {
        if passes(&mut search.checks, &program)? {
            search.nearest = Some((Change::between(&best.text, &program.text), best.traced()));
            return Ok(());
        }
    }
    Ok(())
}
