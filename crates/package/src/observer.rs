//! Reports several consecutive reductions as one.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use mcve_reduce::event::{Attempts, Event, Messages, Observer, Stage, Summary};
use mcve_reduce::program::Size;

/// Reports the first start and, on request, the last summary.
struct Stages {
    inner: Box<dyn Observer>,
    is_begun: bool,
    /// The size of what belongs to the program and is not reduced.
    beside: Size,
    /// The summaries of the reductions.
    ends: Vec<Summary>,
}

/// An observer that the reductions share.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<Stages>>);

impl Shared {
    /// Reports to `inner`.
    pub fn new(inner: Box<dyn Observer>) -> Self {
        let beside = Size::default();
        Self(Rc::new(RefCell::new(Stages { inner, is_begun: false, beside, ends: Vec::new() })))
    }

    /// Counts code of this size with the program from here on.
    pub(super) fn count_beside(&self, beside: Size) {
        self.0.borrow_mut().beside = beside;
    }

    pub(super) fn note(&self, message: String) {
        self.0.borrow_mut().inner.event(&Event::Note { message });
    }

    pub(super) fn warn(&self, message: String) {
        self.0.borrow_mut().inner.event(&Event::Warning { message });
    }

    /// Reports what is done now that is no reduction.
    pub(super) fn pass(&self, pass: &'static str, doing: &'static str) {
        self.0.borrow_mut().inner.event(&Event::PassStarted { pass, doing });
    }

    /// Reports the start of a stage, with the dependencies whose sources it adds.
    pub(super) fn begin(&self, stage: Stage, dependencies: &[String]) {
        self.0.borrow_mut().inner.event(&Event::StageStarted { stage, dependencies: dependencies.to_vec() });
    }

    /// Reports the end of a stage, and whether its result is accepted.
    pub(super) fn end(&self, stage: Stage, taken: bool) {
        self.0.borrow_mut().inner.event(&Event::StageEnded { stage, taken });
    }

    /// Drops the result of the last reduction, but keeps its counts of checks.
    pub(super) fn take_back(&self) {
        let ends = &mut self.0.borrow_mut().ends;
        if let (Some(last), Some(before)) = (ends.pop(), ends.last_mut()) {
            before.checks += last.checks;
            before.cache_hits += last.cache_hits;
            before.recalled += last.recalled;
            before.seconds += last.seconds;
        }
    }

    /// Reports the end, with the result of the last reduction and the totals of all. The start is that of the first.
    pub(super) fn finish(&self, last: Summary) {
        let stages = &mut *self.0.borrow_mut();
        let ends = &stages.ends;
        let mut whole = last;
        whole.after += stages.beside;
        whole.one_minimal &= stages.beside.lines == 0;
        if let Some(first) = ends.first() {
            whole.before = first.before;
        }
        let said = |end: &Summary| end.messages.clone();
        let (first, last) = (ends.iter().find_map(said), ends.iter().rev().find_map(said));
        let messages = first.zip(last).map(|(first, last)| Messages { before: first.before, after: last.after });
        whole.messages = messages.filter(|messages| messages.before != messages.after);
        whole.checks = ends.iter().map(|end| end.checks).sum();
        whole.cache_hits = ends.iter().map(|end| end.cache_hits).sum();
        whole.recalled = ends.iter().map(|end| end.recalled).sum();
        whole.seconds = ends.iter().map(|end| end.seconds).sum();
        stages.inner.event(&Event::Finished(Box::new(whole)));
    }
}

impl Observer for Shared {
    fn attempts(&self) -> Attempts {
        self.0.borrow().inner.attempts()
    }

    fn close(&mut self) -> io::Result<()> {
        self.0.borrow_mut().inner.close()
    }

    fn event(&mut self, event: &Event) {
        let stages = &mut *self.0.borrow_mut();
        let mut event = event.clone();
        match &mut event {
            Event::Baseline { size, .. } | Event::Gained { size, .. } | Event::PassEnded { size, .. } => {
                *size += stages.beside;
            }
            Event::Finished(summary) => {
                summary.before += stages.beside;
                summary.after += stages.beside;
            }
            _ => {}
        }
        match event {
            Event::Baseline { .. } if std::mem::replace(&mut stages.is_begun, true) => {}
            // The best program so far is a smaller one.
            Event::Gained { size, .. } | Event::PassEnded { size, .. }
                if stages.ends.iter().any(|end| size.tokens > end.after.tokens) => {}
            Event::Finished(summary) => stages.ends.push(*summary),
            event => stages.inner.event(&event),
        }
    }
}
