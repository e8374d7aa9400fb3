//! When a search stops before its end, and how long a run may take.

use std::cell::RefCell;
use std::fmt;
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcve_transforms::{Halt, Halted, until};

use crate::event::Ending;
use crate::exec::cancel::{Cancel, Until};
use crate::exec::job::ExecError;
use crate::locked::lock;

/// How often the interrupt flag and the deadline are looked at while checks run.
pub(super) const POLL: Duration = Duration::from_millis(50);

/// The shortest limit that is learned.
const SHORTEST: Duration = Duration::from_secs(10);

/// A run may take so many times as long as the slowest so far.
const TIMES: u32 = 10;

/// The limit as long as nothing is known.
pub(super) const FIRST: Duration = Duration::from_secs(3600);

/// Why a search stops before its end.
#[derive(Debug)]
pub enum Stop {
    /// The user interrupted it.
    Interrupted,
    /// The time that was allowed is over.
    Budget,
    /// A check could not be run.
    Exec(ExecError),
    /// The best program could not be written.
    Output(std::io::Error),
    /// The best program fails in the fork server only. The search goes on from the last one that is certain.
    Refuted,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted before there was a result"),
            Self::Budget => f.write_str("the budget was spent before there was a result"),
            Self::Exec(error) => write!(f, "{error}: {}", error.source),
            Self::Output(error) => write!(f, "cannot write the result: {error}"),
            Self::Refuted => f.write_str("the best program fails in the fork server only"),
        }
    }
}

/// How a search ended that was complete, or that the user stopped.
///
/// # Errors
/// When something else stopped it.
pub fn ending(searched: Result<(), Stop>) -> Result<Ending, Stop> {
    match searched {
        Ok(()) => Ok(Ending::Complete),
        Err(Stop::Budget) => Ok(Ending::Budget),
        Err(Stop::Interrupted) => Ok(Ending::Interrupted),
        Err(stop) => Err(stop),
    }
}

/// A wish from outside to end the pass under way. Clones are the same wish.
#[derive(Clone, Debug, Default)]
pub struct Skip(Arc<AtomicBool>);

impl Skip {
    /// Ends the pass under way, as if all that it has left were rejected. The proof of 1-minimality goes on, and so does a search over
    /// a text that is not Rust, as its last pass is the proof.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked for it, and the pass has not ended yet.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// When a search stops before its end, and how long a check may take.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The longest check; none: ten times the slowest that failed, at least ten seconds; an hour as long as none has failed.
    pub timeout: Option<Duration>,
    /// When the search ends with the best so far.
    pub deadline: Option<Instant>,
    /// Set from outside to end the search with the best so far.
    pub interrupt: Arc<AtomicBool>,
    /// Ends the pass under way.
    pub skip: Skip,
    /// After so many passes in a row without a gain the search ends with the best so far.
    pub idle_passes: Option<NonZeroUsize>,
}

impl Limits {
    /// Says whether to go on.
    ///
    /// # Errors
    /// When the run has to end.
    pub fn proceed(&self) -> Result<(), Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Budget);
        }
        Ok(())
    }

    /// A handle that cancels jobs as soon as the run has to end.
    pub(crate) fn cancel(&self) -> Cancel {
        Cancel::after(Until { interrupt: Arc::clone(&self.interrupt), deadline: self.deadline })
    }

    /// These limits with a deadline that is so much later.
    pub fn later(&self, more: Duration) -> Self {
        Self { deadline: self.deadline.map(|deadline| deadline + more), ..self.clone() }
    }

    /// These limits with so much more time after the deadline, and half of it from now if that is later.
    pub fn extended(&self, more: Duration) -> Self {
        let extended = |deadline: Instant| (deadline + more).max(Instant::now() + more / 2);
        Self { deadline: self.deadline.map(extended), ..self.clone() }
    }

    /// The time until the deadline, at most `longest`.
    pub fn left(&self, longest: Duration) -> Duration {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        left.map_or(longest, |left| left.min(longest))
    }
}

/// The limits of a search under way. Clones are the same clock.
///
/// Time in which only the journal answers does not count, so that a run that is resumed gets further however short its time is.
#[derive(Clone)]
pub(crate) struct Clock(Rc<RefCell<State>>);

struct State {
    limits: Limits,
    /// Interrupts a replica of the search.
    halt: Option<Halt>,
    /// Since when only the journal answers.
    paused: Option<Instant>,
    /// How many passes in a row have gained nothing.
    idle: usize,
}

impl Clock {
    pub(super) fn start(limits: Limits, halt: Option<Halt>) -> Self {
        Self(Rc::new(RefCell::new(State { limits, halt, paused: None, idle: 0 })))
    }

    pub(super) fn proceed(&self) -> Result<(), Stop> {
        let State { limits, halt, .. } = &*self.0.borrow();
        if halt.as_ref().is_some_and(|halt| halt()) { Err(Stop::Interrupted) } else { limits.proceed() }
    }

    /// Does work that runs no job, as long as there is time.
    pub(crate) fn in_time<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stop> {
        let clock = self.clone();
        let done = until(Rc::new(move || clock.proceed().is_err()), work);
        done.or_else(|Halted| self.proceed().and(Err(Stop::Interrupted)))
    }

    /// Whether the pass under way is to end.
    pub(crate) fn is_skip_asked(&self) -> bool {
        self.0.borrow().limits.skip.is_asked()
    }

    /// Counts a pass that has ended. Fails if too many in a row have gained nothing.
    pub(crate) fn count_pass(&self, has_gained: bool) -> Result<(), Stop> {
        let State { limits, idle, .. } = &mut *self.0.borrow_mut();
        *idle = if has_gained { 0 } else { *idle + 1 };
        if limits.idle_passes.is_some_and(|most| *idle >= most.get()) { Err(Stop::Budget) } else { Ok(()) }
    }

    /// Says that the pass has ended.
    pub(crate) fn forget_skip(&self) {
        self.0.borrow().limits.skip.forget();
    }

    pub(super) fn pause(&self) {
        self.0.borrow_mut().paused.get_or_insert_with(Instant::now);
    }

    pub(super) fn resume(&self) {
        let State { limits, paused, .. } = &mut *self.0.borrow_mut();
        if let Some(since) = paused.take() {
            limits.deadline = limits.deadline.map(|deadline| deadline + since.elapsed());
        }
    }

    /// Lets the search go on for so long, whatever its limits were.
    pub(crate) fn go_on_for(&self, time: Duration) {
        let deadline = Some(Instant::now() + time);
        self.0.borrow_mut().limits = Limits { deadline, ..Limits::default() };
    }

    /// Lets the search go on without a limit.
    pub(crate) fn lift(&self) {
        self.0.borrow_mut().limits = Limits::default();
    }
}

/// How long the slowest run took of those that are learned from. Clones are the same.
///
/// It is a maximum over the answers in the order in which they were asked for, so it never falls, and a resumed run learns the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Slowest(Arc<Mutex<Option<Duration>>>);

impl Slowest {
    /// How long a run may take, where the user has set no limit.
    pub(super) fn limit(&self) -> Duration {
        let slowest = *lock(&self.0);
        slowest.map_or(FIRST, |slowest| (slowest * TIMES).max(SHORTEST))
    }

    pub(super) fn learn(&self, wall: Duration) {
        let mut slowest = lock(&self.0);
        *slowest = (*slowest).max(Some(wall));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::job::{End, Executor, Job, Word};
    use crate::exec::limits::Memory;
    use crate::exec::process::Processes;

    #[test]
    fn a_deadline_that_has_passed_long_ago_is_extended_from_now() {
        let second = Duration::from_secs(1);
        let limits = |deadline| Limits { deadline, ..Limits::default() };
        let now = Instant::now();
        assert_eq!(limits(Some(now)).left(second), Duration::ZERO);
        let left = |ago: u32| limits(now.checked_sub(ago * second)).extended(100 * second).left(200 * second);
        assert!(left(0) > 90 * second && left(0) <= 100 * second);
        assert!(left(90) > 40 * second && left(90) <= 50 * second);
        assert_eq!(Limits::default().extended(second).left(second), second);
    }

    /// How a job ends that would run for ever, under these limits.
    fn end(limits: &Limits) -> End {
        let argv = ["sleep", "1000"].map(|word| Word::Text(word.into())).to_vec();
        let job = Job { argv, ..Job::default() };
        let processes = Processes::new(Memory::default(), None).expect("a folder can be made");
        processes.run(&job, Duration::from_secs(900), &limits.cancel()).expect("there is such a program").end
    }

    #[test]
    fn an_interrupt_and_a_deadline_cancel_what_runs_and_nothing_does_without_a_reason() {
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(100)), ..Limits::default() };
        assert_eq!(end(&limits), End::Cancelled);
        let limits = Limits::default();
        assert!(!limits.cancel().is_cancelled());
        let flag = Arc::clone(&limits.interrupt);
        let setting = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            flag.store(true, Ordering::Relaxed);
        });
        assert_eq!(end(&limits), End::Cancelled);
        setting.join().expect("it only sets it");
    }

    #[test]
    fn a_search_ends_after_so_many_passes_in_a_row_without_a_gain() {
        let limits = Limits { idle_passes: NonZeroUsize::new(2), ..Limits::default() };
        let clock = Clock::start(limits, None);
        let ends = [false, true, false, false].map(|has_gained| clock.count_pass(has_gained).is_err());
        assert_eq!(ends, [false, false, false, true]);
        let clock = Clock::start(Limits::default(), None);
        assert!((0..100).all(|_| clock.count_pass(false).is_ok()));
    }

    #[test]
    fn time_in_which_the_journal_answers_does_not_count() {
        let soon = Duration::from_millis(50);
        let clock = Clock::start(Limits { deadline: Some(Instant::now() + soon), ..Limits::default() }, None);
        clock.pause();
        while clock.proceed().is_ok() {}
        clock.resume();
        assert!(clock.proceed().is_ok());
        while clock.proceed().is_ok() {}
        assert!(matches!(clock.proceed(), Err(Stop::Budget)));
        clock.go_on_for(Duration::ZERO);
        assert!(matches!(clock.proceed(), Err(Stop::Budget)));
        clock.lift();
        assert!(clock.proceed().is_ok());
    }
}
