//! Reports several consecutive reductions as one.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use mcve_reduce::event::{Event, Observer, Stage, Summary};

/// Reports the first start and, on request, the last summary.
struct Stages {
    inner: Box<dyn Observer>,
    is_begun: bool,
    /// The summaries of the reductions.
    ends: Vec<Summary>,
}

/// An observer that the reductions share.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<Stages>>);

impl Shared {
    /// Reports to `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Observer>) -> Self {
        Self(Rc::new(RefCell::new(Stages { inner, is_begun: false, ends: Vec::new() })))
    }

    /// Reports a note.
    pub(super) fn note(&self, message: String) {
        self.0.borrow_mut().inner.event(&Event::Note { message });
    }

    /// Reports a warning.
    pub(super) fn warn(&self, message: String) {
        self.0.borrow_mut().inner.event(&Event::Warning { message });
    }

    /// Reports what is done now that is no reduction.
    pub(super) fn pass(&self, pass: &'static str) {
        self.0.borrow_mut().inner.event(&Event::PassStarted { pass });
    }

    /// Reports the start of a stage, with the dependencies whose sources it adds.
    pub(super) fn begin(&self, stage: Stage, dependencies: &[String]) {
        self.0.borrow_mut().inner.event(&Event::StageStarted { stage, dependencies: dependencies.to_vec() });
    }

    /// Reports the end of a stage, and whether its result is accepted.
    pub(super) fn end(&self, stage: Stage, is_taken: bool) {
        self.0.borrow_mut().inner.event(&Event::StageEnded { stage, is_taken });
    }

    /// Drops the result of the last reduction, but keeps its counts of checks.
    pub(super) fn take_back(&self) {
        let ends = &mut self.0.borrow_mut().ends;
        if let (Some(last), Some(before)) = (ends.pop(), ends.last_mut()) {
            before.checks += last.checks;
            before.cache_hits += last.cache_hits;
            before.recalled += last.recalled;
            before.wall += last.wall;
        }
    }

    /// Reports the end, with the result of the last reduction and the totals of all.
    pub(super) fn finish(&self, last: Summary) {
        let stages = &mut *self.0.borrow_mut();
        let ends = &stages.ends;
        let mut whole = last;
        if let Some(first) = ends.first() {
            (whole.before, whole.lines_before) = (first.before, first.lines_before);
        }
        // Adds the sources of dependencies that were added to the previous result.
        for pair in ends.windows(2) {
            whole.before.tokens += pair[1].before.tokens.saturating_sub(pair[0].after.tokens);
            whole.before.bytes += pair[1].before.bytes.saturating_sub(pair[0].after.bytes);
            whole.lines_before += pair[1].lines_before.saturating_sub(pair[0].lines_after);
        }
        let said = |end: &Summary| end.messages.clone();
        let (first, last) = (ends.iter().find_map(said), ends.iter().rev().find_map(said));
        let messages = first.zip(last).map(|((before, _), (_, after))| (before, after));
        whole.messages = messages.filter(|(before, after)| before != after);
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
