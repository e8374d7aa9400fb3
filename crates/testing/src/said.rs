//! The output of a run and how it ended.

use std::process::{Command, ExitStatus, Output};

use mcve::cli::exit::Exit;
use serde_json::Value;

use super::event::event;

/// The output of a run and how it ended.
#[derive(Clone, Debug)]
pub struct Said {
    /// The exit status.
    pub status: ExitStatus,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { status: output.status, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Said {
    /// Runs a command to its end.
    #[track_caller]
    pub fn by(command: &mut Command) -> Self {
        command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}")).into()
    }

    /// The exit code; none if a signal ended it.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// Whether its exit code is 0.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status.success()
    }

    /// Its whole output.
    #[must_use]
    pub fn all(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Checks that it exited with `exit`, and did not panic.
    #[track_caller]
    pub fn exits(self, exit: Exit) -> Self {
        assert_eq!(self.code(), Some(exit.code().into()), "{}", self.all());
        // A panic of a compiler is not a panic of mcve.
        let is_own = |line: &str| line.contains("panicked at ") && !line.contains("compiler/");
        assert!(!self.stderr.lines().any(is_own), "{}", self.stderr);
        self
    }

    /// Checks that its standard error contains each of `words`.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in: {}", self.stderr);
        }
        self
    }

    /// The command that shows the failure, if there is a result.
    #[must_use]
    pub fn see_it(&self) -> Option<&str> {
        self.stderr.lines().find_map(|line| line.strip_prefix("  see it   "))
    }

    /// The events that it printed with `--message-format json`.
    #[must_use]
    #[track_caller]
    pub fn events(&self) -> Vec<Value> {
        self.stdout.lines().map(event).collect()
    }

    /// Its last event.
    #[must_use]
    #[track_caller]
    pub fn last_event(&self) -> Value {
        self.events().pop().expect("there are events")
    }
}
