//! Finds the statements that the failing run does not need, in runs of one compiled program.

use mcve_transforms::Reduction;

use crate::check::limits::Stop;
use crate::check::switches::statements;
use crate::search::engine::Search;
use crate::search::filters::Phase;

/// The deletions of statements that the failing run does not need, all together. The filters learn that the others do not apply.
pub(super) fn unneeded(search: &mut Search<'_>, deletions: Vec<Reduction>) -> Result<Vec<Reduction>, Stop> {
    if search.phase() != Phase::Passes {
        return Ok(Vec::new());
    }
    let deletions = search.worth_proposing(deletions);
    let sites = deletions.iter().map(|deletion| deletion.site.clone()).collect();
    let (best, algorithm) = (search.best().clone(), search.course.algorithm);
    let statements = statements(&mut search.checks, &best, &sites, algorithm)?;
    let (unneeded, rest): (Vec<Reduction>, Vec<Reduction>) =
        deletions.into_iter().partition(|deletion| statements.unneeded.contains(&deletion.site));
    for needed in rest.iter().filter(|deletion| statements.needed.contains(&deletion.site)) {
        search.course.filters.reject(&best, needed);
    }
    Ok(unneeded)
}
