//! Kinds of failure that are requested by name: a file each, and a line in the list.

mod accepted;
mod differs;
mod expands;
mod formatter;
mod hangs;
mod incremental;
mod kind;
mod prints;
mod run_with;
mod says;
mod usage;

pub(super) use accepted::Accepted;
pub(super) use expands::Expands;
pub use incremental::default_versions;
pub(super) use kind::{Ask, FailureKind};
pub(super) use prints::Prints;
pub(super) use says::Says;
pub(super) use usage::Usage;

use kind::Add;

/// All kinds. The first requested failure is the one to keep; the others are further conditions.
pub(super) const KINDS: &[Add] =
    &[hangs::add, usage::add, differs::add, incremental::add, formatter::add, prints::add, expands::add, says::add];

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::failure::spec::{Bound, FailureSpec};

    /// The number of kinds in a specification that also asks for a lint.
    #[track_caller]
    fn check(spec: FailureSpec, is_plain: bool) {
        assert_eq!(spec.has_no_kinds(), is_plain);
        let mut spec = spec;
        spec.diagnostics.codes = vec!["unused_mut".to_owned()];
        let ask = Ask { spec: &spec, stdin: None, passes_with: None, toolchain: None, versions: Vec::new() };
        let mut kinds = Vec::new();
        KINDS.iter().try_for_each(|add| add(&ask, &mut kinds)).expect("they do not conflict");
        let says = kinds.iter().filter(|kind| format!("{kind:?}").starts_with("Says")).count();
        assert_eq!((kinds.len(), says), if is_plain { (0, 0) } else { (2, 1) }, "{kinds:?}");
    }

    #[test]
    fn a_lint_is_a_condition_of_each_kind() {
        check(FailureSpec::default(), true);
        check(FailureSpec { force: true, allow_errors: true, ..FailureSpec::default() }, true);
        check(FailureSpec { prints: Some("a".to_owned()), ..FailureSpec::default() }, false);
        let expands_to = Some(regex::Regex::new("a").expect("it is one"));
        check(FailureSpec { expands_to, ..FailureSpec::default() }, false);
        check(FailureSpec { bounds: vec![Bound::Slower(Duration::from_secs(1))], ..FailureSpec::default() }, false);
    }
}
