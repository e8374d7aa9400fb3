//! One file of a sweep: all its reductions, each of them applied and checked.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use mcve_transforms::{Analysis, Source, Tree, Understanding, enumerate, enumerate_trials, transforms};

use super::single::{Breach, Subject, message};

/// What a visit to a file found.
#[derive(Default)]
pub(crate) struct Visit {
    pub(crate) bytes: usize,
    pub(crate) understanding: Option<Understanding>,
    pub(crate) reductions: usize,
    pub(crate) trials: usize,
    /// How many of these the time sufficed to check.
    pub(crate) checked: usize,
    /// How long the processor took to parse the file and to enumerate the reductions of all transforms.
    pub(crate) enumeration: Duration,
    /// The transform that took longest, with the time that passed.
    pub(crate) slowest: (&'static str, Duration),
    /// Whether there was time for all.
    pub(crate) finished: bool,
    pub(crate) breaches: Vec<(Breach, &'static str, String)>,
}

/// Enumerates the reductions of `text`, all of them, and checks them until `limit` has passed.
pub(crate) fn visit(text: &str, limit: Duration) -> Visit {
    let mut visit = Visit { bytes: text.len(), ..Visit::default() };
    let whole = catch_unwind(AssertUnwindSafe(|| visit.reductions_of(text, limit)));
    if let Err(panic) = whole {
        visit.breaches.push((Breach::Panic, "the parser", message(&*panic)));
    }
    visit
}

impl Visit {
    fn reductions_of(&mut self, text: &str, limit: Duration) {
        let mut all = Vec::new();
        let clock = Clock::start();
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        self.understanding = Some(source.understanding());
        for transform in transforms() {
            let begin = Instant::now();
            let found = catch_unwind(AssertUnwindSafe(|| enumerate(&names, transform)));
            let time = begin.elapsed();
            if time > self.slowest.1 {
                self.slowest = (transform.name, time);
            }
            match found {
                Ok(found) => all.extend(found.into_iter().map(|reduction| (reduction, true))),
                Err(panic) => self.breaches.push((Breach::Panic, transform.name, message(&*panic))),
            }
        }
        self.reductions = all.len();
        self.enumeration = clock.elapsed();
        for transform in transforms() {
            // It is told once that a transform panics.
            let trials = catch_unwind(AssertUnwindSafe(|| enumerate_trials(&names, transform))).unwrap_or_default();
            all.extend(trials.into_iter().map(|trial| (trial, false)));
        }
        self.trials = all.len() - self.reductions;
        let subject = Subject::of(&tree).moved_to(text);
        // The spans are given back where no source lives.
        drop(tree);
        drop(source);
        let start = Instant::now();
        for (reduction, shrinks) in &all {
            if start.elapsed() > limit {
                return;
            }
            if let Some((breach, words)) = subject.breach(reduction, *shrinks) {
                let story = format!("{words}\n{}", subject.story(reduction));
                self.breaches.push((breach, reduction.transform.name, story));
            }
            self.checked += 1;
        }
        self.finished = true;
    }
}

/// The time that this thread has run for, so that what else the machine does is no matter; the time that passes, where the
/// system does not tell.
struct Clock {
    start: Instant,
    /// What the thread had run for before.
    ran: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { start: Instant::now(), ran: Self::ran() }
    }

    fn elapsed(&self) -> Duration {
        let ran = Self::ran().zip(self.ran).map(|(now, before)| now.saturating_sub(before));
        ran.unwrap_or_else(|| self.start.elapsed())
    }

    /// What Linux says that this thread has run for.
    fn ran() -> Option<Duration> {
        let figures = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(figures.split_whitespace().next()?.parse().ok()?))
    }
}
