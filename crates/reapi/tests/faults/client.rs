//! The program, by its standard input and output.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::job::HELLO;
use crate::service::{GUARD, Service};

/// The bytes of the program that is sent.
pub(crate) const PROGRAM: &str = "this stands for mcve";

/// The variable `PATH` of the program.
pub(crate) const PATH: &str = "/tools/bin:/bin";

/// The running program.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    _folder: TempDir,
}

impl Client {
    /// The program for these services, and the first line that it says.
    pub(crate) fn greets(services: &[&str], options: &[&str]) -> (Self, Value) {
        let folder = tempfile::tempdir().expect("there is a place for it");
        let program = folder.path().join("mcve");
        fs::write(&program, PROGRAM).expect("it is written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve-reapi"));
        command.args(services).args(options).env("PATH", PATH).stdin(Stdio::piped()).stdout(Stdio::piped());
        if !options.contains(&"--installed") {
            command.arg("--program").arg(program);
        }
        let mut child = command.spawn().expect("it is there");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut client = Self { child, input, lines, _folder: folder };
        client.send(HELLO);
        let first = client.next();
        (client, first)
    }

    /// The program for these services, which is ready.
    pub(crate) fn start(services: &[&Service], options: &[&str]) -> Self {
        let urls: Vec<&str> = services.iter().map(|service| &*service.url).collect();
        let (client, first) = Self::greets(&urls, options);
        assert_eq!(first, json!({ "ready": { "slots": 8 } }));
        client
    }

    pub(crate) fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it was not ended");
        input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()).expect("it listens");
    }

    /// The next line.
    pub(crate) fn next(&self) -> Value {
        let line = self.lines.recv_timeout(GUARD).expect("it says something");
        serde_json::from_str(&line).expect("it is JSON")
    }

    /// Sends a line, and waits for the next one.
    pub(crate) fn ask(&mut self, line: &str) -> Value {
        self.send(line);
        self.next()
    }

    /// Ends its input.
    pub(crate) fn close(&mut self) {
        drop(self.input.take());
    }

    /// Ends its input. It must end well, without another word.
    pub(crate) fn end(mut self) {
        self.close();
        match self.lines.recv_timeout(GUARD) {
            Err(RecvTimeoutError::Disconnected) => {}
            other => panic!("it goes on: {other:?}"),
        }
        let status = self.child.wait().expect("it is ours");
        assert_eq!(status.code(), Some(0));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has ended, if the test did not fail.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
