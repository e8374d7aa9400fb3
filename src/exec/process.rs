//! Plain processes.

/// Stub, replaced.
#[derive(Debug, Default)]
pub struct Cancel;
