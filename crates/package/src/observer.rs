//! Several reductions that follow on each other, reported as one.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use mcve_reduce::event::{Event, Observer, Stage, Summary};

/// Reports the first beginning and, on request, the last end.
struct Stages {
    inner: Box<dyn Observer>,
    is_begun: bool,
    /// The ends, one for each reduction.
    ends: Vec<Summary>,
}

/// One that each reduction can have for its own.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<Stages>>);

impl Shared {
    /// Reports to `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Observer>) -> Self {
        Self(Rc::new(RefCell::new(Stages { inner, is_begun: false, ends: Vec::new() })))
    }

    /// Says something besides.
    pub(super) fn note(&self, message: String) {
        self.0.borrow_mut().inner.event(&Event::Note { message });
    }

    /// Says what goes wrong.
    pub(super) fn warn(&self, message: String) {
        self.0.borrow_mut().inner.event(&Event::Warning { message });
    }

    /// Says that a stage begins, with the sources of these dependencies.
    pub(super) fn begin(&self, stage: Stage, dependencies: &[String]) {
        self.0.borrow_mut().inner.event(&Event::StageStarted { stage, dependencies: dependencies.to_vec() });
    }

    /// Says that it is over, and whether what came of it is taken.
    pub(super) fn end(&self, stage: Stage, is_taken: bool) {
        self.0.borrow_mut().inner.event(&Event::StageEnded { stage, is_taken });
    }

    /// Says that what came of the last reduction is not taken. Its checks were made.
    pub(super) fn take_back(&self) {
        let ends = &mut self.0.borrow_mut().ends;
        if let (Some(last), Some(before)) = (ends.pop(), ends.last_mut()) {
            before.checks += last.checks;
            before.cache_hits += last.cache_hits;
            before.recalled += last.recalled;
            before.wall += last.wall;
        }
    }

    /// Reports the end, with what came of the last reduction, which counts for all.
    pub(super) fn finish(&self, last: Summary) {
        let stages = &mut *self.0.borrow_mut();
        let ends = &stages.ends;
        let mut whole = last;
        if let Some(first) = ends.first() {
            (whole.before, whole.lines_before) = (first.before, first.lines_before);
        }
        // The sources of dependencies that came to what the one before had left.
        for pair in ends.windows(2) {
            whole.before.tokens += pair[1].before.tokens.saturating_sub(pair[0].after.tokens);
            whole.before.bytes += pair[1].before.bytes.saturating_sub(pair[0].after.bytes);
            whole.lines_before += pair[1].lines_before.saturating_sub(pair[0].lines_after);
        }
        whole.checks = ends.iter().map(|end| end.checks).sum();
        whole.cache_hits = ends.iter().map(|end| end.cache_hits).sum();
        whole.recalled = ends.iter().map(|end| end.recalled).sum();
        whole.wall = ends.iter().map(|end| end.wall).sum();
        stages.inner.event(&Event::Finished(Box::new(whole)));
    }
}

impl Observer for Shared {
    fn close(&mut self) -> io::Result<()> {
        self.0.borrow_mut().inner.close()
    }

    fn event(&mut self, event: &Event) {
        let stages = &mut *self.0.borrow_mut();
        match event {
            Event::Baseline { .. } if std::mem::replace(&mut stages.is_begun, true) => {}
            Event::Finished(summary) => stages.ends.push((**summary).clone()),
            event => stages.inner.event(event),
        }
    }
}
