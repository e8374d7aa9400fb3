//! Headers that mcve cannot follow.

use std::collections::BTreeSet;

use super::error::{Cause, FailureError};
use super::lookup::Lookup;
use super::note::Note;
use crate::oracle::headers::{Headers, Refused};

impl Lookup<'_> {
    /// The note on headers that are not followed. Fails if the compiled program would be a different one without some of them.
    pub(super) fn check_headers(&self, headers: &[Headers]) -> Result<Option<Note>, FailureError> {
        let names = |of: fn(&Headers) -> &BTreeSet<String>| {
            let names: BTreeSet<&String> = headers.iter().flat_map(of).collect();
            names.into_iter().map(|name| format!("`//@ {name}`")).collect::<Vec<_>>().join(", ")
        };
        let (unsupported, unknown) = (names(|headers| &headers.unsupported), names(|headers| &headers.unknown));
        let crates: BTreeSet<&str> =
            headers.iter().flat_map(|headers| &headers.crates).map(|needed| &*needed.file).collect();
        if !crates.is_empty() && self.program.crates().is_empty() && !self.spec.force {
            let names = crates.into_iter().collect::<Vec<_>>().join(", ");
            return Err(Cause::MissingCrates(names).into());
        }
        let refused: BTreeSet<&Refused> = headers.iter().flat_map(|headers| &headers.refused).collect();
        if !refused.is_empty() {
            return Err(Cause::Untrusted(refused.iter().map(ToString::to_string).collect()).into());
        }
        if !unsupported.is_empty() && !self.spec.force {
            return Err(Cause::UnsupportedHeaders(unsupported).into());
        }
        let all = [unsupported, unknown].into_iter().filter(|names| !names.is_empty()).collect::<Vec<_>>().join(", ");
        Ok((!all.is_empty()).then_some(Note::IgnoredHeaders(all)))
    }
}
