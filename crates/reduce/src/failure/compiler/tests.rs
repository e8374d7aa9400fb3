//! Which jobs it takes to recognise a failure, by an executor that runs nothing.

use std::sync::Mutex;

use super::*;
use crate::exec::job::{Job, Word};
use crate::oracle::headers::Headers;

const ERROR: &str =
    r#"{"message":"mismatched types","code":{"code":"E0308"},"level":"error","spans":[],"children":[]}"#;

const TWO_ERRORS: &str = r#"{"message":"mismatched types","code":{"code":"E0308"},"level":"error","spans":[],"children":[]}
{"message":"no field","code":{"code":"E0609"},"level":"error","spans":[],"children":[]}"#;

/// Keeps the arguments of each job, and says what `answer` says of them.
struct Said {
    jobs: Mutex<Vec<String>>,
    answer: fn(&str) -> (&'static str, i32),
}

impl Executor for Said {
    fn run(&self, job: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
        let words = job.argv.iter().filter_map(|word| match word {
            Word::Text(text) => text.to_str(),
            _ => None,
        });
        let words = words.filter(|word| word.starts_with("--e") || word.starts_with("--crate")).collect::<Vec<_>>();
        let words = words.join(" ").replace(" --error-format=json", "");
        let (stderr, code) = (self.answer)(&words);
        self.jobs.lock().expect("no thread panics").push(words);
        Ok(JobResult { stderr: stderr.into(), ..JobResult::ended(End::Exited(code)) })
    }
}

/// Checks which jobs it takes to recognise the failure of a program of which rustc says what `answer` says.
#[track_caller]
fn check(editions: &[&'static str], answer: fn(&str) -> (&'static str, i32), expected: &[&str]) {
    check_of("fn main() {}", editions, answer, expected);
}

/// As [`check`], of a program with this text.
#[track_caller]
fn check_of(text: &str, editions: &[&'static str], answer: fn(&str) -> (&'static str, i32), expected: &[&str]) {
    let program = Program::new("a.rs", text);
    let rustc = Rustc::new("rustc".into(), &Headers::default(), &[], std::path::Path::new("."));
    let (executor, cancel) = (Said { jobs: Mutex::default(), answer }, Cancel::default());
    let recogniser = Recogniser {
        executor: &executor,
        program: &program,
        timeout: None,
        allow_errors: false,
        looks_elsewhere: true,
        cancel: &cancel,
    };
    recogniser.recognise(&[rustc], editions).expect("nothing stops it");
    assert_eq!(executor.jobs.into_inner().expect("no thread panics"), expected);
}

#[test]
fn an_error_is_looked_for_without_code_and_a_crash_behind_it_with_code() {
    check(
        &["2024", "2021"],
        |_| (ERROR, 1),
        &[
            "--edition=2024 --emit=metadata",
            "--edition=2021 --emit=metadata",
            "--edition=2024",
            "--edition=2024 --crate-type=lib",
            "--edition=2024 --crate-type=lib --emit=mir",
        ],
    );
    let crashes_late = |words: &str| match words.contains("metadata") || words.contains("dep-info") {
        true => (ERROR, 1),
        false => (CRASH, 101),
    };
    check(
        &["2024"],
        crashes_late,
        &[
            "--edition=2024 --emit=metadata",
            "--edition=2024",
            "--edition=2024 --crate-type=lib --emit=dep-info",
            "--edition=2024 --crate-type=lib --emit=metadata",
            "--edition=2024 --crate-type=lib --emit=obj",
        ],
    );
}

#[test]
fn code_is_generated_in_the_chosen_edition_only() {
    check(
        &["2024", "2021", "2018"],
        |words| if words.contains("2024") { (ERROR, 1) } else { ("", 0) },
        &[
            "--edition=2024 --emit=metadata",
            "--edition=2021 --emit=metadata",
            "--edition=2018 --emit=metadata",
            "--edition=2021",
            "--edition=2021 --crate-type=lib",
            "--edition=2021 --crate-type=lib --emit=mir",
        ],
    );
}

const CRASH: &str = "thread 'rustc' panicked at compiler/rustc_middle/src/a.rs:1:1:\nbroken\n\nerror: the compiler unexpectedly panicked. this is a bug.\n";

#[test]
fn a_crash_that_shows_in_a_library_as_well_is_one_of_a_library() {
    check(
        &["2024"],
        |_| (CRASH, 101),
        &["--edition=2024 --emit=metadata", "--edition=2024", "--edition=2024 --crate-type=lib --emit=dep-info"],
    );
}

#[test]
fn a_crash_that_shows_in_no_library_stays_one_of_a_program() {
    check(
        &["2024"],
        |words| if words.contains("lib") { ("", 0) } else { (CRASH, 101) },
        &[
            "--edition=2024 --emit=metadata",
            "--edition=2024",
            "--edition=2024 --crate-type=lib --emit=dep-info",
            "--edition=2024 --crate-type=lib --emit=metadata",
            "--edition=2024 --crate-type=lib --emit=obj",
            "--edition=2024 --crate-type=lib",
            "--edition=2024 --emit=dep-info",
        ],
    );
}

#[test]
fn a_program_without_main_is_a_library_from_the_first_run_on() {
    check_of(
        "fn f() {}",
        &["2024"],
        |_| (ERROR, 1),
        &[
            "--edition=2024 --crate-type=lib --emit=metadata",
            "--edition=2024 --crate-type=lib",
            "--edition=2024 --crate-type=lib --emit=mir",
        ],
    );
}

#[test]
fn nothing_is_looked_for_behind_the_errors_of_a_large_program() {
    let large = "fn main() {}".to_owned() + &";".repeat(LARGE);
    check_of(
        &large,
        &["2024", "2021"],
        |_| (TWO_ERRORS, 1),
        &["--edition=2024 --emit=metadata", "--edition=2021 --emit=metadata"],
    );
    // A single error is the failure.
    check_of(&large, &["2024", "2021"], |_| (ERROR, 1), &["--edition=2024 --emit=metadata"]);
    // Where it compiles, something is.
    check_of(
        &large,
        &["2024"],
        |_| ("", 0),
        &[
            "--edition=2024 --emit=metadata",
            "--edition=2024",
            "--edition=2024 --crate-type=lib",
            "--edition=2024 --crate-type=lib --emit=mir",
        ],
    );
}
