//! The oracle of a text: a program prints it when it is run, or rustc where it expands the macros of a program.

use std::path::Path;

use regex::Regex;

use super::run::Runner;
use super::rustc::Rustc;
use super::{Oracle, Verdict, hints, layout};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult, Word};
use crate::program::Program;

/// What makes rustc print a program with its macros expanded, and what lets a stable one do so.
const EXPANDED: &str = "-Zunpretty=expanded";
const UNSTABLE: &str = "RUSTC_BOOTSTRAP";

/// Does the program still print this?
#[derive(Clone, Debug)]
pub struct PrintsOracle {
    /// How it is run.
    pub runner: Runner,
    /// What it prints, to standard output or standard error.
    pub text: String,
    /// How it ended at the beginning, and has to end; none before that is known.
    pub end: Option<End>,
}

/// Does the program still expand to this?
#[derive(Clone, Debug)]
pub struct ExpandsOracle {
    /// How it is compiled.
    pub rustc: Rustc,
    /// What its expansion matches.
    pub pattern: Regex,
}

impl Oracle for PrintsOracle {
    fn job(&self, program: &Program) -> Job {
        self.runner.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.failed_step.is_some() {
            return Verdict::new(Outcome::Unresolved, "it does not compile");
        }
        if matches!(result.end, End::TimedOut | End::Cancelled) || self.end.is_some_and(|end| end != result.end) {
            return Verdict::new(Outcome::Unresolved, result.end.to_string());
        }
        let has_text = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&self.text);
        match has_text(&result.stdout) || has_text(&result.stderr) {
            true => Verdict::new(Outcome::Fail, "it prints the same"),
            false => Verdict::new(Outcome::Pass, "it prints something else"),
        }
    }

    fn holds_values(&self) -> bool {
        true
    }

    fn hints(&self, program: &Program) -> Option<Job> {
        Some(hints::job(&self.runner.rustc, program))
    }

    fn layout(&self, program: &Program) -> Option<Job> {
        Some(layout::job(&self.runner.rustc, program))
    }

    fn failure(&self) -> String {
        format!("the program prints `{}`", self.text)
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.runner.command(program, path)
    }
}

impl Oracle for ExpandsOracle {
    fn job(&self, program: &Program) -> Job {
        let mut job = self.rustc.job(program);
        job.argv.insert(1, Word::Text(EXPANDED.into()));
        job.env.push((UNSTABLE.into(), Some("1".into())));
        job
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match result.end {
            End::Exited(0) if self.pattern.is_match(&String::from_utf8_lossy(&result.stdout)) => {
                Verdict::new(Outcome::Fail, "it expands to the same")
            }
            End::Exited(0) => Verdict::new(Outcome::Pass, "it expands to something else"),
            other => Verdict::new(Outcome::Unresolved, other.to_string()),
        }
    }

    fn runs_candidates(&self) -> bool {
        false
    }

    fn hints(&self, program: &Program) -> Option<Job> {
        Some(hints::job(&self.rustc, program))
    }

    fn layout(&self, program: &Program) -> Option<Job> {
        Some(layout::job(&self.rustc, program))
    }

    fn failure(&self) -> String {
        format!("the program expands to `{}`", self.pattern)
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let mut rustc = self.rustc.clone();
        rustc.args.insert(0, EXPANDED.into());
        rustc.with_variable(UNSTABLE, "1".into()).command(program, path)
    }
}
