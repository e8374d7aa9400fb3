//! How what cargo says of a test is read.

use super::*;
use mcve_dd::outcome::Outcome;

fn result(code: i32, stdout: &str, stderr: &str) -> JobResult {
    let (stdout, stderr) = (stdout.as_bytes().to_vec(), stderr.as_bytes().to_vec());
    JobResult { stdout, stderr, ..JobResult::ended(End::Exited(code)) }
}

const LIB: &str = "error: test failed, to rerun pass `--lib`\n";

fn oracle() -> CargoTest {
    let (args, env, named, ignored, wanted) = Default::default();
    let plain = CargoTest { cargo: "cargo".into(), args, env, named, ignored, wanted };
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
    assert_eq!(oracle().failure().words, "`cargo test` fails: a::b, src/lib.rs - f");
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
    assert_eq!(oracle.failure().words, "`cargo test` fails: --test x");
}

#[test]
fn a_test_that_is_named_has_to_fail_with_its_message() {
    let named = Some(Named { test: "b".to_owned(), message: String::new() });
    let plain = CargoTest { named, wanted: Failing::default(), ignored: Failing::default(), ..oracle() };
    let failing = |message: &str| {
        format!(
            "test a::b ... FAILED\ntest c ... FAILED\n---- a::b stdout ----\nthread 'a::b' panicked at x.rs:1:1:\n{message}\n"
        )
    };
    let bad = result(101, &failing("no 7"), LIB);
    let oracle = plain.between(&result(0, "test a::b ... ok\n", ""), &bad);
    let check =
        |result: &JobResult, outcome, reason: &str| assert_eq!(oracle.verdict(result), Verdict::new(outcome, reason));
    check(&bad, Outcome::Fail, "the same test fails");
    check(&result(101, &failing("no 8"), LIB), Outcome::Fail, "the same test fails");
    check(&result(101, &failing("yes"), LIB), Outcome::Unresolved, "the test fails otherwise: yes");
    check(&result(101, "test a::b ... ok\ntest c ... FAILED\n", LIB), Outcome::Pass, "the test passes");
    check(&result(0, "test ab ... ok\n", ""), Outcome::Unresolved, "the test did not run");
    assert_eq!(oracle.failure().words, "`cargo test b` fails: no _");
}
