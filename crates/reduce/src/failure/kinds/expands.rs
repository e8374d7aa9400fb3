//! The expansion of the program's macros matches a pattern.

use std::sync::Arc;

use regex::Regex;

use super::kind::{Ask, FailureKind};
use crate::exec::job::JobResult;
use crate::failure::error::FailureError;
use crate::oracle::Oracle;
use crate::oracle::expands::ExpandsOracle;
use crate::oracle::rustc::Rustc;

/// The expansion matches this pattern.
#[derive(Clone, Debug)]
pub(in crate::failure) struct Expands(pub(in crate::failure) Regex);

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if let Some(pattern) = &ask.spec.expands_to {
        kinds.push(Arc::new(Expands(pattern.clone())));
    }
    Ok(())
}

impl FailureKind for Expands {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        Arc::new(ExpandsOracle::new(rustc.clone(), self.0.clone(), seen))
    }
}
