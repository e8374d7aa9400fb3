//! Keeps in one step what the failure needs, by names and by the errors of a compiler.

use std::ops::Range;
use std::sync::Arc;

use mcve_transforms::{Analysis, Complaint, Dependencies, Reduction, Tree, blanked};

use crate::check::limits::Stop;
use crate::check::queries::complaints;
use crate::program::Program;
use crate::search::engine::Search;
use crate::search::filters::Phase;
use crate::search::tester::KeepListTester;
use mcve_dd::keep_list::KeepList;
use mcve_dd::tester::Tester;

/// A program with fewer parts than this is bisected as soon as it is focused.
const FOCUSED: usize = 48;

/// Keeps what the failure names with what that needs: the smallest slice that fails.
pub(super) fn focus(search: &mut Search<'_>, reductions: &[Reduction]) -> Result<(), Stop> {
    if reductions.len() < FOCUSED || search.course.is_focused {
        return Ok(());
    }
    let sites: Vec<_> = reductions.iter().map(|reduction| reduction.site.clone()).collect();
    let Some(places) = search.course.feedback.places(&mut search.checks, &search.best)? else { return Ok(()) };
    let (best, source) = (search.best().clone(), search.best.source());
    let tree = search.checks.clock.in_time(|| Tree::new(&source))?;
    let dependencies = search.checks.clock.in_time(|| Dependencies::of(&Analysis::of(&tree), &sites))?;
    let slices = search.checks.clock.in_time(|| dependencies.slices(&places.bytes, &places.names))?;
    let mut lists = slices.iter().map(|slice| KeepList::of(sites.len(), slice.clone()));
    if KeepListTester::new(search, reductions).first(&mut lists)?.is_some() {
        return Ok(());
    }
    // The slices lack something that no name shows, or are too large to help: a compiler says what the smallest one lacks.
    let Some(smallest) = slices.into_iter().next() else { return Ok(()) };
    let mut mending = dependencies.mending(smallest);
    let (mut fewest, mut without_progress) = (usize::MAX, 0);
    while without_progress < MOST_WITHOUT_PROGRESS {
        let (_, complaints) = missing(search, &best, reductions, &mending.kept)?;
        without_progress = if complaints.len() < fewest { 0 } else { without_progress + 1 };
        fewest = fewest.min(complaints.len());
        if !search.checks.clock.in_time(|| dependencies.mend(&mut mending, &complaints))? {
            break;
        }
        let keep = KeepList::of(sites.len(), mending.kept.clone());
        if KeepListTester::new(search, reductions).first(&mut std::iter::once(keep))?.is_some() {
            break;
        }
    }
    Ok(())
}

/// The focus gives up after this many answers in a row without fewer complaints than any before.
const MOST_WITHOUT_PROGRESS: usize = 3;

/// How often a compiler is asked for missing items.
const MENDINGS: usize = 24;

/// Keeps what runs with what that needs: by names at first, then also what a compiler misses.
pub(super) fn keep_what_runs(search: &mut Search<'_>, reductions: &[Reduction]) -> Result<(), Stop> {
    let may_ask = search.course.feedback.knows_what_runs && search.phase() == Phase::Passes;
    if reductions.len() < FOCUSED || !may_ask {
        return Ok(());
    }
    let sites: Vec<_> = reductions.iter().map(|reduction| reduction.site.clone()).collect();
    let not_reached: Vec<Range<usize>> = search.not_reached()?.iter().map(|hint| hint.site.clone()).collect();
    let (best, source) = (search.best().clone(), search.best.source());
    let tree = search.checks.clock.in_time(|| Tree::new(&source))?;
    let mut dependencies = search.checks.clock.in_time(|| Dependencies::of(&Analysis::of(&tree), &sites))?;
    dependencies.note_not_reached(&not_reached);
    let oracle = Arc::clone(search.checks.oracle());
    for mut mending in dependencies.running(oracle.as_run().and_then(|run| run.runner.target.test())) {
        for _ in 0..MENDINGS {
            let (keep, complaints) = missing(search, &best, reductions, &mending.kept)?;
            if complaints.is_empty() {
                if KeepListTester::new(search, reductions).first(&mut std::iter::once(keep))?.is_some() {
                    search.course.is_focused = true;
                    return Ok(());
                }
                break;
            }
            if !dependencies.mend(&mut mending, &complaints) {
                break;
            }
        }
    }
    Ok(())
}

/// The list that keeps these reductions only, and what a compiler complains about in the program that it leaves.
fn missing(
    search: &mut Search<'_>,
    best: &Program,
    reductions: &[Reduction],
    kept: &[usize],
) -> Result<(KeepList, Vec<Complaint>), Stop> {
    let keep = KeepList::of(reductions.len(), kept.to_vec());
    let left = blanked(&best.text, keep.removed().map(|index| &reductions[index]));
    let complaints = complaints(&mut search.checks, &best.with_text(left))?;
    Ok((keep, complaints))
}
