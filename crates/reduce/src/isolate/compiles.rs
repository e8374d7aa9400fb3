//! Checks whether a program that passes compiles.
//!
//! A script says only whether the failure is there. A program that does not compile lacks the failure trivially and explains nothing,
//! so where a compiler is known it is asked as well.

use std::collections::{BTreeSet, HashMap};

use crate::check::checks::Checks;
use crate::check::limits::Stop;
use crate::check::queries::compiled;
use crate::exec::job::JobResult;
use crate::oracle::failure::Failure;
use crate::program::{ContentHash, Program};

/// Which programs that pass compile, where no error counts that the unreduced program has as well.
pub(super) struct CompilerErrors {
    unreduced: Program,
    /// The errors of the unreduced program, once they are known.
    errors: Option<BTreeSet<String>>,
    known: HashMap<ContentHash, bool>,
}

impl CompilerErrors {
    pub(super) fn beyond(unreduced: Program) -> Self {
        Self { unreduced, errors: None, known: HashMap::new() }
    }

    /// Whether a compiler finds no new error in `program`. True if the oracle knows no compiler that it does not ask itself.
    pub(super) fn are_none_in(&mut self, program: &Program, checks: &mut Checks) -> Result<bool, Stop> {
        if let Some(known) = self.known.get(&program.hash()) {
            return Ok(*known);
        }
        if self.errors.is_none() {
            let errors = compiled(checks, &self.unreduced)?.as_deref().map(errors);
            self.errors = Some(errors.and_then(Result::ok).unwrap_or_default());
        }
        let result = compiled(checks, program)?;
        let before = self.errors.as_ref().expect("it was just asked");
        let compiles = result.is_none_or(|result| errors(&result).is_ok_and(|errors| errors.is_subset(before)));
        self.known.insert(program.hash(), compiles);
        Ok(compiles)
    }
}

/// The errors that a compiler found, or those that came with a crash of it.
fn errors(result: &JobResult) -> Result<BTreeSet<String>, BTreeSet<String>> {
    let failures = Failure::all(result);
    let codes = failures.iter().flat_map(|failure| failure.codes.clone()).collect();
    if failures.iter().all(Failure::is_in_program) { Ok(codes) } else { Err(codes) }
}
