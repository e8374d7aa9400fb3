//! The common part of `mcve isolate` and `mcve repair`: from a failing program to two versions, one of which passes.

use std::sync::Arc;
use std::time::Instant;

use mcve_transforms::Transform;

use crate::check::baseline::{Runs, baseline};
use crate::check::checks::Checks;
use crate::check::limits::{Limits, Stop};
use crate::check::refusal::Refusal;
use crate::event::{Ending, Event, Observer, PairFound};
use crate::exec::job::{ExecError, Executor};
use crate::isolate::{Cause, IsolationPair, NoPassingVersion};
use crate::oracle::{FailureId, Oracle};
use crate::program::Program;
use mcve_dd::general::Mode;

/// The settings of a search for a pair.
pub struct Config {
    /// The program that fails.
    pub program: Program,
    /// Judges candidates.
    pub oracle: Arc<dyn Oracle>,
    /// Runs checks.
    pub executor: Arc<dyn Executor>,
    /// How the program is checked at the start.
    pub runs: Runs,
    /// How many checks run at once.
    pub jobs: usize,
    /// The limits that stop the search early.
    pub limits: Limits,
    /// The transforms to use.
    pub transforms: Vec<&'static Transform>,
}

/// Why there is no pair.
#[derive(Debug)]
pub enum Refused {
    /// The program does not fail, or not always, or there was no verdict; or the search had to stop before a version passed.
    Baseline(Refusal),
    /// Even an empty program fails.
    EmptyFails,
    /// No version passes.
    NothingPasses,
}

/// Looks for two versions of the program that differ as little as possible, by the rules of `mode`.
pub(super) fn pair(config: Config, mode: Mode, observer: &mut dyn Observer) -> Result<PairFound, Refused> {
    let Config { program, oracle, executor, runs, jobs, limits, transforms } = config;
    let start = Instant::now();
    let stopped = |stop| Refused::Baseline(Refusal::Stop(stop));
    let checks = Checks::new(Arc::clone(&oracle), executor, jobs, limits).map_err(|source| {
        let doing = "cannot start the threads that check, fewer of them by --jobs".to_owned();
        stopped(Stop::Exec(ExecError { doing, source }))
    });
    let mut checks = checks?.holding_passing();
    checks.demand_certainty();
    // A version must pass for certain. For a program that fails by chance, a pass would only be likely.
    let runs = Runs { refuse_flaky: true, ..runs };
    baseline(&mut checks, &program, runs, None, observer).map_err(Refused::Baseline)?;
    let (measure, lines) = program.size();
    let (FailureId { words: failure, fingerprint }, shown) = (oracle.failure(), oracle.advice().failures());
    let fingerprint = fingerprint.map(|fingerprint| fingerprint.to_string());
    observer.event(&Event::Baseline { failure, fingerprint, shown, measure, lines });

    let mut pair = IsolationPair::new(program.clone(), mode, transforms, checks, observer);
    let ending = match pair.begin().and_then(|()| pair.refine().map_err(NoPassingVersion::Stop)) {
        Ok(()) => Ending::Complete,
        Err(NoPassingVersion::EmptyFails) => return Err(Refused::EmptyFails),
        Err(NoPassingVersion::NothingPasses) => return Err(Refused::NothingPasses),
        Err(NoPassingVersion::Stop(Stop::Budget)) if pair.is_paired() => Ending::Budget,
        Err(NoPassingVersion::Stop(Stop::Interrupted)) if pair.is_paired() => Ending::Interrupted,
        Err(NoPassingVersion::Stop(stop)) => return Err(stopped(stop)),
    };
    let found = PairFound {
        ending,
        one_minimal: ending == Ending::Complete,
        tokens: pair.distance().tokens,
        failing: pair.failing(),
        passing: pair.passing(),
        causes: pair.causes().iter().map(Cause::to_string).collect(),
        checks: pair.checks(),
        wall: start.elapsed(),
        failure: oracle.failure().words,
    };
    pair.observer.event(&Event::PairFound(Box::new(found.clone())));
    Ok(found)
}
