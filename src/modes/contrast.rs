//! What `mcve isolate` and `mcve repair` have in common: from a program that fails to two, of which one passes.

use std::sync::Arc;
use std::time::Instant;

use mcve_transforms::Transform;

use crate::check::baseline::{Refusal, Runs, baseline};
use crate::check::checks::Checks;
use crate::check::limits::{Limits, Stop};
use crate::dd::general::Mode;
use crate::event::{Contrasted, Ending, Event, Observer};
use crate::exec::job::{ExecError, Executor};
use crate::isolate::{Cause, Contrast, NoGround};
use crate::oracle::Oracle;
use crate::program::Program;

/// What a contrast is looked for in, and how.
pub struct Config {
    /// The program that fails.
    pub program: Program,
    /// Judges candidates.
    pub oracle: Arc<dyn Oracle>,
    /// Runs checks.
    pub executor: Arc<dyn Executor>,
    /// How the program is checked at the beginning.
    pub runs: Runs,
    /// How many checks run at once.
    pub jobs: usize,
    /// When the search stops before its end.
    pub limits: Limits,
    /// The transforms to use.
    pub transforms: Vec<&'static Transform>,
}

/// Why there is no contrast.
#[derive(Debug)]
pub enum Refused {
    /// The program does not fail, or not always, or no verdict could be had; or the search was to stop before there was a
    /// version that passes.
    Baseline(Refusal),
    /// Even an empty program fails.
    EmptyFails,
    /// No version passes.
    NothingPasses,
}

/// Looks for two versions of the program that differ as little as possible, by the rules of `mode`.
pub(super) fn contrast(config: Config, mode: Mode, observer: &mut dyn Observer) -> Result<Contrasted, Refused> {
    let Config { program, oracle, executor, runs, jobs, limits, transforms } = config;
    let start = Instant::now();
    let stopped = |stop| Refused::Baseline(Refusal::Stop(stop));
    let checks = Checks::new(Arc::clone(&oracle), executor, jobs, limits).map_err(|source| {
        let doing = "cannot start the threads that check, fewer of them by --jobs".to_owned();
        stopped(Stop::Exec(ExecError { doing, source }))
    });
    let mut checks = checks?;
    checks.demand_certainty();
    baseline(&mut checks, &program, runs, None, observer).map_err(Refused::Baseline)?;
    let (measure, lines) = (program.measure(), program.text.lines().count());
    let (failure, shown) = (oracle.failure(), oracle.failures());
    observer.event(&Event::Baseline { failure, shown, measure, lines });

    let mut contrast = Contrast::new(program.clone(), mode, transforms, checks, observer);
    let ending = match contrast.begin().and_then(|()| contrast.refine().map_err(NoGround::Stop)) {
        Ok(()) => Ending::Complete,
        Err(NoGround::EmptyFails) => return Err(Refused::EmptyFails),
        Err(NoGround::NothingPasses) => return Err(Refused::NothingPasses),
        Err(NoGround::Stop(Stop::Budget)) if contrast.is_paired() => Ending::Budget,
        Err(NoGround::Stop(Stop::Interrupted)) if contrast.is_paired() => Ending::Interrupted,
        Err(NoGround::Stop(stop)) => return Err(stopped(stop)),
    };
    let contrasted = Contrasted {
        ending,
        one_minimal: ending == Ending::Complete,
        tokens: contrast.distance().tokens,
        failing: contrast.failing(),
        passing: contrast.passing(),
        causes: contrast.causes().iter().map(Cause::to_string).collect(),
        checks: contrast.checks(),
        wall: start.elapsed(),
        failure: oracle.failure(),
    };
    contrast.observer.event(&Event::Contrasted(Box::new(contrasted.clone())));
    Ok(contrasted)
}
