//! A run in progress that reports JSON events.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use mcve::cli::exit::Exit;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::event::event;

/// A run in progress.
#[derive(Debug)]
pub struct Running {
    child: Child,
    events: BufReader<ChildStdout>,
}

impl Running {
    /// Starts a command with `--message-format json`.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let events = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, events }
    }

    /// The next event; none if the run has ended.
    #[track_caller]
    fn next_event(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = self.events.read_line(&mut line).expect("it is text");
        (length > 0).then(|| event(&line))
    }

    /// Waits for the `count`th event of a kind.
    #[track_caller]
    pub fn wait_for(&mut self, kind: &str, count: usize) {
        for _ in 0..count {
            while self.next_event().expect("it has more to do")["event"] != kind {}
        }
    }

    /// Sends a signal to the command itself.
    #[track_caller]
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is not waited for yet");
    }

    /// Interrupts the run, and checks its exit code.
    #[track_caller]
    pub fn interrupt(self) {
        self.signal(Signal::INT);
        assert_eq!(self.end().0, Some(Exit::Interrupted.code().into()));
    }

    /// Waits for the end and returns the exit code and the last event.
    #[track_caller]
    pub fn end(mut self) -> (Option<i32>, Value) {
        // A killed run may have written only half of its last event.
        let last = self.events.lines().map_while(Result::ok).last();
        let status = self.child.wait().expect("it was started");
        (
            status.code(),
            last.filter(|line| serde_json::from_str::<Value>(line).is_ok())
                .map(|line| event(&line))
                .unwrap_or_default(),
        )
    }
}
