//! The list of all kinds.

use std::sync::Arc;

use super::kind::{Ask, FailureKind};
use super::{differs, expands, formatter, hangs, prints, says, usage};
use crate::failure::error::FailureError;

/// Adds the failures of a kind that are asked for to those that come before.
type Add = fn(&Ask<'_>, &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError>;

/// All kinds. The first failure that is asked for is the one to keep; the others have to hold besides.
const KINDS: [Add; 7] = [hangs::add, usage::add, differs::add, formatter::add, prints::add, expands::add, says::add];

/// The failures that are asked for by name, the one to keep first.
///
/// # Errors
/// When they cannot be kept together, or a program that they need is not there.
pub(in crate::failure) fn asked(ask: &Ask<'_>) -> Result<Vec<Arc<dyn FailureKind>>, FailureError> {
    let mut kinds = Vec::new();
    KINDS.iter().try_for_each(|add| add(ask, &mut kinds))?;
    Ok(kinds)
}
