//! The command that a person is shown, as a check: the oracle of the failure judges what it prints.

use std::path::{Path, PathBuf};

use super::diagnostics::Stderr;
use super::judge::{Oracle, Verdict};
use super::rustc::JSON;
use crate::exec::job::{Job, JobResult, Word};
use crate::program::{File, Program};

/// The job that runs the command for `program` in a folder with its files, where the compiler prints JSON. The check of the oracle
/// itself where no single run of rustc or the program shows the failure.
pub fn job(oracle: &dyn Oracle, program: &Program) -> Job {
    let own = oracle.job(program);
    let rustc = oracle.as_ui_test().map(|(rustc, _)| rustc.with_first(&[JSON]));
    let Some(in_json) = rustc.and_then(|rustc| oracle.with_rustc(rustc)) else { return own };
    let place = if program.is_lone() { &*program.name } else { Path::new(".") };
    let argv = ["sh", "-c", &in_json.command(program, place)].map(|word| Word::Text(word.into())).to_vec();
    // A crash must not leave a report.
    let env = ["RUST_BACKTRACE", "RUSTC_ICE"].map(|name| (name.into(), Some("0".into()))).to_vec();
    Job { files: program.files(), argv, env, subject: own.subject, ..Job::default() }
}

/// The job that runs the command for `program` as a person runs it, with backtraces.
pub fn shown(oracle: &dyn Oracle, program: &Program) -> Job {
    let place = if program.is_lone() { &*program.name } else { Path::new(".") };
    line(&oracle.command(program, place), program.files())
}

/// The job that runs a line for the shell in a folder with these files, with backtraces.
pub fn line(command: &str, files: Vec<(PathBuf, File)>) -> Job {
    let argv = ["sh", "-c", command].map(|word| Word::Text(word.into())).to_vec();
    let env = [("RUST_BACKTRACE", "1"), ("RUSTC_ICE", "0")].map(|(name, value)| (name.into(), Some(value.into())));
    Job { files, argv, env: env.to_vec(), ..Job::default() }
}

/// Judges the result of [`job`].
pub fn verdict(oracle: &dyn Oracle, mut result: JobResult) -> Verdict {
    if oracle.properties().is_of_run && result.failed_step.is_none() {
        let written = Stderr::read(&result.stderr);
        if let Some(error) = written.errors().next() {
            return Verdict::unresolved(error.headline());
        }
        // What the program itself wrote.
        result.stderr = written.plain.join("\n").into_bytes();
    }
    oracle.verdict(&result)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::exec::job::End;
    use crate::oracle::judge::Properties;
    use crate::oracle::rustc::Rustc;
    use crate::oracle::signature::fingerprint::FailureId;
    use crate::oracle::ui_test::Form;
    use mcve_dd::outcome::Outcome;

    /// A program that fails if it exits with 1.
    struct Exits(Rustc);

    impl Oracle for Exits {
        fn job(&self, _: &Program) -> Job {
            Job::default()
        }

        fn verdict(&self, result: &JobResult) -> Verdict {
            let outcome = if result.end == End::Exited(1) { Outcome::Fail } else { Outcome::Pass };
            Verdict::new(outcome, String::from_utf8_lossy(&result.stderr))
        }

        fn failure(&self) -> FailureId {
            FailureId { words: "it exits".to_owned(), fingerprint: None }
        }

        fn command(&self, program: &Program, path: &Path) -> String {
            self.0.command(program, path)
        }

        fn properties(&self) -> Properties {
            Properties { is_of_run: true, ..Properties::default() }
        }

        fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
            Some((&self.0, Form::Crash))
        }

        fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
            Some(Arc::new(Self(rustc)))
        }
    }

    fn oracle() -> Exits {
        let rustc = Rustc::new("/bin/rustc".into(), &Default::default(), &[], Path::new("/"));
        Exits(Rustc { called: vec!["rustc".into(), "+nightly".into()], ..rustc })
    }

    #[test]
    fn it_is_the_command_that_a_person_is_shown() {
        let words = |program: &Program| match job(&oracle(), program).argv.pop() {
            Some(Word::Text(line)) => line.into_string().unwrap_or_default(),
            word => panic!("{word:?}"),
        };
        assert_eq!(words(&Program::new("a.rs", "fn main() {}")), "rustc +nightly --error-format=json a.rs");
    }

    #[test]
    fn a_program_that_does_not_compile_does_not_fail_when_it_is_run() {
        let check = |stderr: &str, expected: Outcome, why: &str| {
            let verdict = verdict(&oracle(), JobResult { stderr: stderr.into(), ..JobResult::ended(End::Exited(1)) });
            assert_eq!((verdict.outcome, &*verdict.reason), (expected, why));
        };
        let said = |level: &str| format!(r#"{{"message":"mismatched types","code":null,"level":"{level}"}}"#);
        check(&said("error"), Outcome::Unresolved, "error: mismatched types");
        check(&format!("{}\nit broke", said("warning")), Outcome::Fail, "it broke");
    }
}
