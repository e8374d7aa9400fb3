//! Jobs and verdicts with the installed rustc, without what only one version does.

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use super::*;
use crate::exec::job::Executor;
use crate::exec::limits::Memory;
use crate::exec::process::{Cancel, Processes};
use crate::exec::programs;
use crate::oracle::headers::Headers;
use mcve_dd::outcome::Outcome;

/// Makes the first error a crash, in every version.
const CRASH: &str = "//@ compile-flags: -Ztreat-err-as-bug=1 --crate-type=lib\n//@ rustc-env: RUSTC_BOOTSTRAP=1\n";

fn args(words: &str) -> Vec<OsString> {
    words.split_whitespace().map(OsString::from).collect()
}

/// The installed rustc, as the headers of `text` ask for.
fn rustc(text: &str, words: &str) -> Rustc {
    let program = programs::rustc(None, None).expect("the tests are compiled by one");
    Rustc::new(program, &Headers::parse(text), &args(words), Path::new("/here"))
}

fn run(rustc: &Rustc, text: &str) -> JobResult {
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let job = rustc.job(&Program::new("input.rs", text));
    processes.run(&job, Duration::from_secs(1000), &Cancel::default()).expect("it can be run")
}

fn failure(rustc: &Rustc, text: &str) -> Failure {
    let result = run(rustc, text);
    Failure::recognise(&result).unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&result.stderr)))
}

#[track_caller]
fn check(oracle: &RustcOracle, text: &str, outcome: Outcome, reason: &str) {
    let verdict = oracle.verdict(&run(&oracle.rustc, text));
    assert_eq!((verdict.outcome, verdict.reason.as_str()), (outcome, reason), "{text}");
}

#[track_caller]
fn check_args(headers: &str, user: &str, expected: &str) {
    let rustc = Rustc::new("/r".into(), &Headers::parse(headers), &args(user), Path::new("/here"));
    assert_eq!(rustc.args, args(expected));
}

#[test]
fn the_user_s_arguments_follow_the_headers() {
    check_args("", "", "");
    check_args("//@ compile-flags: -O\n//@ edition: 2021", "--test -o x", "-O --edition=2021 --test");
    check_args("//@ edition: 2021", "--edition 2018", "--edition=2018");
    check_args("//@ compile-flags: --edition=2015 -g", "--edition=2018", "-g --edition=2018");
    check_args("//@ compile-flags: --edition 2015 -g", "--edition=2018", "-g --edition=2018");
}

#[test]
fn a_file_whose_name_is_no_crate_s_gets_one() {
    let named = |name: &str, text: &str, words: &str| {
        let rustc = Rustc::new("/r".into(), &Headers::parse(text), &args(words), Path::new("/here"));
        rustc.naming(&Program::new(name, text)).args
    };
    assert_eq!(named("in-put.full 2.rs", "fn f() {}", "-O"), args("-O --crate-name=in_put_full_2"));
    assert_eq!(named("in-put.rs", "fn f() {}", "-O"), args("-O"));
    assert_eq!(named("a.b.rs", "#![crate_name = \"a\"]", "-O"), args("-O"));
    assert_eq!(named("a.b.rs", "fn f() {}", "--crate-name c"), args("--crate-name=c"));
    assert_eq!(named("-x.rs", "fn f() {}", ""), args("--crate-name=_x"));
}

#[test]
fn a_real_crash_is_recognised_and_held_to() {
    let text = "fn main() { let x: u8 = \"\"; }";
    let rustc = rustc(CRASH, "--emit=metadata");
    let oracle = RustcOracle::new(rustc.clone(), failure(&rustc, text), Vec::new());
    let words = oracle.failure().words;
    assert!(words.starts_with("internal compiler error at compiler/rustc_errors/src/lib.rs:"), "{words}");
    assert!(words.ends_with(": mismatched types (while typeck)"), "{words}");
    check(&oracle, text, Outcome::Fail, "the same failure");
    check(&oracle, "\nmod m { fn other(y: &str) -> Option<u8> { y } }", Outcome::Fail, "the same failure");
    check(&oracle, "fn main() {}", Outcome::Pass, "it compiles");
    let another = oracle.verdict(&run(&oracle.rustc, "fn main() { x }"));
    assert_eq!(another.outcome, Outcome::Unresolved);
    assert!(another.reason.starts_with("another failure: internal compiler error at "), "{}", another.reason);
}

#[test]
fn errors_are_held_to_as_a_set() {
    let rustc = rustc("", "--crate-type=lib --emit=metadata");
    let failure = failure(&rustc, "fn f() -> u8 { \"\" }\nfn g() -> A {}");
    let mut oracle = RustcOracle::new(rustc, failure, Vec::new());
    assert_eq!(oracle.failure().words, "errors E0308, E0425: cannot find type `A` in this scope");
    check(&oracle, "fn f() -> u8 { 'x' }\nfn g() -> B {}", Outcome::Fail, "the same failure");
    let fewer = "another failure: error E0425: cannot find type `A` in this scope";
    check(&oracle, "fn g() -> A {}", Outcome::Unresolved, fewer);
    let more = "fn f() -> u8 { \"\" }\nfn g() -> A {}\nuse b::c;";
    check(&oracle, more, Outcome::Unresolved, "new error E0432: unresolved import `b`");
    check(&oracle, "fn f( {", Outcome::Unresolved, "new error: this file contains an unclosed delimiter");
    oracle.allow_errors = true;
    oracle.failure.codes.remove("E0308");
    check(&oracle, "fn g() -> A {}", Outcome::Fail, "the same failure");
}

#[test]
fn a_delayed_bug_behind_another_crash_is_another_failure() {
    let bug = |name: &str| {
        format!(
            r#"{{"message":"{name} happened","code":null,"level":"error: internal compiler error","children":[{{"message":"delayed at compiler/rustc_x/src/y.rs:1:2 - disabled backtrace","code":null,"level":"note"}}],"rendered":null}}"#
        ) + "\n"
    };
    let ended = |stderr: String| JobResult { stderr: stderr.into(), ..JobResult::ended(End::Exited(101)) };
    let failure = Failure::recognise(&ended(bug("this"))).expect("it is one");
    let oracle = RustcOracle { allow_errors: true, ..RustcOracle::new(rustc("", ""), failure, Vec::new()) };
    let outcome = |stderr: String| oracle.verdict(&ended(stderr)).outcome;
    assert_eq!(outcome(bug("this") + &bug("that")), Outcome::Fail);
    assert_eq!(outcome(bug("that") + &bug("this")), Outcome::Unresolved);
    let panic = "thread 'rustc' panicked at compiler/rustc_x/src/z.rs:3:4:\nit broke\n".to_owned();
    assert_eq!(outcome(panic + &bug("this")), Outcome::Unresolved);
}

#[test]
fn what_did_not_end_says_nothing() {
    let failure = failure(&rustc("", "--crate-type=lib --emit=metadata"), "fn g() -> A {}");
    let oracle = RustcOracle::new(rustc("", ""), failure, Vec::new());
    for (end, reason) in [
        (End::TimedOut, "timed out"),
        (End::Signalled(9), "another failure: crash of the compiler by signal 9 (SIGKILL)"),
        (End::Exited(2), "an unknown failure: exit code 2"),
    ] {
        let result = JobResult::ended(end);
        assert_eq!(oracle.verdict(&result), Verdict::unresolved(reason));
    }
}

#[test]
fn a_file_without_a_main_function_is_a_library() {
    let plain = rustc("", "--emit=metadata");
    let text = "fn f() -> u8 { \"\" }";
    let without = failure(&plain, text);
    assert!(without.codes.contains("E0601"));
    let library = plain.as_library(&without).expect("that is why");
    let meant = failure(&library, text);
    assert_eq!(meant.to_string(), "error E0308: mismatched types");
    assert_eq!(library.as_library(&meant), None);
    assert_eq!(library.as_library(&without), None, "it is one already");
}

#[test]
fn the_cheapest_way_comes_first_and_the_given_one_last() {
    #[track_caller]
    fn check(rustc: &Rustc, failure: &Failure, expected: &[&str]) {
        let ways: Vec<_> = rustc.ways(failure).into_iter().map(|way| way.args.join(OsStr::new(" "))).collect();
        assert_eq!(ways, expected);
    }
    let crash = failure(&rustc(CRASH, ""), "fn main() { 0u8 + \"\" }");
    let error = failure(&rustc("", "--emit=metadata"), "fn main() { x }");
    let emit = |kind: &str| format!("-O --emit={kind}");
    let [names, metadata, object] = ["dep-info", "metadata", "obj"].map(emit);
    check(&rustc("", "-O"), &crash, &[&names, &metadata, &object, "-O"]);
    check(&rustc("", "-O"), &error, &[&metadata, &object, "-O"]);
    check(&rustc("", "--emit asm -O"), &crash, &["--emit=asm -O"]);
}

#[test]
fn the_command_can_be_copied() {
    let headers =
        Headers::parse("//@ rustc-env: MY_A=b c\n//@ unset-rustc-env: MY_D\n//@ compile-flags: --cfg 'a=\"b\"'");
    let rustc = Rustc::new("/r/rustc".into(), &headers, &args("-O"), Path::new("/here"));
    let command = "env -u MY_D MY_A='b c' /r/rustc --cfg 'a=\"b\"' -O 'a b/c.rs'";
    assert_eq!(rustc.command(&Program::new("c.rs", ""), Path::new("a b/c.rs")), command);
    let rustc = Rustc { called: args("rustc +nightly"), ..rustc };
    assert_eq!(
        Rustc { env: Vec::new(), memory: Some(2048), ..rustc }.command(&Program::new("-c.rs", ""), Path::new("-c.rs")),
        "(ulimit -d 2; rustc +nightly --cfg 'a=\"b\"' -O --crate-name=_c ./-c.rs)"
    );
}

#[test]
fn the_command_shows_the_failure_of_a_result() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("a_mcve.rs");
    for (attribute, line) in [("", " "), ("#![crate_name = \"b\"]", " ")] {
        let text = format!("{attribute} fn main() {{ let x: u8 = \"\"; }}");
        std::fs::write(&file, &text).expect("it can be written");
        let program = Program::new("a_mcve.rs", text);
        let command = rustc("", "--emit=metadata").command(&program, &file);
        assert!(command.contains(&format!("--emit=metadata{line}/")), "{command}");
        let shell = std::process::Command::new("sh").args(["-c", &command]).current_dir(&folder).output();
        let said = String::from_utf8(shell.expect("there is a shell").stderr).expect("rustc writes UTF-8");
        assert!(said.contains("E0308") && !said.contains("crate name"), "{command}: {said}");
    }
}
