//! Counts what a search does, by transform: a filter behind all others sees each candidate that is checked, and what comes of it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcve_reduce::event::{Event, Observer};
use mcve_reduce::search::filters::{Filter, LikelyRefused, Phase, Proposal, RejectedBefore};
use mcve_transforms::{Analysis, Measure, Reduction, Source, Tree, apply, enumerate_trials, transforms};

use super::outermost::outermost;

/// What a transform did, or what a kind of candidate did. Shares of checks and tokens are no whole numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) accepted: usize,
    pub(super) tokens: f64,
    pub(super) checks: f64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.tokens += other.tokens;
        self.checks += other.checks;
    }
}

/// What the passes would have done with a candidate of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    /// They would not have checked it, as one that looks the same was rejected.
    Rejected,
    /// They would not have checked it, as the compiler most likely refuses it.
    Refused,
    /// They would have checked it.
    New,
}

/// What a search did.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// All of it, by transform.
    pub(super) all: BTreeMap<&'static str, Count>,
    /// What the proof did, by transform.
    pub(super) proof: BTreeMap<&'static str, Count>,
    /// What the proof did, by what the passes would have done.
    pub(super) known: BTreeMap<Known, Count>,
    /// Checks of what trials made.
    pub(super) trials: usize,
}

/// A candidate whose check is awaited.
struct Candidate {
    phase: Phase,
    /// The transforms that made it, each with what its reductions take away by themselves.
    parts: Vec<(&'static str, usize)>,
    before: Measure,
    after: Measure,
    known: Known,
}

/// What is counted, and what is needed for it.
struct State {
    counts: Counts,
    candidate: Option<Candidate>,
    /// Whether a check was made since the candidate was admitted: else the answer was known.
    is_checked: bool,
    checks: usize,
    /// After so many checks the search is interrupted.
    budget: usize,
    interrupt: Arc<AtomicBool>,
    /// The sizes of the programs that were accepted: what is told of another size came of a trial.
    sizes: HashSet<Measure>,
    /// The tokens of the last program that was told of.
    told: usize,
    rejected: RejectedBefore,
    likely: LikelyRefused,
    trials: Trials,
}

/// Which trial is under way.
#[derive(Default)]
struct Trials {
    before: String,
    made: HashMap<String, &'static str>,
    current: Option<&'static str>,
}

impl Trials {
    /// The transform of the trial that a proposal is part of.
    fn of(&mut self, proposal: &Proposal<'_>) -> Option<&'static str> {
        let before = &*proposal.before?.text;
        if before != self.before {
            let source = Source::parse(before);
            let tree = Tree::new(&source);
            let analysis = Analysis::of(&tree);
            let trials = transforms().flat_map(|transform| enumerate_trials(&analysis, transform));
            self.made.clear();
            for trial in trials {
                self.made.entry(apply(before, [&trial])).or_insert(trial.transform.name);
            }
            self.before = before.to_owned();
        }
        // A trial begins with the program that its transform makes.
        self.current = self.made.get(&*proposal.best.text).copied().or(self.current);
        self.current
    }
}

impl State {
    fn admit(&mut self, phase: Phase, proposal: &Proposal<'_>) {
        let new: Vec<&Reduction> = proposal
            .kept
            .kept()
            .iter()
            .filter(|index| proposal.keep.kept().binary_search(index).is_err())
            .map(|index| &proposal.reductions[*index])
            .collect();
        let known = match phase {
            Phase::Proof if new.iter().any(|reduction| !self.rejected.proposes(proposal.base, reduction)) => {
                Known::Rejected
            }
            Phase::Proof if !self.likely.admits(proposal) => Known::Refused,
            Phase::Proof => Known::New,
            Phase::Passes => {
                self.rejected.admits(proposal);
                self.likely.admits(proposal);
                Known::New
            }
            Phase::Transaction => {
                self.likely.admits(proposal);
                Known::New
            }
        };
        let parts = match phase {
            Phase::Transaction => self.trials.of(proposal).into_iter().map(|name| (name, 0)).collect(),
            Phase::Passes | Phase::Proof => outermost(&new)
                .into_iter()
                .map(|reduction| (reduction.transform.name, usize::try_from(reduction.gain).unwrap_or(0)))
                .collect(),
        };
        let [before, after] = [proposal.best.measure(), proposal.program().measure()];
        self.candidate = Some(Candidate { phase, parts, before, after, known });
        self.is_checked = false;
    }

    fn learn(&mut self, fails: bool) {
        let Some(Candidate { phase, parts, before, after, known }) = self.candidate.take() else { return };
        match phase {
            Phase::Passes => {
                self.rejected.learn(fails);
                self.likely.learn(fails);
            }
            Phase::Transaction => self.likely.learn(fails),
            Phase::Proof => {}
        }
        let checks = if self.is_checked { 1.0 } else { 0.0 };
        let is_gain = fails && phase != Phase::Transaction;
        let tokens = if is_gain { (before.tokens - after.tokens) as f64 } else { 0.0 };
        if is_gain {
            self.sizes.insert(after);
        }
        // What takes away nothing by itself gets a little.
        let weight = |gain: usize| gain as f64 + 0.01;
        let whole: f64 = parts.iter().map(|(_, gain)| weight(*gain)).sum();
        for (name, gain) in &parts {
            let count = Count {
                accepted: usize::from(is_gain),
                tokens: tokens * weight(*gain) / whole,
                checks: checks / parts.len() as f64,
            };
            *self.counts.all.entry(name).or_default() += count;
            if phase == Phase::Proof {
                *self.counts.proof.entry(name).or_default() += count;
            }
        }
        match phase {
            Phase::Transaction => self.counts.trials += usize::from(self.is_checked),
            Phase::Proof => {
                *self.counts.known.entry(known).or_default() +=
                    Count { accepted: usize::from(is_gain), tokens, checks };
            }
            Phase::Passes => {}
        }
    }

    fn told(&mut self, steps: &[String], measure: Measure) {
        let tokens = std::mem::replace(&mut self.told, measure.tokens) - measure.tokens;
        if self.sizes.contains(&measure) {
            return;
        }
        let name = steps.first().and_then(|step| step.rsplit(": ").next());
        let Some(transform) = transforms().find(|transform| Some(transform.name) == name) else { return };
        *self.counts.all.entry(transform.name).or_default() +=
            Count { accepted: 1, tokens: tokens as f64, checks: 0.0 };
    }
}

/// Counts. Clones count the same.
#[derive(Clone)]
pub(super) struct Counter(Arc<Mutex<State>>);

impl Counter {
    /// Counts until there were so many checks, then interrupts.
    pub(super) fn new(budget: usize, interrupt: Arc<AtomicBool>) -> Self {
        Self(Arc::new(Mutex::new(State {
            counts: Counts::default(),
            candidate: None,
            is_checked: false,
            checks: 0,
            budget,
            interrupt,
            sizes: HashSet::new(),
            told: 0,
            rejected: RejectedBefore::default(),
            likely: LikelyRefused::default(),
            trials: Trials::default(),
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The filters that count: one for each phase, each of which knows its own.
    pub(super) fn filters(&self) -> [Box<dyn Filter>; 3] {
        [Phase::Passes, Phase::Transaction, Phase::Proof]
            .map(|phase| Box::new(Counting { phase, counter: self.clone() }) as Box<dyn Filter>)
    }

    /// What was counted.
    pub(super) fn counts(&self) -> Counts {
        self.state().counts.clone()
    }
}

impl Observer for Counter {
    fn event(&mut self, event: &Event) {
        let mut state = self.state();
        match event {
            Event::Baseline { measure, .. } => state.told = measure.tokens,
            Event::Checked { .. } => {
                state.is_checked = true;
                state.checks += 1;
                if state.checks >= state.budget {
                    state.interrupt.store(true, Ordering::Relaxed);
                }
            }
            Event::Gained { steps, measure, .. } => state.told(steps, *measure),
            _ => {}
        }
    }
}

/// Counts what is checked in one phase, and admits all of it.
struct Counting {
    phase: Phase,
    counter: Counter,
}

impl Filter for Counting {
    fn name(&self) -> &'static str {
        match self.phase {
            Phase::Passes => "counts-passes",
            Phase::Transaction => "counts-transactions",
            Phase::Proof => "counts-proof",
        }
    }

    fn applies(&self, phase: Phase) -> bool {
        phase == self.phase
    }

    fn begin(&mut self, count: usize) {
        if self.phase == Phase::Passes {
            self.counter.state().rejected.begin(count);
        }
    }

    fn admits(&mut self, proposal: &Proposal<'_>) -> bool {
        self.counter.state().admit(self.phase, proposal);
        true
    }

    fn learn(&mut self, fails: bool) {
        self.counter.state().learn(fails);
    }

    /// There is one worker, so that no replica is there that would count twice.
    fn fork(&self) -> Box<dyn Filter> {
        Box::new(Self { phase: self.phase, counter: self.counter.clone() })
    }
}
