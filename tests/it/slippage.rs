//! No reduction slips to another crash: programs with two or three crashes each, at several phases of the compiler, some with
//! texts of their own that read as crashes. Whatever is reduced, the command that mcve prints shows the same crash first, in
//! the words of plain rustc.
//!
//! Each program is a file of `programs/`. Parts of it go by `--cfg`, so that plain rustc can be asked for each crash that a
//! program holds, and for what its fakes are without any. A program of each kind is reduced in each run of the tests, and all by
//! `MCVE_TESTS=all`; of the others it is only looked at which crashes they have.

mod programs;
mod shown;
mod table;

use mcve::cli::exit::Exit;
use mcve_testing::is_thorough;
use serde_json::Value;
use shown::{Shown, first_crash};

/// What is reduced in each run of the tests: a panic, a delayed bug, LLVM, fakes.
const WHOLE: [&str; 5] = [
    "parse_before_borrowck.rs",
    "format_before_import.rs",
    "two_delayed.rs",
    "broken_modules.rs",
    "fake_panics_in_constants.rs",
];

/// What a program holds.
struct Program {
    file: &'static str,
    /// The crash that is to be kept; none where the program only pretends.
    first: Option<Crash>,
    /// The other crashes, each with the parts without which it comes first.
    others: &'static [(&'static [&'static str], Crash)],
    /// The parts without which only fakes are left, and what of these rustc prints.
    fakes: Option<(&'static [&'static str], &'static [&'static str])>,
}

/// How a crash is known: its place, if it says one, and words.
struct Crash(&'static str, &'static str);

impl Crash {
    fn is(&self, shown: &Shown) -> bool {
        shown.place == self.0 && shown.words.contains(self.1)
    }

    fn is_in(&self, raw: &str) -> bool {
        raw.contains(self.0) && raw.contains(self.1)
    }
}

/// What the event of this name says under `key`.
#[track_caller]
fn said<'a>(events: &'a [Value], name: &str, key: &str) -> &'a str {
    let event = events.iter().find(|event| event["event"] == name).expect("there is such an event");
    event[key].as_str().expect("it is a text")
}

/// Reduces a program and checks that nothing slips.
#[track_caller]
fn check(program: &Program) {
    let Program { file, first, others, fakes } = program;
    let place = programs::place(file);
    let crash =
        |name: &str, without: &[&str]| first_crash(&programs::rustc(&place, name, without, "--error-format=json"));
    let before = crash(file, &[]);
    assert_eq!(before.is_some(), first.is_some(), "{file}: {before:?}");

    // Every other crash is there, and is another one.
    for (without, other) in *others {
        let shown = crash(file, without).unwrap_or_else(|| panic!("{file} without {without:?} does not crash"));
        assert!(other.is(&shown), "{file} without {without:?}: {shown:?}");
        assert_ne!(before.as_ref(), Some(&shown), "{file} without {without:?} crashes in the same way");
    }
    // What is left of fakes reads as a crash and is none.
    if let Some((without, texts)) = fakes {
        let raw = programs::rustc(&place, file, without, "--error-format=human");
        for text in *texts {
            assert!(raw.contains(text), "{file} without {without:?} does not print `{text}`: {raw}");
        }
        assert_eq!(crash(file, without), None, "{file} without {without:?}");
        let args: Vec<String> = without.iter().map(|part| format!("--cfg={part}")).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let run = programs::reduce(&place, file, &["--only", "splice-module", "--runs", "1"], &args);
        if raw.lines().any(|line| line.starts_with("error")) {
            let events = run.events();
            let failure = said(&events, "baseline", "failure");
            assert!(failure.starts_with("error"), "{file} without {without:?} is taken for: {failure}");
        } else {
            assert_eq!(run.code(), Some(Exit::NotFailing.code().into()), "{file} without {without:?} compiles");
        }
    }

    if !WHOLE.contains(file) && !is_thorough() {
        return println!("{file}: reduced by MCVE_TESTS=all only");
    }
    let events = programs::reduce(&place, file, &["--timeout", "2s"], &[]).exits(Exit::Done).events();
    let (recognised, kept) = (said(&events, "baseline", "failure"), said(&events, "finished", "failure"));
    assert_eq!(recognised, kept, "{file}");
    let command = said(&events, "finished", "command");
    let raw = programs::paste(&place, command);
    let after = first_crash(&programs::paste(&place, &format!("{command} --error-format=json")));
    let (Some(first), Some(before)) = (first, before) else {
        assert!(recognised.starts_with("error"), "{file} is taken for: {recognised}");
        assert_eq!(after, None, "{file}: {command}");
        return;
    };
    assert!(first.is(&before), "{file}: {before:?}");
    assert!(recognised.contains(first.0), "{file}: {recognised}");
    assert!(first.is_in(&raw), "{file}: {raw}");
    let after = after.unwrap_or_else(|| panic!("{file}: the result does not crash: {raw}"));
    assert!(first.is(&after), "{file} slipped: {after:?}");
    assert_eq!(before.frames.is_empty(), before.frames.is_disjoint(&after.frames), "{file}: another overflow");
    for (without, _) in *others {
        let other = crash(file, without).expect("it was there before");
        assert!(other.frames.is_disjoint(&after.frames), "{file} slipped to the overflow without {without:?}");
    }
}
