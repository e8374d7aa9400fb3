//! Finds the statements that the failing run does not need, in runs of one compiled program.

use mcve_transforms::Reduction;

use crate::check::limits::Stop;
use crate::check::switches;
use crate::event::Rejection;
use crate::search::engine::Search;
use crate::search::filters::Phase;

/// The deletions of statements that the failing run does not need, all together. The filters learn that the others do not apply.
pub(super) fn unneeded(search: &mut Search<'_>, deletions: Vec<Reduction>) -> Result<Vec<Reduction>, Stop> {
    if search.phase() != Phase::Passes {
        return Ok(Vec::new());
    }
    let deletions = search.worth_proposing(deletions);
    let best = search.best().clone();
    let (unneeded, needed) = switches::unneeded(&mut search.checks, &best, deletions)?;
    for needed in &needed {
        search.course.filters.reject(&best, needed);
    }
    for needed in needed.iter().filter(|_| search.is_watched()).collect::<Vec<_>>() {
        search.report(&best, needed, Some(Rejection::by("switches")));
    }
    Ok(unneeded)
}
