//! The fork server, confirmed: whether it is of use, and whether what was found by it is so without it.

use std::sync::Arc;

use super::checks::{Checks, request};
use super::limits::Stop;
use super::request::{About, Key, Query, Request, Source};
use crate::dd::outcome::Outcome;
use crate::event::{Event, Observer};
use crate::exec::job::Trust;
use crate::exec::shortcut::Shortcut;
use crate::program::Program;

impl Checks {
    /// Closes the fork server, if there is one, unless `program`, which fails, fails by it as well and it served that check.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn try_fork_server(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<(), Stop> {
        if self.least_trust() == Trust::Likely {
            let job = self.parts.oracle.job(program);
            let reply = self.output(Query::ForkServer, program, &job)?;
            let result = reply.result.expect("who asks for an output gets one");
            let verdict = self.parts.oracle.verdict(&result);
            if verdict.outcome != Outcome::Fail {
                self.close_fork_server(format!("the failure is not the same there: {}", verdict.reason));
            } else if reply.source == Source::Run && !self.parts.modes.shortcut().is_some_and(Shortcut::was_taken) {
                self.close_fork_server("a check has no use for it".to_owned());
            }
        }
        self.tell_closed(observer);
        Ok(())
    }

    /// Whether what is known of `program` is so without the fork server, and in other runs.
    pub(crate) fn is_certain(&self, program: &Program) -> bool {
        if self.parts.repetition.is_some() {
            return self.rechecked.contains(&program.hash());
        }
        self.parts.known.is_certain(Key { text: program.hash(), about: About::Verdict })
    }

    /// Whether `program`, which was seen to fail, fails in a fresh process. If not, the fork server is closed, and no answer
    /// that it gave counts any more.
    ///
    /// This is no check of its own: as many are counted where there is no fork server.
    ///
    /// Where the failure is there in some of the runs only, it is run again instead, as often as it takes.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn confirm(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<bool, Stop> {
        if let Some(rule) = self.parts.repetition.as_ref().map(|repetition| repetition.rule) {
            return self.recheck(rule, program, observer);
        }
        let oracle = Arc::clone(&self.parts.oracle);
        let job = || oracle.job(program);
        let key = Key { text: program.hash(), about: About::Verdict };
        let reply = self.ask(&Request { is_aside: true, ..request(key, &job) })?;
        let verdict = reply.verdict.expect("who asks for a verdict gets one");
        if verdict.outcome == Outcome::Fail {
            return Ok(true);
        }
        self.close_fork_server(format!("a candidate failed there only: {}", verdict.reason));
        self.tell_closed(observer);
        if let Some(board) = self.speculates() {
            board.forget();
        }
        Ok(false)
    }

    fn close_fork_server(&self, why: String) {
        if let Some(shortcut) = self.parts.modes.shortcut() {
            shortcut.close(why);
        }
    }

    /// Tells once that the fork server was closed, by whomever.
    pub(super) fn tell_closed(&mut self, observer: &mut dyn Observer) {
        if !self.told_closed
            && let Some(reason) = self.parts.modes.shortcut().and_then(Shortcut::closed)
        {
            self.told_closed = true;
            observer.event(&Event::ShortcutClosed { reason: reason.to_owned() });
        }
    }
}
