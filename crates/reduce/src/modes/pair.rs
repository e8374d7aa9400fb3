//! The common part of `mcve isolate` and `mcve repair`: from a failing program to two versions, one of which passes.

use std::sync::Arc;
use std::time::Instant;

use mcve_transforms::Transform;

use crate::check::baseline::{Runs, baseline};
use crate::check::checks::Checks;
use crate::check::limits::{Limits, Stop};
use crate::check::refusal::Refusal;
use crate::event::{Ending, Event, Observer, PairFound};
use crate::exec::job::Executor;
use crate::isolate::IsolationPair;
pub use crate::isolate::NoPair;
use crate::oracle::{FailureId, Oracle};
use crate::program::{Language, Program};
use crate::sentence::Sentences;
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
    /// The grammar of a text that is not Rust, of which each candidate is a sentence.
    pub sentences: Option<Arc<Sentences>>,
}

/// Looks for two versions of the program that differ as little as possible, by the rules of `mode`.
pub(super) fn pair(config: Config, mode: Mode, observer: &mut dyn Observer) -> Result<PairFound, NoPair> {
    let Config { program, oracle, executor, runs, jobs, limits, transforms, sentences } = config;
    let start = Instant::now();
    let mut checks = Checks::new(Arc::clone(&oracle), executor, jobs, limits)?.holding_passing();
    checks.demand_certainty();
    // A version must pass for certain. For a program that fails by chance, a pass would only be likely.
    let runs = Runs { refuse_flaky: true, ..runs };
    baseline(&mut checks, &program, runs, None, observer).map_err(NoPair::Baseline)?;
    let (measure, lines) = program.size();
    let (FailureId { words: failure, fingerprint }, shown) = (oracle.failure(), oracle.failures());
    observer.event(&Event::Baseline { failure, fingerprint, shown, measure, lines, unit: program.language.unit() });

    let mut pair = IsolationPair::new(program.clone(), mode, transforms, checks, observer);
    let searched = match (program.language, sentences) {
        (Language::Rust, _) => pair.begin().and_then(|()| Ok(pair.refine()?)),
        (Language::Text | Language::Bytes, Some(sentences)) => pair.by_grammar(&sentences),
        (Language::Text | Language::Bytes, None) => pair.by_text(),
    };
    let ending = match searched {
        Ok(()) => Ending::Complete,
        Err(NoPair::Baseline(Refusal::Stop(Stop::Budget))) if pair.is_paired() => Ending::Budget,
        Err(NoPair::Baseline(Refusal::Stop(Stop::Interrupted))) if pair.is_paired() => Ending::Interrupted,
        Err(none) => return Err(none),
    };
    let breaks =
        if mode == Mode::Maximise { pair.broken_tests(&pair.passing()).unwrap_or_default() } else { Vec::new() };
    let found = PairFound {
        ending,
        one_minimal: ending == Ending::Complete,
        tokens: pair.distance().tokens,
        failing: pair.failing(),
        passing: pair.passing(),
        causes: pair.causes(),
        breaks,
        others: pair.others(),
        checks: pair.checks(),
        wall: start.elapsed(),
        failure: oracle.failure().words,
    };
    pair.observer.event(&Event::PairFound(Box::new(found.clone())));
    Ok(found)
}
