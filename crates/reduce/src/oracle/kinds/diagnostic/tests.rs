//! Tests of the oracle of a diagnostic.

use super::*;
use crate::oracle::headers::Headers;
use mcve_dd::outcome::Outcome;

/// What rustc prints where it says this: levels, codes and messages.
fn said(end: i32, said: &[(&str, &str, &str)]) -> JobResult {
    let line = |(level, code, message): &(&str, &str, &str)| {
        format!(
            "{{\"level\":\"{level}\",\"code\":{{\"code\":\"{code}\"}},\"message\":\"{message}\",\"rendered\":null}}\n"
        )
    };
    let stderr: String = said.iter().map(line).collect();
    JobResult { stderr: stderr.into(), ..JobResult::ended(End::Exited(end)) }
}

const BORROWED: (&str, &str, &str) = ("error", "E0499", "cannot borrow `a` as mutable twice");
const OTHER: (&str, &str, &str) = ("error", "E0308", "mismatched types");

#[track_caller]
fn check(detail: Detail, end: i32, now: &[(&str, &str, &str)], outcome: Outcome, reason: &str) {
    let rustc = Rustc::new("rustc".into(), &Headers::default(), &[], Path::new("/"));
    let program = Program::new("a.rs", "fn main() { let mut a = 1; }");
    let wanted = Wanted::default();
    let held = Held::of(&said(1, &[BORROWED, OTHER]), &program, &wanted).expect("it shows an error");
    let oracle = DiagnosticOracle { rustc, wanted, held, detail, allow_errors: false, has_proc_macros: false };
    assert_eq!(oracle.failure().words, "error E0499: cannot borrow `a` as mutable twice");
    assert_eq!(oracle.verdict(&said(end, now)), Verdict::new(outcome, reason));
}

#[test]
fn the_first_error_is_held_and_the_others_may_go() {
    let all = Detail::Notes;
    check(all, 1, &[BORROWED], Outcome::Fail, "the same diagnostic");
    check(all, 1, &[OTHER, BORROWED], Outcome::Fail, "the same diagnostic");
    check(all, 1, &[OTHER], Outcome::Unresolved, "no E0499; error E0308: mismatched types");
    check(all, 0, &[], Outcome::Pass, "it compiles");
}

#[test]
fn no_error_is_new_or_there_more_often() {
    let all = Detail::Notes;
    check(
        all,
        1,
        &[BORROWED, ("error", "E0425", "no such name")],
        Outcome::Unresolved,
        "new error E0425: no such name",
    );
    check(
        all,
        1,
        &[BORROWED, ("error", "E0308", "another message")],
        Outcome::Unresolved,
        "new error E0308: another message",
    );
    check(all, 1, &[BORROWED, BORROWED], Outcome::Unresolved, "one more E0499");
    check(Detail::Message, 1, &[BORROWED, ("error", "E0308", "another")], Outcome::Fail, "the same diagnostic");
}

#[test]
fn names_in_a_message_count_unless_only_its_words_do() {
    let other = ("error", "E0499", "cannot borrow `b` as mutable twice");
    check(Detail::Notes, 1, &[other], Outcome::Unresolved, "another message: cannot borrow `b` as mutable twice");
    check(Detail::Message, 1, &[other], Outcome::Fail, "the same diagnostic");
    let words = ("error", "E0499", "cannot do it");
    check(Detail::Message, 1, &[words], Outcome::Unresolved, "another message: cannot do it");
    check(Detail::Code, 1, &[words], Outcome::Fail, "the same diagnostic");
}
