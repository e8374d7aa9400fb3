//! Rules: functions that look at a program and propose reductions. This module knows no family.
//! What others import most has a short path here.

pub(crate) mod branches;
pub(crate) mod enumerate;
pub(crate) mod pass;
pub(crate) mod proposals;
pub(crate) mod propose;
pub(crate) mod recount;
pub(crate) mod reduction;
pub(crate) mod transform;

pub(crate) use proposals::Proposals;
pub(crate) use propose::{elements, parts};
pub(crate) use reduction::Reduction;
pub(crate) use transform::{Hint, Rule, Transform, family};
