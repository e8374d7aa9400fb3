//! What happens while programs are fuzzed, in words.

use std::collections::BTreeSet;

use super::terminal::Shown;
use mcve_reduce::event::{Ending, Event, Fuzzed, Observer};

/// Reports fuzzing on standard error, a line for each event.
pub(crate) struct FuzzConsole {
    is_quiet: bool,
    /// The other failures that were reported.
    found: BTreeSet<String>,
}

impl FuzzConsole {
    /// Says nothing if `is_quiet`.
    pub(crate) fn new(is_quiet: bool) -> Self {
        Self { is_quiet, found: BTreeSet::new() }
    }
}

impl Observer for FuzzConsole {
    fn event(&mut self, event: &Event) {
        let line = match event {
            Event::Fuzz(event) => describe(event),
            Event::Found(find) if self.found.insert(find.fingerprint.clone()) => {
                format!("  find: {}, kept as {}", find.failure, find.path.display())
            }
            Event::Note { message } => message.clone(),
            Event::Warning { message } => format!("warning: {message}"),
            _ => return,
        };
        if !self.is_quiet {
            Shown::plain(line).say();
        }
    }
}

fn describe(event: &Fuzzed) -> String {
    match event {
        Fuzzed::New { origin, failure, fingerprint: Some(fingerprint) } => {
            format!("{origin}: {failure} ({fingerprint})")
        }
        Fuzzed::New { origin, failure, fingerprint: None } => format!("{origin}: {failure}"),
        Fuzzed::Again { origin, first } => format!("{origin}: as {first}"),
        Fuzzed::Warning { origin, message } => format!("{origin}: warning: {message}"),
        Fuzzed::Kept(summary) => format!(
            "  {}: {} -> {} tokens, {} checks, {:.1} s\n  see it: {}",
            summary.output.iter().map(|path| path.display().to_string()).collect::<String>(),
            summary.before.tokens,
            summary.after.tokens,
            summary.checks,
            summary.seconds,
            summary.command
        ),
        Fuzzed::Finished { ending, programs, failed, ways, seconds } => {
            let ending = match ending {
                Ending::Complete => "done",
                Ending::Budget => "the budget is spent",
                Ending::Interrupted => "interrupted",
            };
            format!("{ending}: {programs} programs, {failed} failed in {ways} ways, {seconds:.1} s")
        }
    }
}
