//! The fork server, confirmed: whether it is of use, and whether a failure that it showed shows in a fresh process.

use super::checks::Checks;
use super::flaky::{recheck, turns_out_flaky};
use super::limits::Stop;
use super::modes::SLOW;
use super::queries::output;
use super::request::{About, Key, Query, Source};
use super::speculation::speculates;
use crate::event::Observer;
use crate::exec::job::Trust;
use crate::exec::shortcut::Shortcut;
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// Closes the fork server, if there is one, unless `program`, which fails, fails in it as well and it served that check. Where a check
/// takes long, this is put off until a program is confirmed whose check does not.
pub(crate) fn try_fork_server(checks: &mut Checks, program: &Program, observer: &mut dyn Observer) -> Result<(), Stop> {
    let job = checks.oracle().job(program);
    if !checks.parts.modes.is_worth(&job) {
        checks.parts.modes.put_off();
    } else if checks.least_trust() == Trust::Likely {
        let reply = output(checks, Query::ForkServer, program, &job)?;
        let result = reply.result.expect("who asks for an output gets one");
        let verdict = checks.oracle().verdict(&result);
        if verdict.outcome != Outcome::Fail {
            close_fork_server(checks, format!("the failure is not the same there: {}", verdict.reason));
        } else if reply.source == Source::Run
            && !checks.parts.modes.executor.shortcut().is_some_and(Shortcut::was_taken)
        {
            close_fork_server(checks, "a check has no use for it".to_owned());
        }
    }
    checks.report_closing(observer);
    Ok(())
}

/// Whether the verdict on `program` holds without the fork server, and in other runs.
pub(crate) fn is_certain(checks: &Checks, program: &Program) -> bool {
    if checks.parts.repetition.is_some() {
        return checks.rechecked.contains(&program.hash());
    }
    checks.parts.known.get(Key::verdict(program)).is_some_and(|reply| reply.trust == Trust::Certain)
}

/// Checks whether `program`, which was seen to fail, fails in a fresh process. If not, closes the fork server and forgets its
/// answers. Where the failure shows in some of the runs only, reruns it as often as that takes.
///
/// This does not count as a check: as many are counted without a fork server.
pub(crate) fn confirm(checks: &mut Checks, program: &Program, observer: &mut dyn Observer) -> Result<bool, Stop> {
    if checks.parts.repetition.is_some() {
        return recheck(checks, program, observer);
    }
    let reply = checks.certain_reply(program, About::Verdict)?;
    let verdict = reply.verdict.expect("who asks for a verdict gets one");
    if verdict.outcome == Outcome::Fail {
        if checks.parts.modes.is_put_off() && reply.wall < SLOW {
            checks.parts.modes.begin(reply.wall);
            try_fork_server(checks, program, observer)?;
        }
        return Ok(true);
    }
    if turns_out_flaky(checks, observer)? {
        return recheck(checks, program, observer);
    }
    close_fork_server(checks, format!("a candidate failed there only: {}", verdict.reason));
    checks.report_closing(observer);
    if let Some(board) = speculates(checks) {
        board.forget();
    }
    Ok(false)
}

fn close_fork_server(checks: &Checks, why: String) {
    if let Some(shortcut) = checks.parts.modes.executor.shortcut() {
        shortcut.close(why);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::check::testing::{Events, shortcut};

    #[test]
    fn where_checks_take_long_the_fork_server_is_tried_on_the_first_program_where_they_do_not() {
        for (quick, is_open) in [(Outcome::Fail, true), (Outcome::Pass, false)] {
            let (mut checks, mut events) = (shortcut(1, |_| Outcome::Fail, move |_| quick), Events::default());
            checks.parts.modes.begin(Duration::from_secs(10));
            try_fork_server(&mut checks, &Program::new("a.rs", "large"), &mut events).expect("nothing stops it");
            assert_eq!((checks.least_trust(), events.0.len()), (Trust::Certain, 0));
            let small = Program::new("a.rs", "small");
            assert!(confirm(&mut checks, &small, &mut events).expect("nothing stops it"));
            assert_eq!((checks.least_trust() == Trust::Likely, events.0.is_empty()), (is_open, is_open));
        }
    }
}
