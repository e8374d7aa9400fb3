//! Reports the end of the fork server.

use super::dispatch::Modes;
use crate::event::{Event, Observer};
use crate::exec::shortcut::Shortcut;

/// Reports once that the fork server was closed.
#[derive(Default)]
pub(super) struct ClosedReport {
    is_sent: bool,
}

impl ClosedReport {
    /// Sends the report if the fork server was closed and it was not sent yet.
    pub(super) fn send(&mut self, modes: &Modes, observer: &mut dyn Observer) {
        if !self.is_sent
            && let Some(reason) = modes.shortcut().and_then(Shortcut::closed)
        {
            self.is_sent = true;
            observer.event(&Event::ShortcutClosed { reason: reason.to_owned() });
        }
    }
}
