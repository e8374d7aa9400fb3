//! Other failures that candidates show, each with the smallest program that shows it.

use std::collections::HashMap;
use std::path::PathBuf;

use mcve_transforms::Measure;

use super::request::Reply;
use crate::event::Find;
use crate::oracle::Oracle;
use crate::oracle::fingerprint::{Fingerprint, OtherFailure};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The other failures that were reported.
pub(super) struct Finds {
    /// The place of programs.
    pub(super) folder: PathBuf,
    /// The size of the smallest program for each.
    pub(super) smallest: HashMap<Fingerprint, Measure>,
}

impl Finds {
    /// The other failure that the check of `program` showed, unless a program that is no larger showed it before.
    pub(super) fn other_failure(&self, oracle: &dyn Oracle, program: &Program, reply: &Reply) -> Option<OtherFailure> {
        let result = reply.result.as_ref().filter(|_| reply.outcome() != Outcome::Fail)?;
        let other = oracle.other_failure(result)?;
        let is_smaller = self.smallest.get(&other.fingerprint).is_none_or(|smallest| program.measure() < *smallest);
        is_smaller.then_some(other)
    }

    /// Records a failure, and returns its report.
    pub(super) fn add(&mut self, oracle: &dyn Oracle, program: &Program, other: OtherFailure) -> Find {
        let mut path = self.folder.join(other.fingerprint.file_name());
        if program.is_lone() {
            // The fingerprint may hold dots.
            path.as_mut_os_string().push(".rs");
        }
        let command = oracle.command(program, &path);
        let (fingerprint, failure) = (other.fingerprint.to_string(), other.words);
        self.smallest.insert(other.fingerprint, program.measure());
        Find { failure, fingerprint, path, command, tokens: program.measure().tokens, program: program.clone() }
    }
}

#[cfg(test)]
mod tests;
