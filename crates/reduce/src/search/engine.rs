//! A search under way: the only place where the best program is replaced.

use std::collections::HashMap;
use std::sync::Arc;

use mcve_transforms::{
    Analysis, Hint, Measure, Reduction, Rule, Transform, Tree, enumerate_hinted, enumerate_trials, follow_hints,
};

use super::best::Best;
use super::course::Course;
use super::filters::Phase;
use super::passes::schedule::{Pass, Schedule};
use super::proof::Proof;
use super::proposed::{Enumerate, Subject};
use super::publish::Unconfirmed;
use crate::check::checks::Checks;
use crate::check::confirm::is_certain;
use crate::check::limits::Stop;
use crate::check::speculation;
use crate::event::{Event, Left, Nobody, Observer, Rejection};
use crate::oracle::Oracle;
use crate::program::{Change, ContentHash, Program};

pub(crate) use super::publish::Keep;

/// A search under way.
pub struct Search<'a> {
    /// Checks candidates.
    pub checks: Checks,
    /// Listens.
    pub observer: &'a mut dyn Observer,
    keep: &'a mut Keep<'a>,
    pub(super) best: Best,
    pub(super) course: Course,
    pub(super) unconfirmed: Unconfirmed,
    /// The smallest change with which the best program passes, and that program before its layout; none before the end.
    pub(crate) nearest: Option<(Change, Program)>,
    /// What is left of the source after it was scrubbed; none before that.
    pub(crate) left: Option<Vec<Left>>,
    /// The number of the check of each candidate that was rejected; empty where nobody wants to know.
    pub(super) rejected: HashMap<ContentHash, usize>,
    /// How far the proof is.
    pub(super) proof: Proof,
    /// The steps still to run, the next one last.
    later: Vec<Arc<Step>>,
}

/// A step of a search. A step that goes on adds the steps that follow: then checks of these can begin before they are asked for.
pub(crate) type Step = dyn Fn(&mut Search<'_>) -> Result<(), Stop> + Send + Sync;

impl<'a> Search<'a> {
    /// A search that begins at `program`, which fails.
    pub fn new(
        program: Program,
        enabled: Vec<&'static Transform>,
        checks: Checks,
        observer: &'a mut dyn Observer,
        keep: &'a mut Keep<'a>,
    ) -> Self {
        let course = Course::of(enabled, &**checks.oracle(), &program);
        let best = Best::new(program);
        let unconfirmed = Unconfirmed::since(&best);
        let (nearest, left, rejected, proof, later) = (None, None, HashMap::new(), Proof::default(), Vec::new());
        Self { checks, observer, keep, best, course, unconfirmed, nearest, left, rejected, proof, later }
    }

    pub(crate) fn into_parts(self) -> (Checks, Program) {
        (self.checks, self.best.program)
    }

    /// Uses the algorithm and the filters of `schedule`.
    pub(crate) fn with_schedule(self, schedule: &Schedule) -> Self {
        let (algorithm, filters) = (schedule.algorithm, schedule.filters.clone());
        Self { course: Course { algorithm, filters, ..self.course }, ..self }
    }

    /// Puts a step before those that are still to run.
    pub(crate) fn then(&mut self, step: impl Fn(&mut Search<'_>) -> Result<(), Stop> + Send + Sync + 'static) {
        self.later.push(Arc::new(step));
    }

    /// Runs the steps, also those that steps add, until none is left.
    /// Fails when the search is to stop. The steps that are left are forgotten.
    pub(crate) fn run_steps(&mut self) -> Result<(), Stop> {
        while let Some(step) = self.later.pop() {
            self.announce(|| Arc::clone(&step));
            step(self).inspect_err(|_| self.later.clear())?;
        }
        Ok(())
    }

    /// Announces the next step, so that checks of it and of those behind it can begin before the search asks for them.
    pub(super) fn announce(&mut self, next: impl FnOnce() -> Arc<Step>) {
        let (best, course, later) = (&self.best, &self.course, &self.later);
        speculation::set_continuation(&mut self.checks, || {
            let (program, course, mut later) = (best.program.clone(), course.clone(), later.clone());
            later.push(next());
            Arc::new(move |checks| {
                let (observer, keep): (&mut dyn Observer, &mut Keep<'_>) = (&mut Nobody, &mut |_| Ok(()));
                let (best, course, later) = (Best::new(program.clone()), course.clone(), later.clone());
                let unconfirmed = Unconfirmed::since(&best);
                let (nearest, left, rejected, proof) = (None, None, HashMap::new(), Proof::default());
                Search { checks, observer, keep, best, course, unconfirmed, nearest, left, rejected, proof, later }
                    .run_steps()
            })
        });
    }

    /// The enabled transforms that `pass` tries, in this order.
    pub(super) fn transforms_of(&self, pass: &Pass) -> Vec<&'static Transform> {
        pass.of.choose(self.course.enabled.iter().copied())
    }

    /// The best program so far.
    pub fn best(&self) -> &Program {
        &self.best.program
    }

    /// The size of the best program.
    pub fn measure(&self) -> Measure {
        self.best.measure
    }

    pub(super) fn phase(&self) -> Phase {
        self.course.phase()
    }

    /// Whether the pass under way is to end: it gains little, or the user skips it. The proof never is.
    pub(super) fn gives_way(&mut self) -> bool {
        self.course.patience.gives_way |= self.checks.clock.is_skip_asked();
        self.course.patience.gives_way && self.phase() != Phase::Proof
    }

    /// The reductions that the filters let be proposed.
    pub(super) fn worth_proposing(&mut self, mut reductions: Vec<Reduction>) -> Vec<Reduction> {
        let (phase, best, filters) = (self.phase(), self.best().clone(), &self.course.filters);
        let (is_watched, mut refused) = (self.is_watched(), Vec::new());
        reductions.retain(|reduction| {
            let filter = filters.refuse(phase, &best, reduction);
            refused.extend(filter.filter(|_| is_watched).map(|filter| (reduction.clone(), Rejection::by(filter))));
            filter.is_none()
        });
        refused.into_iter().for_each(|(reduction, rejection)| self.report(&best, &reduction, Some(rejection)));
        reductions
    }

    /// The reductions that the enabled ones among `transforms` propose for the best program, in source order. In a transaction, only
    /// those inside of its scope.
    pub fn reductions(&mut self, transforms: &[&'static Transform]) -> Result<Vec<Reduction>, Stop> {
        let has = |is: fn(&Rule) -> bool| transforms.iter().any(|transform| is(&transform.rule));
        let is_hinted = has(|rule| matches!(rule, Rule::Hinted(_)));
        let is_observed = has(|rule| matches!(rule, Rule::Observed(_)));
        let is_covered = has(|rule| matches!(rule, Rule::Covered(_)));
        let mut reductions = if is_hinted || is_observed || is_covered {
            let hints = if is_hinted { self.hints()? } else { Arc::default() };
            let values = if is_observed { self.values()? } else { Arc::default() };
            let not_reached = if is_covered { self.not_reached()? } else { Arc::default() };
            let feedback = |transform: &Transform| match transform.rule {
                Rule::Observed(_) => &values,
                Rule::Covered(_) => &not_reached,
                _ => &hints,
            };
            let subject = self.subject(transforms);
            self.propose(subject, &|names, transform| enumerate_hinted(names, transform, feedback(transform)))?
        } else {
            self.proposed(transforms, true)?
        };
        if let Some(transaction) = &self.course.transaction {
            let (source, clock) = (self.best.source(), &self.checks.clock);
            transaction.retain_concerned(&self.best.program, &source, clock, &mut reductions)?;
        }
        Ok(reductions)
    }

    /// How many reductions the enabled ones among `transforms` propose, without those that follow hints.
    pub(super) fn count(&mut self, transforms: &[&'static Transform]) -> Result<usize, Stop> {
        let (text, subject) = (self.best().hash(), self.subject(transforms));
        let enumerate = |names: &Analysis<'_>, transform| enumerate_hinted(names, transform, &[]);
        Ok(self.course.proposed.get_or(text, subject, true, &enumerate)?.len())
    }

    /// The reductions that follow the hints of `lint`.
    pub(super) fn hinted(&mut self, lint: &str) -> Result<Vec<Reduction>, Stop> {
        let (source, hints) = (self.best.source(), self.hints()?);
        let is_enabled = |transform| self.course.enabled.contains(&transform);
        self.checks.clock.in_time(|| follow_hints(&Analysis::of(&Tree::new(&source)), &hints, lint, &is_enabled))
    }

    /// The reductions that the enabled ones among `transforms` propose: those that make the program smaller, or the others.
    pub(super) fn proposed(
        &mut self,
        transforms: &[&'static Transform],
        shrinks: bool,
    ) -> Result<Vec<Reduction>, Stop> {
        let (text, subject) = (self.best().hash(), self.subject(transforms));
        let admissible = subject.admissible;
        let enumerate = |names: &Analysis<'_>, transform| {
            let smaller = || enumerate_hinted(names, transform, &[]);
            if shrinks {
                return smaller();
            }
            let longer = admissible.rewrites_loops().then(smaller).into_iter().flatten();
            let longer = longer.filter_map(|reduction| admissible.trial(reduction));
            enumerate_trials(names, transform).into_iter().chain(longer).collect()
        };
        if self.is_watched() {
            return self.propose(subject, &enumerate);
        }
        self.course.proposed.get_or(text, subject, shrinks, &enumerate)
    }

    /// The admissible reductions. The others are reported.
    fn propose(&mut self, subject: Subject, enumerate: &Enumerate<'_>) -> Result<Vec<Reduction>, Stop> {
        let (is_watched, mut refused) = (self.is_watched(), Vec::new());
        let reductions = subject.propose(enumerate, &mut |reduction, reason| {
            let rejection = || Rejection { reason: reason.to_owned(), ..Rejection::by("meaning") };
            refused.extend(is_watched.then(|| (reduction.clone(), rejection())));
        })?;
        let best = self.best().clone();
        refused.into_iter().for_each(|(reduction, rejection)| self.report(&best, &reduction, Some(rejection)));
        Ok(reductions)
    }

    /// The best program, for the enabled ones among `transforms`. The proof takes for granted nothing that runs have shown.
    fn subject(&mut self, transforms: &[&'static Transform]) -> Subject {
        let mut admissible = self.course.admissible;
        admissible.all_runs = self.course.feedback.knows_what_runs && self.phase() == Phase::Passes;
        let enabled = transforms.iter().copied().filter(|transform| self.course.enabled.contains(transform));
        let (source, clock) = (self.best.source(), self.checks.clock.clone());
        Subject { transforms: enabled.collect(), admissible, source, clock }
    }

    /// The lints of the best program.
    pub(super) fn hints(&mut self) -> Result<Arc<[Hint]>, Stop> {
        let asks = self.course.transaction.is_none().then_some(&mut self.checks);
        self.course.feedback.lints(asks, &self.best)
    }

    /// The parts of the best program that a run does not reach.
    pub(super) fn not_reached(&mut self) -> Result<Arc<[Hint]>, Stop> {
        let asks = self.course.transaction.is_none().then_some(&mut self.checks);
        self.course.feedback.not_reached(asks, &self.best, self.observer)
    }

    /// Judges by a failure that depends on no function that the best program does not run.
    pub(super) fn depend_on_what_runs(&mut self) -> Result<(), Stop> {
        let not_reached = self.not_reached()?;
        let oracle = self.checks.oracle().reaching(self.best(), &not_reached);
        oracle.into_iter().for_each(|oracle| self.checks.judge_by(oracle));
        Ok(())
    }

    fn values(&mut self) -> Result<Arc<[Hint]>, Stop> {
        let asks = self.course.transaction.is_none().then_some(&mut self.checks);
        self.course.feedback.values(asks, &self.best)
    }

    /// Makes a program that fails the best one.
    pub(super) fn accept(&mut self, program: Program, steps: Vec<String>) -> Result<(), Stop> {
        self.replace(program);
        // A replica writes and reports nothing.
        if self.course.transaction.is_some() || self.checks.is_replica() {
            return Ok(());
        }
        let (size, checks) = (self.best().size(), self.checks.tally.checks);
        let program = self.best().clone();
        self.unconfirmed.events.push(Event::Gained { steps, size, checks, program });
        self.confirm_in_time()
    }

    /// Begins a stage in which `oracle` judges, for data only if `is_of_data`. What was learned of candidates does not count.
    pub(super) fn begin_stage(&mut self, oracle: Arc<dyn Oracle>, is_of_data: bool) {
        self.checks.judge_by(oracle);
        self.replace(self.best.program.clone().in_next_stage());
        self.course.filters = self.course.filters.renewed();
        self.course.admissible.is_of_data = is_of_data;
    }

    /// Replaces the best program. Nothing is reported or written.
    pub(super) fn replace(&mut self, program: Program) {
        self.best.replace(program);
        self.course.feedback.forget();
    }

    /// Reports the end of a pass, after the gains before it.
    pub(super) fn end_pass(&mut self, pass: &'static str) -> Result<(), Stop> {
        self.course.patience.gives_way = false;
        self.checks.clock.forget_skip();
        let (size, checks) = (self.best().size(), self.checks.tally.checks);
        let end = Event::PassEnded { pass, size, checks };
        if self.unconfirmed.is_empty() {
            self.observer.event(&end);
            return Ok(());
        }
        self.unconfirmed.events.push(end);
        self.confirm_in_time()
    }

    fn confirm_in_time(&mut self) -> Result<(), Stop> {
        let is_due = self.unconfirmed.is_due(self.measure().tokens, &self.checks.tally);
        if is_due || is_certain(&self.checks, self.best()) { self.confirm() } else { Ok(()) }
    }

    /// Makes the best program certain, writes and reports it. Stops if the search has to go back to the last certain one.
    pub(crate) fn confirm(&mut self) -> Result<(), Stop> {
        self.unconfirmed.confirm(&self.best, &mut self.checks, self.observer, self.keep)
    }

    /// Ends a search that was stopped: confirms the best program, by one check, or gives up what is not confirmed then.
    pub(crate) fn conclude(&mut self) {
        self.checks.clock.lift();
        // Where it cannot be written, neither can what is certain, which is tried next.
        let _ = self.confirm();
        self.fall_back();
    }

    /// Makes the last certain program the best one again, and forgets what was learned of candidates since.
    pub(crate) fn fall_back(&mut self) {
        if let Some(oracle) = self.course.of_code.take() {
            self.begin_stage(oracle, false);
        }
        if let Some(certain) = self.unconfirmed.give_up() {
            self.replace(certain);
            (self.course.filters, self.course.proves) = (self.course.filters.renewed(), false);
        }
    }
}

#[cfg(test)]
mod tests;
