//! Why the parts of a result stay: by what the log of its run has.

mod explain;
pub(crate) mod labels;
pub(crate) mod picture;
