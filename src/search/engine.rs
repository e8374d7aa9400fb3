//! The state of a search: the best program so far, its tree, and the one place where it is replaced.

use std::rc::Rc;
use std::sync::Arc;

use mcve_transforms::{Measure, Reduction, Source, Transform};

use super::attempt::Attempt;
use super::checker::{Checker, Stop};
use super::confirm::Unconfirmed;
use super::flawed::Flawed;
use super::loops::Loops;
use super::proposed::Proposed;
use super::schedule::Schedule;
use super::told::Told;
use super::trial::{self, Trial};
use super::tried::{Look, Tried};
use crate::dd::algorithm::Algorithm;
use crate::event::{Event, Nobody, Observer};
use crate::oracle::places::Places;
use crate::program::Program;

/// Takes each new best program: writes it where the user wants it.
pub type Keep<'a> = dyn FnMut(&Program) -> std::io::Result<()> + 'a;

/// A search under way.
pub struct Search<'a> {
    /// Checks candidates.
    pub checker: Checker,
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
    best: Program,
    measure: Measure,
    /// What a compiler says of the best program.
    pub(super) hints: Told,
    /// What a run of the best program says of it.
    pub(super) values: Told,
    /// Whether it was asked what the failure names.
    focused: bool,
    pub(super) loops: Loops,
    /// How lists of reductions are shrunk.
    pub(super) algorithm: Algorithm,
    /// Whether it remembers what was tried in vain.
    remembers: bool,
    /// Whether it leaves candidates to the proof that a compiler most likely refuses.
    minds_flaws: bool,
    /// Whether it is in its proof.
    pub(super) proves: bool,
    /// What did not help.
    pub(super) tried: Tried,
    /// What was learned of flaws.
    pub(super) flawed: Flawed,
    /// What was proposed for programs.
    pub(super) proposed: Proposed,
    /// The attempt under way, of which nothing is told or written before it has paid.
    pub(super) attempt: Option<Attempt>,
    /// What comes behind what is done now, the next last.
    later: Vec<Arc<Next>>,
}

/// How a search goes on.
pub type Next = dyn Fn(&mut Search<'_>) -> Result<(), Stop> + Send + Sync;

impl<'a> Search<'a> {
    /// A search that begins at `program`, which fails.
    pub fn new(
        program: Program,
        enabled: Vec<&'static Transform>,
        checker: Checker,
        observer: &'a mut dyn Observer,
        keep: &'a mut Keep<'a>,
    ) -> Self {
        let loops = Loops::of(checker.oracle(), &program);
        let state = State {
            enabled: enabled.into(),
            measure: program.measure(),
            best: program,
            hints: Told::default(),
            values: Told::default(),
            focused: false,
            loops,
            algorithm: Algorithm::default(),
            remembers: true,
            minds_flaws: true,
            proves: false,
            tried: Tried::default(),
            flawed: Flawed::default(),
            proposed: Proposed::default(),
            attempt: None,
            later: Vec::new(),
        };
        Self::of(state, checker, observer, keep)
    }

    fn of(state: State, checker: Checker, observer: &'a mut dyn Observer, keep: &'a mut Keep<'a>) -> Self {
        let unconfirmed = Unconfirmed::since(state.best.clone());
        Self { checker, observer, keep, source: None, state, unconfirmed }
    }

    /// Says that the search goes on by `course` from here on, and then by what was said to come behind it, so that its checks can
    /// be made before they are asked for. It has to do what the search then does.
    pub(super) fn announce(&mut self, course: impl FnOnce() -> Box<Next>) {
        let state = &self.state;
        self.checker.announce(|| {
            let (state, next) = (state.clone(), course());
            Arc::new(move |checker| {
                let (observer, keep): (&mut dyn Observer, &mut Keep<'_>) = (&mut Nobody, &mut |_| Ok(()));
                let mut search = Search::of(state.clone(), checker, observer, keep);
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
    pub fn one_after_the_other(
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
        let Schedule { algorithm, remembers, minds_flaws, .. } = *schedule;
        Self { state: State { algorithm, remembers, minds_flaws, ..self.state }, ..self }
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

    /// Its number of lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.state.best.text.lines().count()
    }

    /// The best program, parsed.
    pub(super) fn source(&mut self) -> Rc<Source> {
        Rc::clone(self.source.get_or_insert_with(|| Rc::new(Source::parse(&*self.state.best.text))))
    }

    /// What the failure names in the best program. It is asked once: after that the program is what it names.
    pub(super) fn places(&mut self) -> Option<Places> {
        let is_first = !std::mem::replace(&mut self.state.focused, true);
        is_first.then(|| self.checker.places(&self.state.best))
    }

    /// Whether what was tried in vain is not tried again: neither in an attempt nor in the proof.
    pub(super) fn remembers(&self) -> bool {
        self.state.remembers && self.state.attempt.is_none() && !self.state.proves
    }

    /// Whether candidates are judged by their flaws: not in the proof.
    pub(super) fn minds_flaws(&self) -> bool {
        self.state.minds_flaws && !self.state.proves
    }

    /// Those of `reductions` that were not tried in vain where they looked the same. In an attempt, all.
    pub(super) fn untried(&self, mut reductions: Vec<Reduction>) -> Vec<Reduction> {
        if self.remembers() {
            let text = &self.state.best.text;
            reductions.retain(|reduction| !self.state.tried.knows(Look::of(text, reduction)));
        }
        reductions
    }

    /// A tester of keep-lists over `reductions` of the best program as it is now.
    pub fn trial<'s>(&'s mut self, reductions: &'s [Reduction]) -> Trial<'s, 'a> {
        Trial::new(self, reductions)
    }

    /// Makes a program that fails the best one.
    pub(super) fn accept(&mut self, program: Program, steps: Vec<String>) -> Result<(), Stop> {
        self.replace(program);
        if self.state.attempt.is_some() {
            return Ok(());
        }
        let (measure, lines) = (self.state.measure, self.lines());
        self.gained(Event::Gained { steps, measure, lines })
    }

    pub(super) fn replace(&mut self, program: Program) {
        self.state.measure = program.measure();
        self.state.best = program;
        self.source = None;
        self.state.hints.forget();
        self.state.values.forget();
    }

    /// A reduction of the best program by its place and its transform.
    pub(super) fn name(&self, reduction: &Reduction) -> String {
        trial::name(&self.state.best, reduction)
    }
}
