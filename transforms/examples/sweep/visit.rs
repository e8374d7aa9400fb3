//! One file of a sweep: all its reductions, each of them applied and checked.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use mcve_transforms::{Source, Tree, Understanding, enumerate, enumerate_trials, transforms};

use crate::single::{Breach, Subject, message};

/// What a visit to a file found.
#[derive(Default)]
pub(crate) struct Visit {
    pub(crate) bytes: usize,
    pub(crate) understanding: Option<Understanding>,
    pub(crate) reductions: usize,
    pub(crate) trials: usize,
    /// How many of these the time sufficed to check.
    pub(crate) checked: usize,
    /// How long it took to parse the file and to enumerate the reductions of all transforms.
    pub(crate) enumeration: Duration,
    /// The transform that took longest, with its time.
    pub(crate) slowest: (&'static str, Duration),
    /// Whether there was time for all.
    pub(crate) finished: bool,
    pub(crate) breaches: Vec<(Breach, &'static str, String)>,
}

/// Enumerates and checks the reductions of `text`, until `limit` has passed.
pub(crate) fn visit(text: &str, limit: Duration) -> Visit {
    let mut visit = Visit { bytes: text.len(), ..Visit::default() };
    let start = Instant::now();
    let whole = catch_unwind(AssertUnwindSafe(|| visit.reductions_of(text, start, limit)));
    if let Err(panic) = whole {
        visit.breaches.push((Breach::Panic, "the parser", message(&*panic)));
    }
    visit
}

impl Visit {
    fn reductions_of(&mut self, text: &str, start: Instant, limit: Duration) {
        let mut all = Vec::new();
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        self.understanding = Some(source.understanding());
        self.enumeration = start.elapsed();
        for transform in transforms() {
            if start.elapsed() > limit {
                return;
            }
            let begin = Instant::now();
            let found = catch_unwind(AssertUnwindSafe(|| enumerate(&tree, transform)));
            let time = begin.elapsed();
            self.enumeration += time;
            self.slowest = self.slowest.max_by_time((transform.name, time));
            match found {
                Ok(found) => {
                    self.reductions += found.len();
                    all.extend(found.into_iter().map(|reduction| (reduction, true)));
                    let trials = enumerate_trials(&tree, transform);
                    self.trials += trials.len();
                    all.extend(trials.into_iter().map(|trial| (trial, false)));
                }
                Err(panic) => self.breaches.push((Breach::Panic, transform.name, message(&*panic))),
            }
        }
        let subject = Subject::of(&tree).moved_to(text);
        // The spans are given back where no source lives.
        drop(tree);
        drop(source);
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

/// The one of two that took longer.
trait Slower {
    fn max_by_time(self, other: Self) -> Self;
}

impl Slower for (&'static str, Duration) {
    fn max_by_time(self, other: Self) -> Self {
        if other.1 > self.1 { other } else { self }
    }
}
