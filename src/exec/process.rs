//! Plain processes.

/// Stub, replaced.
#[derive(Debug, Default, Clone)]
pub struct Cancel;

impl Cancel {
    /// Cancels.
    pub fn cancel(&self) {}
    /// Whether.
    pub fn is_cancelled(&self) -> bool {
        false
    }
}
