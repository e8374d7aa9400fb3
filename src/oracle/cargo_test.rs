//! The oracle of a package: the same tests fail.
//!
//! What a version passes is told by these tests alone: one that comes with a change mostly fails without it, and says
//! nothing of the failure that is looked for. What a version fails has to be the same whole, as a version in which more fails
//! may fail for another reason.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use super::{Oracle, Verdict, shell};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult, Word};
use crate::program::Program;

/// How cargo tells of a target that failed: a binary of tests, or the tests in the documentation.
const FAILED: [&str; 2] = ["error: test failed, to rerun pass `", "error: doctest failed, to rerun pass `"];

/// What failed in a run of `cargo test`: tests, and targets of which one failed or that crashed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failing {
    /// Tests by their names. Those in the documentation are named by the item and not by the line.
    pub tests: BTreeSet<String>,
    /// Targets as arguments of cargo, such as `--lib`.
    pub targets: BTreeSet<String>,
}

impl Failing {
    /// What failed by the words of cargo and of the tests; nothing where nothing was built.
    #[must_use]
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

    /// Whether all of these tests ran and passed. Of a target that crashes it is not known which ran.
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

/// Do the same tests of a package fail?
#[derive(Clone, Debug)]
pub struct CargoTest {
    /// The absolute path of cargo, or rustup's proxy for it.
    pub cargo: OsString,
    /// Arguments behind `cargo test`.
    pub args: Vec<OsString>,
    /// Changes to the environment: a value to set, or `None` to unset.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// What also fails without the failure, and says nothing.
    pub ignored: Failing,
    /// What fails.
    pub wanted: Failing,
}

impl CargoTest {
    /// The same oracle for what fails in the run `bad` and not in the run `good`.
    #[must_use]
    pub fn between(&self, good: &JobResult, bad: &JobResult) -> Self {
        let ignored = Failing::of(good);
        Self { wanted: Failing::of(bad).without(&ignored), ignored, ..self.clone() }
    }
}

impl Oracle for CargoTest {
    fn job(&self, program: &Program) -> Job {
        let mut argv: Vec<Word> = [&self.cargo].into_iter().cloned().map(Word::Text).collect();
        // What the user says behind `--` goes to the tests and comes last.
        argv.extend(["test", "--no-fail-fast", "--target-dir=target"].map(|word| Word::Text(word.into())));
        argv.extend(self.args.iter().cloned().map(Word::Text));
        let mut env = self.env.clone();
        let ours = [("CARGO_TERM_COLOR", Some("never")), ("RUST_BACKTRACE", Some("0")), ("RUST_TEST_NOCAPTURE", None)];
        env.extend(ours.map(|(name, value)| (name.into(), value.map(OsString::from))));
        Job { files: program.files(), argv, env, ..Job::default() }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        let failing = Failing::of(result);
        match result.end {
            End::Exited(0) => return Verdict::new(Outcome::Pass, "all tests pass"),
            End::Exited(_) if failing.is_empty() => {
                let stderr = String::from_utf8_lossy(&result.stderr);
                let why = stderr.lines().find(|line| line.starts_with("error")).unwrap_or("it does not build");
                return Verdict::new(Outcome::Unresolved, why);
            }
            End::Exited(_) => {}
            end => return Verdict::new(Outcome::Unresolved, end.to_string()),
        }
        let failing = failing.without(&self.ignored);
        if failing.is_empty() {
            Verdict::new(Outcome::Pass, "no other tests fail than before")
        } else if failing == self.wanted {
            Verdict::new(Outcome::Fail, "the same tests fail")
        } else if self.wanted.pass(result) {
            Verdict::new(Outcome::Pass, "only other tests fail")
        } else {
            Verdict::new(Outcome::Unresolved, format!("other tests fail: {}", failing.words()))
        }
    }

    fn failure(&self) -> String {
        format!("`cargo test` fails: {}", self.wanted.words())
    }

    fn command(&self, _: &Program, path: &Path) -> String {
        let args = self.args.iter().map(OsString::as_os_str);
        let line = shell::line(["cargo".as_ref(), "test".as_ref()].into_iter().chain(args));
        format!("(cd {} && {line})", shell::quote(path.as_os_str()))
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn result(code: i32, stdout: &str, stderr: &str) -> JobResult {
        let (stdout, stderr) = (stdout.as_bytes().to_vec(), stderr.as_bytes().to_vec());
        JobResult { stdout, stderr, ..JobResult::ended(End::Exited(code)) }
    }

    const LIB: &str = "error: test failed, to rerun pass `--lib`\n";

    fn oracle() -> CargoTest {
        let (args, env, ignored, wanted) = Default::default();
        let plain = CargoTest { cargo: "cargo".into(), args, env, ignored, wanted };
        let good = result(101, "test old ... FAILED\n", "error: test failed, to rerun pass `--test x`");
        let bad = "test old ... FAILED\ntest a::b ... FAILED\ntest c ... ok\ntest src/lib.rs - f (line 7) ... FAILED\n";
        plain.between(&good, &result(101, bad, &format!("{LIB}error: doctest failed, to rerun pass `--doc`\n")))
    }

    #[track_caller]
    fn check(result: &JobResult, outcome: Outcome, reason: &str) {
        assert_eq!(oracle().verdict(result), Verdict::new(outcome, reason));
    }

    #[test]
    fn the_same_tests_have_to_fail() {
        let both = format!("{LIB}error: doctest failed, to rerun pass `--doc`");
        let doc = "test src/lib.rs - f (line 9) ... FAILED\n";
        check(&result(101, &format!("test a::b ... FAILED\n{doc}"), &both), Outcome::Fail, "the same tests fail");
        check(&result(101, "test a::b ... FAILED\n", LIB), Outcome::Unresolved, "other tests fail: a::b");
        assert_eq!(oracle().failure(), "`cargo test` fails: a::b, src/lib.rs - f");
    }

    #[test]
    fn what_failed_before_says_nothing() {
        let stderr = "error: test failed, to rerun pass `--test x`";
        let reason = "no other tests fail than before";
        check(&result(101, "test old ... FAILED\n", stderr), Outcome::Pass, reason);
        check(&result(0, "", ""), Outcome::Pass, "all tests pass");
    }

    #[test]
    fn other_tests_may_fail_where_these_pass() {
        let stdout = "test a::b ... ok\ntest new ... FAILED\ntest src/lib.rs - f (line 3) ... ok\n";
        check(&result(101, stdout, LIB), Outcome::Pass, "only other tests fail");
        let half = "test a::b ... ok\ntest new ... FAILED\n";
        check(&result(101, half, LIB), Outcome::Unresolved, "other tests fail: new");
    }

    #[test]
    fn what_does_not_build_is_unresolved() {
        let stderr = "   Compiling p\nerror[E0425]: cannot find value\nerror: could not compile `p`\n";
        check(&result(101, "", stderr), Outcome::Unresolved, "error[E0425]: cannot find value");
        let killed = JobResult { end: End::TimedOut, ..result(0, "", "") };
        check(&killed, Outcome::Unresolved, "timed out");
    }

    #[test]
    fn a_target_that_crashes_is_a_failure() {
        let plain = CargoTest { wanted: Failing::default(), ignored: Failing::default(), ..oracle() };
        let crash = result(101, "", "error: test failed, to rerun pass `--test x`\n\nCaused by:\n");
        let oracle = plain.between(&result(0, "", ""), &crash);
        assert_eq!(oracle.verdict(&crash).outcome, Outcome::Fail);
        assert_eq!(oracle.failure(), "`cargo test` fails: --test x");
    }
}
