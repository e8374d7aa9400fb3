//! Which jobs it takes to recognise a failure, by an executor that runs nothing.

use std::sync::Mutex;

use super::*;
use crate::exec::job::{Job, Word};
use crate::oracle::headers::Headers;

const ERROR: &str =
    r#"{"message":"mismatched types","code":{"code":"E0308"},"level":"error","spans":[],"children":[]}"#;

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
    let program = Program::new("a.rs", "fn main() {}");
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
fn no_code_is_generated_for_an_error() {
    check(
        &["2024", "2021"],
        |_| (ERROR, 1),
        &[
            "--edition=2024 --emit=metadata",
            "--edition=2021 --emit=metadata",
            "--edition=2024 --crate-type=lib --emit=metadata",
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
            "--edition=2021 --crate-type=lib --emit=metadata",
            "--edition=2021 --crate-type=lib",
            "--edition=2021 --crate-type=lib --emit=mir",
        ],
    );
}
