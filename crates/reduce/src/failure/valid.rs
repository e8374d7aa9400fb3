//! Requires candidates of a valid program to stay valid when a crash hides errors: checks them in a way that does not crash.

use super::error::FailureError;
use super::held::{Found, FoundOracle, Held};
use super::lookup::Lookup;
use crate::exec::job::JobResult;
use crate::exec::programs;
use crate::oracle::crash::RustcOracle;
use crate::oracle::diagnostics::Stderr;
use crate::oracle::failure::Kind;
use crate::oracle::valid::IsValid;

/// The number of other compilers to try.
const COMPILERS: usize = 8;

/// The code of the error for a feature that is not enabled.
const NOT_ENABLED: &str = "E0658";

impl Lookup<'_> {
    /// The failure, with the condition of validity if a crash hides errors and some way of compiling accepts the program.
    pub(super) fn with_validity(&self, mut found: Found) -> Result<Found, FailureError> {
        let FoundOracle::Rustc(oracle) = &mut found.oracle else { return Ok(found) };
        if self.spec.allow_errors || !found.conditions.is_empty() || !hides_errors(oracle) {
            return Ok(found);
        }
        let rustc = oracle.rustc.clone();
        let compilers = programs::beside(&rustc.program, COMPILERS);
        for valid in IsValid::ways(&rustc, &compilers) {
            let result = self.result_of(&valid.job_of(self.program))?;
            if IsValid::errors(&result).is_some_and(|errors| errors.is_empty()) {
                found.notes.push(format!("the crash hides errors; {valid} finds none, so the result will have none"));
                found.conditions.push(Held::Valid(Box::new(valid)));
                return Ok(found);
            }
            oracle.ways_around.push(valid.way);
        }
        Ok(found)
    }
}

/// Whether a crash may come before errors: not in code generation, nor where the compiler waits for errors first.
fn hides_errors(oracle: &RustcOracle) -> bool {
    let is_early = oracle.rustc.args.iter().any(|arg| arg == "--emit=metadata" || arg == "--emit=dep-info");
    oracle.failure.kind == Kind::Ice && oracle.failure.codes.is_empty() && is_early
}

/// The attributes for the features that a program uses without enabling them, which is an error beside its crash.
pub(super) fn missing_features(result: &JobResult) -> Option<String> {
    let errors = Stderr::read(&result.stderr).diagnostics;
    let errors = errors.iter().filter(|error| error.code_or_lint() == Some(NOT_ENABLED));
    let attributes = errors.flat_map(|error| &error.children).filter_map(|child| {
        let start = child.message.find("#![feature(")?;
        let end = child.message[start..].find(']')?;
        Some(&child.message[start..=start + end])
    });
    let mut attributes: Vec<&str> = attributes.collect();
    attributes.sort_unstable();
    attributes.dedup();
    (!attributes.is_empty()).then(|| attributes.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::job::End;

    #[test]
    fn a_feature_that_is_not_enabled_is_named() {
        let check = |code: &str, help: &str| {
            let line = format!(
                r#"{{"level":"error","code":{{"code":"{code}"}},"message":"m","children":[{{"level":"help","message":"{help}","code":null}}]}}"#
            );
            missing_features(&JobResult { stderr: line.into(), ..JobResult::ended(End::Exited(101)) })
        };
        let added = check("E0658", "add `#![feature(never_type)]` to the crate attributes to enable");
        assert_eq!(added.as_deref(), Some("#![feature(never_type)]"));
        assert_eq!(check("E0308", "add `#![feature(never_type)]`"), None);
        assert_eq!(check("E0658", "see issue #1"), None);
    }
}
