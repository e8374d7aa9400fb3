//! Words for times, outcomes and endings.

use std::time::Duration;

use indicatif::HumanDuration;

use mcve_dd::outcome::Outcome;
use mcve_reduce::event::Ending;

/// A time for people.
pub(super) fn time(wall: Duration) -> String {
    let seconds = HumanDuration(Duration::from_secs(wall.as_secs()));
    if wall.as_secs() < 60 { format!("{:.1} s", wall.as_secs_f64()) } else { seconds.to_string() }
}

/// The word for an outcome.
pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fail => "fail",
        Outcome::Pass => "pass",
        Outcome::Unresolved => "unresolved",
    }
}

/// The word for how a run ended.
pub(super) fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Budget => "budget",
        Ending::Interrupted => "interrupted",
    }
}
