//! Is nothing else wrong with a program that passes?
//!
//! A script says only that the failure is there or is not: that of a program that does not compile, it is not there. Such
//! a program explains nothing and is of no use, so where a compiler is known it is asked as well.

use std::collections::{BTreeSet, HashMap};

use super::pair::IsolationPair;
use crate::check::limits::Stop;
use crate::exec::job::JobResult;
use crate::oracle::failure::Failure;
use crate::program::{ContentHash, Program};

/// What a compiler said of programs that pass.
#[derive(Default)]
pub(super) struct CompilerErrors {
    /// The errors that the program of the user has by itself.
    errors: Option<BTreeSet<String>>,
    known: HashMap<ContentHash, bool>,
}

impl IsolationPair<'_> {
    /// Whether a compiler finds no error in `program` that the program of the user does not have. Where none is known that
    /// the oracle does not ask itself, nothing is wrong.
    pub(super) fn compiles(&mut self, program: &Program) -> Result<bool, Stop> {
        if let Some(known) = self.compiler_errors.known.get(&program.hash()) {
            return Ok(*known);
        }
        if self.compiler_errors.errors.is_none() {
            let errors = self.checks.compiled(&self.base)?.as_deref().map(errors);
            self.compiler_errors.errors = Some(errors.and_then(Result::ok).unwrap_or_default());
        }
        let result = self.checks.compiled(program)?;
        let before = self.compiler_errors.errors.as_ref().expect("it was just asked");
        let compiles = result.is_none_or(|result| errors(&result).is_ok_and(|errors| errors.is_subset(before)));
        self.compiler_errors.known.insert(program.hash(), compiles);
        Ok(compiles)
    }
}

/// The errors that a compiler found, or those that came with a crash of it.
fn errors(result: &JobResult) -> Result<BTreeSet<String>, BTreeSet<String>> {
    let failures = Failure::all(result);
    let codes = failures.iter().flat_map(|failure| failure.codes.clone()).collect();
    if failures.iter().all(Failure::is_in_program) { Ok(codes) } else { Err(codes) }
}
