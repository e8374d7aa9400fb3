//! Says that something takes long while it goes on.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, Builder};
use std::time::Duration;

use mcve_transforms::STACK;

use crate::event::{Event, Observer};

/// Runs `work` with [`STACK`] bytes of stack. If that takes longer than `patience`, `observer` gets a note with this text.
///
/// # Panics
/// When `work` panics.
pub(super) fn with_notice<T: Send>(
    patience: Duration,
    text: &str,
    observer: &mut dyn Observer,
    work: impl FnOnce() -> T + Send,
) -> T {
    thread::scope(|scope| {
        let (ends, end) = channel::<()>();
        let work = move || {
            let _dropped_at_the_end = ends;
            work()
        };
        let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("threads can be had");
        if end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
            observer.event(&Event::Note { message: text.to_owned() });
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Sender;

    use super::*;

    /// Counts notes. Each of them is passed on.
    struct Notes(usize, Sender<()>);

    impl Observer for Notes {
        fn event(&mut self, _: &Event) {
            self.0 += 1;
            self.1.send(()).expect("somebody waits for it");
        }
    }

    #[test]
    fn only_what_takes_long_is_announced() {
        let (sender, noted) = channel();
        let mut notes = Notes(0, sender);
        assert_eq!(with_notice(Duration::from_secs(600), "slow", &mut notes, || 7), 7);
        assert_eq!(notes.0, 0);
        let ends_once_noted = move || noted.recv().expect("it is announced");
        with_notice(Duration::ZERO, "slow", &mut notes, ends_once_noted);
        assert_eq!(notes.0, 1);
    }
}
