//! `mcve schema`: what programs that read events can expect.

use mcve_reduce::event;

/// The JSON schema of an event.
pub(super) fn schema() -> String {
    format!("{:#}\n", event::schema())
}
