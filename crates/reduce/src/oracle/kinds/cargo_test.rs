//! The oracle of a package: the same tests fail.
//!
//! Only these tests decide whether a version passes: a test that comes with a change mostly fails without it. A version fails
//! only if exactly the same tests do, as one in which more tests fail may fail for another reason.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::exec::job::{End, Job, JobResult, Word};
use crate::oracle::output::panics::Panic;
use crate::oracle::output::run_message::normalised;
use crate::oracle::{FailureId, Oracle, Verdict, shell};
use crate::program::Program;

/// How cargo reports a target that failed: a binary of tests, or the tests in the documentation.
const FAILED: [&str; 2] = ["error: test failed, to rerun pass `", "error: doctest failed, to rerun pass `"];

/// The tests that failed in a run of `cargo test`, and the targets in which one failed or that crashed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failing {
    /// Tests by their names. Those in the documentation are named by the item and not by the line.
    pub tests: BTreeSet<String>,
    /// Targets as arguments of cargo, such as `--lib`.
    pub targets: BTreeSet<String>,
}

impl Failing {
    /// Reads the output of cargo and of the tests. Empty if nothing was built.
    pub fn of(result: &JobResult) -> Self {
        let (stdout, stderr) = (String::from_utf8_lossy(&result.stdout), String::from_utf8_lossy(&result.stderr));
        let test = |line: &str| Some(without_line(line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?));
        let target = |line: &str| {
            let target = FAILED.iter().find_map(|start| line.strip_prefix(start))?;
            Some(target.strip_suffix('`').unwrap_or(target).to_owned())
        };
        Self { tests: stdout.lines().filter_map(test).collect(), targets: stderr.lines().filter_map(target).collect() }
    }

    fn without(self, other: &Self) -> Self {
        Self { tests: &self.tests - &other.tests, targets: &self.targets - &other.targets }
    }

    fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.targets.is_empty()
    }

    /// Whether all of these tests ran and passed. Which tests of a target ran is not known if it crashes.
    fn pass(&self, result: &JobResult) -> bool {
        let stdout = String::from_utf8_lossy(&result.stdout);
        let test = |line: &str| Some(without_line(line.strip_prefix("test ")?.strip_suffix(" ... ok")?));
        let passed: BTreeSet<String> = stdout.lines().filter_map(test).collect();
        !self.tests.is_empty() && self.tests.is_subset(&passed)
    }

    fn words(&self) -> String {
        let named = if self.tests.is_empty() { &self.targets } else { &self.tests };
        let mut words: Vec<&str> = named.iter().take(3).map(String::as_str).collect();
        let more = format!("{} more", named.len() - words.len());
        if named.len() > words.len() {
            words.push(&more);
        }
        words.join(", ")
    }
}

/// The name of a test without the line of the file that its documentation stands in, which changes move.
fn without_line(name: &str) -> String {
    match name.split_once(" (line ") {
        Some((item, rest)) => format!("{item}{}", rest.split_once(')').map_or("", |(_, rest)| rest)),
        None => name.to_owned(),
    }
}

/// A test that a user names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name, with or without the modules that it is in.
    pub test: String,
    /// The message with which it fails, once that is known.
    pub message: String,
}

impl Named {
    /// A test that has not run yet.
    pub fn new(test: &str) -> Self {
        Self { test: test.to_owned(), message: String::new() }
    }

    fn is_meant(&self, test: &str) -> bool {
        test == self.test || test.ends_with(&format!("::{}", self.test))
    }

    fn ended(&self, result: &JobResult, way: &str) -> bool {
        let stdout = String::from_utf8_lossy(&result.stdout);
        let mut lines = stdout.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(way));
        lines.any(|test| self.is_meant(test.trim_end()))
    }

    /// The message of its panic, as cargo repeats it behind all tests.
    fn message(&self, result: &JobResult) -> String {
        let stdout = String::from_utf8_lossy(&result.stdout);
        let is_head = |line: &&str| {
            let name = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----"));
            name.is_some_and(|name| self.is_meant(name))
        };
        let lines = stdout.lines().skip_while(|line| !is_head(line)).skip(1);
        let lines: Vec<String> = lines.take_while(|line| !line.starts_with("---- ")).map(str::to_owned).collect();
        let panic = Panic::first(&lines).map(|panic| panic.message);
        normalised(panic.unwrap_or_default().trim())
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if self.ended(result, "... FAILED") {
            let message = self.message(result);
            return match message == self.message {
                true => Verdict::fail("the same test fails"),
                false => Verdict::unresolved(format!("the test fails otherwise: {message}")),
            };
        }
        match self.ended(result, "... ok") {
            true => Verdict::pass("the test passes"),
            false => Verdict::unresolved("the test did not run"),
        }
    }
}

/// Do the same tests of a package fail?
#[derive(Clone, Debug)]
pub struct CargoTest {
    /// The absolute path of cargo, or rustup's proxy for it.
    pub cargo: OsString,
    /// Arguments behind `cargo test`.
    pub args: Vec<OsString>,
    /// Changes to the environment: a value to set, or `None` to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The only test that counts, if one was named.
    pub named: Option<Named>,
    /// The tests that fail without the failure as well. They are ignored.
    pub ignored: Failing,
    /// The tests that must fail.
    pub wanted: Failing,
}

impl CargoTest {
    /// A copy for the tests that fail in the run `bad` and not in the run `good`.
    #[must_use]
    pub fn between(&self, good: &JobResult, bad: &JobResult) -> Self {
        let ignored = Failing::of(good);
        let named = self.named.as_ref().map(|named| Named { message: named.message(bad), ..named.clone() });
        Self { wanted: Failing::of(bad).without(&ignored), ignored, named, ..self.clone() }
    }
}

impl Oracle for CargoTest {
    fn job(&self, program: &Program) -> Job {
        let mut argv: Vec<Word> = [&self.cargo].into_iter().cloned().map(Word::Text).collect();
        // What the user says behind `--` goes to the tests and comes last.
        argv.extend(["test", "--no-fail-fast", "--target-dir=target"].map(|word| Word::Text(word.into())));
        argv.extend(self.named.iter().map(|named| Word::Text(named.test.clone().into())));
        argv.extend(self.args.iter().cloned().map(Word::Text));
        let mut env = self.env.clone();
        let ours = [("CARGO_TERM_COLOR", Some("never")), ("RUST_BACKTRACE", Some("0")), ("RUST_TEST_NOCAPTURE", None)];
        env.extend(ours.map(|(name, value)| (name.into(), value.map(OsString::from))));
        Job { files: program.files(), argv, env, ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        let failing = Failing::of(result);
        match (&self.named, result.end) {
            (Some(named), End::Exited(0)) => return named.verdict(result),
            (Some(named), End::Exited(_)) if !failing.is_empty() => return named.verdict(result),
            _ => {}
        }
        match result.end {
            End::Exited(0) => return Verdict::pass("all tests pass"),
            End::Exited(_) if failing.is_empty() => {
                let stderr = String::from_utf8_lossy(&result.stderr);
                let why = stderr.lines().find(|line| line.starts_with("error")).unwrap_or("it does not build");
                return Verdict::unresolved(why);
            }
            End::Exited(_) => {}
            end => return Verdict::unresolved(end.to_string()),
        }
        let failing = failing.without(&self.ignored);
        if failing.is_empty() {
            Verdict::pass("no other tests fail than before")
        } else if failing == self.wanted {
            Verdict::fail("the same tests fail")
        } else if self.wanted.pass(result) {
            Verdict::pass("only other tests fail")
        } else {
            Verdict::unresolved(format!("other tests fail: {}", failing.words()))
        }
    }

    fn failure(&self) -> FailureId {
        let words = match &self.named {
            Some(named) => format!("`cargo test {}` fails: {}", named.test, named.message),
            None => format!("`cargo test` fails: {}", self.wanted.words()),
        };
        words.into()
    }

    fn command(&self, _: &Program, path: &Path) -> String {
        let named = self.named.iter().map(|named| OsStr::new(&named.test));
        let args = named.chain(self.args.iter().map(OsString::as_os_str));
        let line = shell::line(["cargo".as_ref(), "test".as_ref()].into_iter().chain(args));
        format!("(cd {} && {line})", shell::quote(path))
    }
}

#[cfg(test)]
mod tests;
