//! Ends work that runs no job when the search has to stop.

use std::rc::Rc;
use std::time::Duration;

use mcve_transforms::{Halt, Halted, until};

use super::limits::{Clock, Stop};
use super::speculation::replica::Replica;

/// Ends work that runs no job when the search has to stop.
pub(crate) struct Timer {
    halt: Halt,
    clock: Clock,
}

impl Timer {
    /// A timer of the search, or of its replica, whose work also ends when its assumptions are wrong.
    pub(super) fn of(clock: Clock, replica: Option<&Replica>) -> Self {
        let halt: Halt = match replica {
            Some(replica) => replica.halt(),
            None => {
                let clock = clock.clone();
                Rc::new(move || clock.proceed().is_err())
            }
        };
        Self { halt, clock }
    }

    /// Does work that runs no job, as long as there is time.
    pub(crate) fn in_time<T>(self, work: impl FnOnce() -> T) -> Result<T, Stop> {
        until(self.halt, work).or_else(|Halted| self.clock.proceed().and(Err(Stop::Interrupted)))
    }

    /// Lets a search go on for so long, whatever its limits were.
    pub(crate) fn go_on_for(&self, time: Duration) {
        self.clock.go_on_for(time);
    }

    /// Lifts all limits, for the last check of a search.
    pub(crate) fn lift_limits(&self) {
        self.clock.lift();
    }
}
