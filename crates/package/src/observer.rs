//! Reports several consecutive reductions as one.

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use mcve_transforms::Measure;

use mcve_reduce::event::{Event, Observer, Stage, Summary};

/// Reports the first start and, on request, the last summary.
struct Stages {
    inner: Box<dyn Observer>,
    is_begun: bool,
    /// The size of what belongs to the program and is not reduced, and its lines.
    beside: (Measure, usize),
    /// The summaries of the reductions.
    ends: Vec<Summary>,
}

/// An observer that the reductions share.
#[derive(Clone)]
pub struct Shared(Rc<RefCell<Stages>>);

impl Shared {
    /// Reports to `inner`.
    pub fn new(inner: Box<dyn Observer>) -> Self {
        let beside = (Measure::of(""), 0);
        Self(Rc::new(RefCell::new(Stages { inner, is_begun: false, beside, ends: Vec::new() })))
    }

    /// Counts code of this size and so many lines with the program from here on.
    pub(super) fn count_beside(&self, beside: (Measure, usize)) {
        self.0.borrow_mut().beside = beside;
    }

    pub(super) fn note(&self, message: String) {
        self.0.borrow_mut().inner.event(&Event::Note { message });
    }

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

    /// Reports the end, with the result of the last reduction and the totals of all. The start is that of the first.
    pub(super) fn finish(&self, last: Summary) {
        let stages = &mut *self.0.borrow_mut();
        let ends = &stages.ends;
        let mut whole = last;
        add(stages.beside, &mut whole.after, &mut whole.lines_after);
        whole.one_minimal &= stages.beside.1 == 0;
        if let Some(first) = ends.first() {
            (whole.before, whole.lines_before) = (first.before, first.lines_before);
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

/// Adds a size and lines to others.
pub(super) fn add((more, more_lines): (Measure, usize), size: &mut Measure, lines: &mut usize) {
    (size.tokens, size.bytes, *lines) = (size.tokens + more.tokens, size.bytes + more.bytes, *lines + more_lines);
}

impl Observer for Shared {
    fn wants_attempts(&self) -> bool {
        self.0.borrow().inner.wants_attempts()
    }

    fn close(&mut self) -> io::Result<()> {
        self.0.borrow_mut().inner.close()
    }

    fn event(&mut self, event: &Event) {
        let stages = &mut *self.0.borrow_mut();
        let mut event = event.clone();
        match &mut event {
            Event::Baseline { measure, lines, .. }
            | Event::Gained { measure, lines, .. }
            | Event::PassEnded { measure, lines, .. } => add(stages.beside, measure, lines),
            Event::Finished(summary) => {
                add(stages.beside, &mut summary.before, &mut summary.lines_before);
                add(stages.beside, &mut summary.after, &mut summary.lines_after);
            }
            _ => {}
        }
        match event {
            Event::Baseline { .. } if std::mem::replace(&mut stages.is_begun, true) => {}
            // The best program so far is a smaller one.
            Event::Gained { measure, .. } | Event::PassEnded { measure, .. }
                if stages.ends.iter().any(|end| measure.tokens > end.after.tokens) => {}
            Event::Finished(summary) => stages.ends.push(*summary),
            event => stages.inner.event(&event),
        }
    }
}
