//! The identity of the failure of a program that is run.
//!
//! The message is not enough: a `panic!` with the same words anywhere is smaller. So the failure includes the function of the
//! program in which it happens, and the functions from which the failing expression gets its values.
//!
//! A program may catch a panic and fail later. So the failure includes what ends the program, if not the panic itself.

use std::fmt;

use mcve_transforms::{Analysis, FailingSite, Source, Tree};
use rustix::process::Signal;

use crate::exec::job::{End, JobResult};
use crate::oracle::output::panics::Panic;
use crate::oracle::output::places::byte;
use crate::oracle::output::run_message::{ASSERTED, OVERFLOW, masked, normalised, reason};
use crate::program::Program;

/// The identity of the failure of a program that is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFailure {
    /// The kind of failure.
    pub kind: RunKind,
    /// The message, with `_` for what depends on the program. Empty where there is none.
    pub message: String,
    /// The message as it was written, for people.
    pub said: String,
    /// Where in the program, if that is known.
    pub site: FailingSite,
}

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    Panic,
    /// The program ended with this exit code, which is not 0.
    Exit(i32),
    /// A signal ended the program.
    Signal(i32),
}

const OWN_PANIC: &str = "explicit panic";

/// The exit code of a program whose `main` panics.
const OF_PANIC: i32 = 101;

/// The signal by which it ends where a panic aborts.
const ABORT: i32 = Signal::ABORT.as_raw();

/// Signals that a user, the system or a limit sends, rather than a fault of the process.
const FROM_OUTSIDE: [Signal; 6] = [Signal::HUP, Signal::INT, Signal::KILL, Signal::PROF, Signal::TERM, Signal::XCPU];

impl RunFailure {
    /// The failure of a run of `program`; none if it passes, does not compile or does not end.
    pub(crate) fn read(result: &JobResult, program: &Program) -> Option<Self> {
        let kind = match result.end {
            _ if result.failed_step.is_some() => return None,
            End::Exited(0) | End::TimedOut | End::Cancelled => return None,
            end if is_of_limit(end) => return None,
            End::Exited(code) => RunKind::Exit(code),
            End::Signalled(signal) => RunKind::Signal(signal),
        };
        let lines = result.error_lines();
        let Some((panics, failing)) = panics(&lines, result.end) else {
            let said = reason(&lines, result);
            return Some(Self { kind, message: normalised(&said), said, site: FailingSite::default() });
        };
        let site = place_of(&panics[failing], program).map_or_else(FailingSite::default, |byte| {
            let source = Source::parse(&*program.text);
            FailingSite::at(&Analysis::of(&Tree::new(&source)), byte)
        });
        let both = |said: &str| (normalised(said), said.to_owned());
        let mut said = vec![both(panics[failing].message.trim())];
        said.extend(panics.last().map(|last| both(last.message.trim())));
        let reason = both(&reason(&lines, result));
        if !matches!(kind, RunKind::Exit(OF_PANIC) | RunKind::Signal(ABORT)) || reason.1 == OVERFLOW {
            said.push((ended(kind), ended(kind)));
            let is_new = said.iter().all(|(message, _)| *message != reason.0);
            said.extend(is_new.then_some(reason));
        }
        said.dedup_by(|one, other| one.0 == other.0);
        said.retain(|(message, _)| !message.is_empty());
        let (message, said): (Vec<String>, Vec<String>) = said.into_iter().unzip();
        Some(Self { kind: RunKind::Panic, message: message.join("\n"), said: said.join("\n"), site })
    }

    /// The failure in `program`, which is traced, with the names that its functions have in the unreduced program.
    pub(crate) fn named_by_origin(mut self, program: &Program) -> Self {
        let named = |name: String| program.words_behind(&name).into_iter().min().map_or(name.clone(), str::to_owned);
        self.site.function = self.site.function.map(named);
        self.site.calls = self.site.calls.into_iter().map(named).collect();
        self
    }

    /// The failure of the test `name` of `program`, whose last statement fails if no panic names another one.
    pub(crate) fn of_test(mut self, name: &str, program: &Program) -> Self {
        let source = Source::parse(&*program.text);
        self.site = FailingSite::at_end_of(&Analysis::of(&Tree::new(&source)), name);
        self
    }

    /// The failure without the values that are others in `again`, a second run of the same program: addresses, times.
    pub(crate) fn without_varying(self, again: Option<&Self>) -> Self {
        let message = masked(&self.message);
        let varies = again.is_some_and(|again| self.message != again.message && message == masked(&again.message));
        if varies { Self { message, ..self } } else { self }
    }

    /// Why the other is not the same failure; none if it is.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let is_said = self.message == other.message || self.message == masked(&other.message);
        if self.kind != other.kind || !is_said {
            return Some(format!("another failure: {other}"));
        }
        if self.site.function != other.site.function {
            return Some(format!("the same message elsewhere: {other}"));
        }
        let missing = self.site.calls.difference(&other.site.calls).next()?;
        Some(format!("what fails no longer depends on `{missing}`"))
    }

    /// Whether the program crashed by itself: mcve writes `panic!()`, and stops what takes too long.
    pub(crate) fn is_crash(&self) -> bool {
        match self.kind {
            RunKind::Panic => self.message != OWN_PANIC,
            RunKind::Signal(signal) => !is_from_outside(signal),
            RunKind::Exit(_) => false,
        }
    }

    /// Whether `program` still has the code that fails, so that a run which passes proves something.
    pub(crate) fn is_tested_by(&self, program: &Program) -> bool {
        let source = Source::parse(&*program.text);
        self.site.is_kept_in(&Analysis::of(&Tree::new(&source)))
    }

    /// Whether `main` or a test asserts something that does not hold.
    pub(crate) fn is_asserted(&self) -> bool {
        self.site.is_entry && self.message.starts_with("assertion ")
    }

    /// Whether the failure is in the values that the program computes.
    pub(crate) fn is_of_values(&self) -> bool {
        self.site.is_entry || self.message.starts_with("assertion ")
    }
}

impl fmt::Display for RunFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ended(self.kind))?;
        if let Some(function) = &self.site.function {
            write!(f, " in `{function}`")?;
        }
        if !self.said.is_empty() {
            write!(f, ": {}", self.said.lines().map(str::trim).collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }
}

/// The byte of `program` at which its run panicked; none if it did not, or elsewhere.
pub(crate) fn failing_byte(result: &JobResult, program: &Program) -> Option<usize> {
    let lines = result.error_lines();
    let (panics, failing) = panics(&lines, result.end)?;
    place_of(&panics[failing], program)
}

/// The number of panics before the one by which a run fails.
pub(crate) fn panics_before(result: &JobResult) -> usize {
    panics(&result.error_lines(), result.end).map_or(0, |(_, failing)| failing)
}

/// The message of a failing run as the program wrote it, in one line; none where it says nothing, or the source of an assertion.
pub(crate) fn message(result: &JobResult) -> Option<String> {
    let lines = result.error_lines();
    let panic = panics(&lines, result.end).map(|(mut panics, failing)| panics.swap_remove(failing).message);
    let written = panic.unwrap_or_else(|| reason(&lines, result));
    let message = written.lines().map(str::trim).collect::<Vec<_>>().join(", ");
    (!message.is_empty() && !message.starts_with(ASSERTED)).then_some(message)
}

/// What a check says last, the message of a panic or its last line, with `_` for numbers and paths.
pub fn last_words(result: &JobResult) -> String {
    let [stdout, stderr] = [&result.stdout, &result.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let lines: Vec<String> = stdout.lines().chain(stderr.lines()).map(str::to_owned).collect();
    let last = || lines.iter().rfind(|line| !line.trim().is_empty()).cloned();
    let said = Panic::all(&lines).last().map(|panic| panic.message).or_else(last).unwrap_or_default();
    // Codes of errors begin with a capital letter.
    let varies =
        |word: &str| word.contains('/') || word.contains(char::is_numeric) && !word.starts_with(char::is_uppercase);
    said.split_whitespace().map(|word| if varies(word) { "_" } else { word }).collect::<Vec<_>>().join(" ")
}

/// The innermost place of a panic that is in the program.
fn place_of(panic: &Panic<'_>, program: &Program) -> Option<usize> {
    let frames = panic.lines.iter().filter_map(|line| line.trim().strip_prefix("at "));
    let files = program.files();
    [panic.place].into_iter().chain(frames).find_map(|place| byte(place, program, &files))
}

/// The panics of a run with these lines, and which of them it fails by; none if there are none. A thread that panics twice has caught
/// the first, unless the second came during unwinding, which aborts. Of several threads that panic, the first leads to the others.
fn panics(lines: &[String], end: End) -> Option<(Vec<Panic<'_>>, usize)> {
    let panics: Vec<Panic<'_>> = Panic::all(lines).collect();
    let thread = panics.first()?.thread;
    let is_caught = panics.iter().all(|panic| panic.thread == thread) && end != End::Signalled(ABORT);
    let failing = if is_caught { panics.len() - 1 } else { 0 };
    Some((panics, failing))
}

/// Whether a limit of processor time ended the process.
pub(crate) fn is_of_limit(end: End) -> bool {
    [Signal::PROF, Signal::XCPU].iter().any(|signal| end == End::Signalled(signal.as_raw()))
}

/// Whether a signal most likely comes from outside of the process.
pub(crate) fn is_from_outside(signal: i32) -> bool {
    FROM_OUTSIDE.map(Signal::as_raw).contains(&signal)
}

fn ended(kind: RunKind) -> String {
    match kind {
        RunKind::Panic => "panic".to_owned(),
        RunKind::Exit(code) => End::Exited(code).to_string(),
        RunKind::Signal(signal) => End::Signalled(signal).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn f() -> u8 { 1 }\nfn main() { assert_eq!(f(), 2); }\n";

    fn read(end: End, stderr: &str) -> Option<RunFailure> {
        RunFailure::read(&JobResult { stderr: stderr.into(), ..JobResult::ended(end) }, &Program::new("a.rs", TEXT))
    }

    #[track_caller]
    fn check(end: End, stderr: &str, kind: RunKind, message: &str, function: Option<&str>) {
        let failure = read(end, stderr).expect("it fails");
        assert_eq!((failure.kind, &*failure.message, failure.site.function.as_deref()), (kind, message, function));
    }

    #[test]
    fn a_panic_is_its_message_and_its_function() {
        let report = "\nthread 'main' (7) panicked at a.rs:2:13:\nassertion `left == right` failed\n  left: 1\n right: 2\nnote: run with\n";
        let message = "assertion `left == right` failed\n  left: 1\n right: 2";
        check(End::Exited(101), report, RunKind::Panic, message, Some("main"));
        let failure = read(End::Exited(101), report).expect("it fails");
        assert_eq!(failure.site.calls.iter().collect::<Vec<_>>(), ["f"]);
        assert!(failure.is_of_values());
        let moved = report.replace("2:13", "1:16");
        assert_eq!(
            failure.difference(&read(End::Exited(101), &moved).expect("it fails")).as_deref(),
            Some("the same message elsewhere: panic in `f`: assertion `left == right` failed, left: 1, right: 2")
        );
        assert_eq!(failure.difference(&failure), None);
        let other = RunFailure {
            site: FailingSite { calls: std::iter::empty().collect(), ..failure.site.clone() },
            ..failure.clone()
        };
        assert_eq!(failure.difference(&other).as_deref(), Some("what fails no longer depends on `f`"));
        assert_eq!(other.difference(&failure), None);
    }

    #[test]
    fn numbers_and_quotations_may_vary_where_nobody_compared_them() {
        let report = "thread 'main' panicked at a.rs:1:1:\nno \"x\\\"y\" in 0x7f at 3.5 of 17\n";
        check(End::Signalled(6), report, RunKind::Panic, "no _ in _ at _ of _", Some("f"));
        let report = "thread 'main' panicked at a.rs:1:1:\nassertion failed: a.b(1)\n";
        check(End::Exited(101), report, RunKind::Panic, "assertion failed", Some("f"));
    }

    #[test]
    fn a_panic_elsewhere_is_in_the_innermost_frame_of_the_program() {
        let report = "thread 'main' panicked at library/alloc/src/x.rs:1:1:\nfull\nstack backtrace:\n   0: core::x\n             at /rustc/1/library/a.rs:3:4\n   1: a::main\n             at ./a.rs:2:3\n";
        check(End::Exited(101), report, RunKind::Panic, "full", Some("main"));
        let report = &report.replace("./a.rs", "/tmp/checks/1/work/a.rs").replace("library/a.rs", "a.rs");
        check(End::Exited(101), report, RunKind::Panic, "full", Some("main"));
    }

    #[test]
    fn a_panic_that_was_caught_is_not_the_failure() {
        let caught = "thread 'main' (7) panicked at a.rs:1:16:\nrecovered\nnote: run with `RUST_BACKTRACE=1`\n";
        let real = "thread 'main' (7) panicked at a.rs:2:13:\nreal\n";
        check(End::Exited(101), &format!("{caught}{real}"), RunKind::Panic, "real", Some("main"));
        // Here it is what ends the program.
        let aborts = format!("{caught}{real}thread caused non-unwinding panic. aborting.\n");
        let message = "recovered\nreal\nthread caused non-unwinding panic. aborting.";
        check(End::Signalled(6), &aborts, RunKind::Panic, message, Some("f"));
        let other_thread = format!("{}{real}", caught.replace("'main' (7)", "'<unnamed>' (8)"));
        check(End::Exited(101), &other_thread, RunKind::Panic, "recovered\nreal", Some("f"));
        let exits = format!("{caught}bad sum\n");
        check(End::Exited(3), &exits, RunKind::Panic, "recovered\nexit code 3\nbad sum", Some("f"));
        check(End::Exited(3), caught, RunKind::Panic, "recovered\nexit code 3", Some("f"));
    }

    #[test]
    fn a_program_may_end_without_a_panic() {
        check(End::Exited(1), "warn\nError: Bad(\"x\", 3)\n", RunKind::Exit(1), "Error: Bad(_, _)", None);
        check(End::Exited(1), "Error: \"line 3: no x\"\n", RunKind::Exit(1), "Error: \"line _: no x\"", None);
        check(End::Exited(3), "", RunKind::Exit(3), "", None);
        check(End::Exited(2), "begun\nno file 7\n\n", RunKind::Exit(2), "no file _", None);
        check(End::Signalled(6), "thread 'main' (1) has overflowed its stack\n", RunKind::Signal(6), OVERFLOW, None);
        let report = "==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x7\n";
        check(End::Exited(1), report, RunKind::Exit(1), "AddressSanitizer: heap-use-after-free", None);
        assert_eq!(read(End::Exited(0), "thread 'x' panicked at a.rs:1:1:\nx\n"), None);
        assert_eq!(read(End::TimedOut, ""), None);
    }
}
