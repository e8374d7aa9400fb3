//! `mcve isolate` and `mcve repair`: from a failing program to two versions, one of which passes.

use std::sync::Arc;
use std::time::Instant;

use mcve_transforms::Transform;

use crate::check::baseline::{Runs, baseline};
use crate::check::checks::Checks;
use crate::check::limits::Stop;
use crate::check::refusal::Refusal;
use crate::event::{Ending, Event, Observer, PairFound};
use crate::failure::problem::Problem;
use crate::isolate::IsolationPair;
pub use crate::isolate::NoPair;
use crate::program::Language;
use crate::sentence::Sentences;
use crate::session::Session;
use mcve_dd::general::Mode;

/// What proposes versions of a program.
#[derive(Clone)]
pub struct Proposers {
    /// The transforms to use.
    pub transforms: Vec<&'static Transform>,
    /// The grammar of a text that is not Rust, of which each version is a sentence.
    pub sentences: Option<Arc<Sentences>>,
}

/// Two versions of the program, one that fails and one that passes, that differ as little as possible. To isolate, both move until
/// they meet (dd; Zeller, *Isolating Cause-Effect Chains from Computer Programs*, 2002). To repair, the program stays, and the other one
/// is the largest that passes (ddmax; Kirschner, Soremekun and Zeller, *Debugging Inputs*, 2020): the one that the fewest tokens were
/// taken from, or replaced in.
///
/// # Errors
/// When the program does not fail, or nothing of it passes, or a check cannot be run. An interrupt and a spent budget are
/// no errors once there is a version that passes.
pub fn pair(
    problem: &Problem,
    session: &Session,
    Proposers { transforms, sentences }: Proposers,
    mode: Mode,
    observer: &mut dyn Observer,
) -> Result<PairFound, NoPair> {
    let start = Instant::now();
    let Problem { program, oracle, runs, .. } = problem;
    // A version must pass for certain. For a program that fails by chance, a pass would only be likely.
    let runs = Runs { refuse_flaky: true, ..*runs };
    // A fork server would cost more than it spares of so few checks, each of which is to be certain.
    let checks = Checks::new(oracle.with_time_to_pass(), session.executor(), session.jobs, session.limits.clone())?;
    let mut checks = checks.holding_passing();
    checks.demand_certainty();
    baseline(&mut checks, program, runs, None, observer).map_err(NoPair::Baseline)?;
    problem.report(observer);
    let (pass, doing) = match mode {
        Mode::Maximise => ("repair", "looking for the smallest removal with which it passes"),
        _ => ("isolate", "narrowing what makes it fail"),
    };
    observer.event(&Event::PassStarted { pass, doing });

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
        seconds: start.elapsed().as_secs_f64(),
        failure: problem.oracle.failure().words,
    };
    pair.observer.event(&Event::PairFound(Box::new(found.clone())));
    Ok(found)
}
