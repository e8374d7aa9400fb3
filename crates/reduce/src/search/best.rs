//! The best program so far.

use std::rc::Rc;

use mcve_transforms::{Measure, Reduction, Source};

use crate::program::Program;

/// The best program so far, with its size and its syntax tree.
pub(super) struct Best {
    pub(super) program: Program,
    pub(super) measure: Measure,
    /// The program, parsed, once that was asked for.
    source: Option<Rc<Source>>,
}

impl Best {
    pub(super) fn new(program: Program) -> Self {
        Self { measure: program.measure(), program, source: None }
    }

    pub(super) fn source(&mut self) -> Rc<Source> {
        Rc::clone(self.source.get_or_insert_with(|| Rc::new(Source::parse(&*self.program.text))))
    }

    pub(super) fn replace(&mut self, program: Program) {
        program.settle_origin();
        *self = Self::new(program);
    }
}

/// The name of a reduction of `program`: its place and its transform.
pub(super) fn name(program: &Program, reduction: &Reduction) -> String {
    format!("{}: {}", place(program, reduction.site.start), reduction.transform.name)
}

/// The file, the line and the column of a byte of `program`.
pub(super) fn place(program: &Program, byte: usize) -> String {
    let (path, before) = program.place(byte);
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("{}:{line}:{column}", path.display())
}
