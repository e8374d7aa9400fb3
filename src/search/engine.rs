//! The state of a search: the best program so far, its tree, and the one place where it is replaced.

use std::rc::Rc;
use std::sync::Arc;

use mcve_transforms::{Measure, Reduction, Source, Transform};

use super::feedback::Feedback;
use super::filters::{Filters, Phase};
use super::passes::schedule::Schedule;
use super::proposed::Proposed;
use super::publish::Unconfirmed;
use super::tester::{self, KeepListTester};
use super::transaction::Transaction;
use crate::check::checks::Checks;
use crate::check::limits::Stop;
use crate::dd::algorithm::Algorithm;
use crate::event::{Event, Nobody, Observer};
use crate::fitting::Fitting;
use crate::oracle::places::Places;
use crate::program::Program;

/// Takes each new best program: writes it where the user wants it.
pub type Keep<'a> = dyn FnMut(&Program) -> std::io::Result<()> + 'a;

/// A search under way.
pub struct Search<'a> {
    /// Checks candidates.
    pub checks: Checks,
    /// Listens.
    pub observer: &'a mut dyn Observer,
    pub(super) keep: &'a mut Keep<'a>,
    /// The best program, parsed, once it was asked for.
    source: Option<Rc<Source>>,
    /// All else that its course depends on.
    pub(super) state: State,
    /// What is not certain.
    pub(super) unconfirmed: Unconfirmed,
}

/// What the course of a search depends on, but for the answers of checks.
#[derive(Clone)]
pub(super) struct State {
    /// The transforms that the user left enabled.
    pub(super) enabled: Arc<[&'static Transform]>,
    pub(super) best: Program,
    measure: Measure,
    /// What a compiler says of the best program.
    pub(super) hints: Feedback,
    /// What a run of the best program says of it.
    pub(super) values: Feedback,
    /// What a run does not reach.
    pub(super) coverage: Feedback,
    /// Whether a run has told which blocks are reached, and the others are gone.
    pub(super) knows_what_runs: bool,
    /// Whether it was asked what the failure names.
    focused: bool,
    pub(super) fitting: Fitting,
    /// How lists of reductions are shrunk.
    pub(super) algorithm: Algorithm,
    /// Whether it is in its proof.
    pub(super) proves: bool,
    /// Which candidates are worth a check.
    pub(super) filters: Filters,
    /// What was proposed for programs.
    pub(super) proposed: Proposed,
    /// The transaction under way, of which nothing is told or written before it has paid.
    pub(super) transaction: Option<Transaction>,
    /// What comes behind what is done now, the next last.
    later: Vec<Arc<Next>>,
}

/// How a search goes on.
pub type Next = dyn Fn(&mut Search<'_>) -> Result<(), Stop> + Send + Sync;

impl State {
    /// Forgets what was learned of candidates.
    pub(super) fn forget_candidates(&mut self) {
        (self.filters, self.proves) = (self.filters.renewed(), false);
    }
}

impl<'a> Search<'a> {
    /// A search that begins at `program`, which fails.
    pub fn new(
        program: Program,
        enabled: Vec<&'static Transform>,
        checks: Checks,
        observer: &'a mut dyn Observer,
        keep: &'a mut Keep<'a>,
    ) -> Self {
        let fitting = Fitting::of(checks.oracle(), &program);
        let state = State {
            enabled: enabled.into(),
            measure: program.measure(),
            best: program,
            hints: Feedback::default(),
            values: Feedback::default(),
            coverage: Feedback::default(),
            knows_what_runs: false,
            focused: false,
            fitting,
            algorithm: Algorithm::default(),
            proves: false,
            filters: Filters::default(),
            proposed: Proposed::default(),
            transaction: None,
            later: Vec::new(),
        };
        Self::of(state, checks, observer, keep)
    }

    fn of(state: State, checks: Checks, observer: &'a mut dyn Observer, keep: &'a mut Keep<'a>) -> Self {
        let unconfirmed = Unconfirmed::since(state.best.clone());
        Self { checks, observer, keep, source: None, state, unconfirmed }
    }

    /// Says that the search continues by `next` from here on, and then by what was said to come behind it, so that its checks can
    /// be made before they are asked for. It has to do what the search then does.
    pub(super) fn set_continuation(&mut self, next: impl FnOnce() -> Box<Next>) {
        let state = &self.state;
        self.checks.set_continuation(|| {
            let (state, next) = (state.clone(), next());
            Arc::new(move |checks| {
                let (observer, keep): (&mut dyn Observer, &mut Keep<'_>) = (&mut Nobody, &mut |_| Ok(()));
                let mut search = Search::of(state.clone(), checks, observer, keep);
                next(&mut search)?;
                while let Some(later) = search.state.later.pop() {
                    later(&mut search)?;
                }
                Ok(())
            })
        });
    }

    /// Does the `first` and then the `second`.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn in_sequence(
        &mut self,
        first: impl FnOnce(&mut Self) -> Result<(), Stop>,
        second: impl Fn(&mut Search<'_>) -> Result<(), Stop> + Send + Sync + 'static,
    ) -> Result<(), Stop> {
        let second = Arc::new(second);
        self.state.later.push(Arc::clone(&second) as Arc<Next>);
        let done = first(self);
        self.state.later.pop();
        done?;
        second(self)
    }

    /// The same with the habits of a schedule.
    #[must_use]
    pub fn going_by(self, schedule: &Schedule) -> Self {
        let (algorithm, filters) = (schedule.algorithm, schedule.filters.clone());
        Self { state: State { algorithm, filters, ..self.state }, ..self }
    }

    /// The best program so far.
    #[must_use]
    pub fn best(&self) -> &Program {
        &self.state.best
    }

    /// Its size.
    #[must_use]
    pub fn measure(&self) -> Measure {
        self.state.measure
    }

    /// The best program, parsed.
    pub(super) fn source(&mut self) -> Rc<Source> {
        Rc::clone(self.source.get_or_insert_with(|| Rc::new(Source::parse(&*self.state.best.text))))
    }

    /// What the failure names in the best program. It is asked once: after that the program is what it names.
    pub(super) fn places(&mut self) -> Result<Option<Places>, Stop> {
        let is_first = !std::mem::replace(&mut self.state.focused, true);
        is_first.then(|| self.checks.places(&self.state.best)).transpose()
    }

    /// What the search is doing.
    pub(super) fn phase(&self) -> Phase {
        match &self.state {
            State { transaction: Some(_), .. } => Phase::Transaction,
            State { proves: true, .. } => Phase::Proof,
            _ => Phase::Passes,
        }
    }

    /// Those of `reductions` that the filters let be proposed.
    pub(super) fn worth_proposing(&self, mut reductions: Vec<Reduction>) -> Vec<Reduction> {
        let (phase, State { best, filters, .. }) = (self.phase(), &self.state);
        reductions.retain(|reduction| filters.propose(phase, best, reduction));
        reductions
    }

    /// A tester of keep-lists over `reductions` of the best program as it is now.
    pub fn tester<'s>(&'s mut self, reductions: &'s [Reduction]) -> KeepListTester<'s, 'a> {
        KeepListTester::new(self, reductions)
    }

    /// Makes a program that fails the best one.
    pub(super) fn accept(&mut self, program: Program, steps: Vec<String>) -> Result<(), Stop> {
        self.replace(program);
        if self.state.transaction.is_some() {
            return Ok(());
        }
        let (measure, lines) = self.best().size();
        let checks = self.checks.tally.checks;
        self.publish(Event::Gained { steps, checks, measure, lines })
    }

    pub(super) fn replace(&mut self, program: Program) {
        program.settle_origin();
        self.state.measure = program.measure();
        self.state.best = program;
        self.source = None;
        self.state.hints.forget();
        self.state.values.forget();
        self.state.coverage.forget();
    }

    /// A reduction of the best program by its place and its transform.
    pub(super) fn name(&self, reduction: &Reduction) -> String {
        tester::name(&self.state.best, reduction)
    }
}
