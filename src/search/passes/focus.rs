//! What the failure needs, told by names and by a compiler, is kept in one step.

use std::ops::Range;

use mcve_transforms::{Analysis, Dependencies, Reduction, Tree, blanked};

use crate::check::limits::Stop;
use crate::dd::keep_list::KeepList;
use crate::dd::tester::Tester;
use crate::search::engine::Search;
use crate::search::filters::Phase;

/// A program with fewer parts than this is bisected as soon as it is focused.
const FOCUSED: usize = 48;

/// Keeps what the failure names and what that needs: the first slice that fails, from the smallest.
///
/// # Errors
/// When the search has to stop.
pub(super) fn focus(search: &mut Search<'_>, reductions: &[Reduction]) -> Result<(), Stop> {
    if reductions.len() < FOCUSED {
        return Ok(());
    }
    let sites: Vec<_> = reductions.iter().map(|reduction| reduction.site.clone()).collect();
    let may_ask = search.state.knows_what_runs && search.phase() == Phase::Passes;
    if may_ask && keep_what_runs(search, reductions, &sites)? {
        return Ok(());
    }
    let Some(places) = search.places()? else { return Ok(()) };
    let source = search.source();
    let slices = || Dependencies::of(&Analysis::of(&Tree::new(&source)), &sites).slices(&places.bytes, &places.names);
    let slices = search.checks.in_time(slices)?;
    let mut slices = slices.into_iter().map(|slice| KeepList::of(sites.len(), slice));
    search.tester(reductions).first(&mut slices).map(drop)
}

/// How often a compiler is asked what is missing.
const MENDINGS: usize = 12;

/// Keeps what runs and what that needs: by names at first, then by what a compiler misses. Whether the failure is still there.
fn keep_what_runs(search: &mut Search<'_>, reductions: &[Reduction], sites: &[Range<usize>]) -> Result<bool, Stop> {
    let not_reached: Vec<Range<usize>> = search.not_reached()?.iter().map(|hint| hint.site.clone()).collect();
    let (best, source) = (search.best().clone(), search.source());
    let tree = search.checks.in_time(|| Tree::new(&source))?;
    let mut dependencies = search.checks.in_time(|| Dependencies::of(&Analysis::of(&tree), sites))?;
    dependencies.note_not_reached(&not_reached);
    for mut mending in dependencies.running() {
        for _ in 0..MENDINGS {
            let keep = KeepList::of(sites.len(), mending.kept.clone());
            let left = blanked(&best.text, keep.removed().map(|index| &reductions[index]));
            let complaints = search.checks.complaints(&best.with_text(left))?;
            if complaints.is_empty() {
                if search.tester(reductions).first(&mut std::iter::once(keep))?.is_some() {
                    return Ok(true);
                }
                break;
            }
            if !dependencies.mend(&mut mending, &complaints) {
                break;
            }
        }
    }
    Ok(false)
}
