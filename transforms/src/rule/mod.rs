//! What a rule is: it looks at a program and proposes reductions. No family is known here.

pub(crate) mod branches;
pub(crate) mod enumerate;
pub(crate) mod hint;
pub(crate) mod pass;
pub(crate) mod proposals;
pub(crate) mod propose;
pub(crate) mod recount;
pub(crate) mod reduction;
pub(crate) mod transform;
