//! The process of an external generator, which writes and reads lines.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::choices::Halt;

/// The time limit for each output line of a generator.
const PATIENCE: Duration = Duration::from_secs(20);

/// The interval for polling whether a generator that has closed its output has exited, which it usually has at once.
const GLANCE: Duration = Duration::from_millis(1);

/// The maximum output of a generator in one run, in bytes.
const MOST: u64 = 64 << 20;

/// The maximum number of lines that are read ahead.
const AHEAD: usize = 1000;

/// The error of the generator with this shell command.
pub(super) fn broken(line: &OsStr, why: &str) -> Halt {
    Halt::Broken(format!("the generator `{}`: {why}", line.display()))
}

/// A running generator. Dropping it kills its process group.
pub(super) struct Process<'a> {
    line: &'a OsStr,
    child: Child,
    lines: Receiver<std::io::Result<String>>,
}

impl<'a> Process<'a> {
    /// Starts it.
    pub(super) fn start(line: &'a OsStr, stderr: Stdio) -> Result<Self, Halt> {
        let failed = |error: std::io::Error| broken(line, &format!("it cannot be run: {error}"));
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).process_group(0);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn().map_err(failed)?;
        let stdout = child.stdout.take().expect("it is a pipe");
        let (sender, lines) = sync_channel(AHEAD);
        let process = Self { line, child, lines };
        let read = move || {
            let mut reader = BufReader::new(stdout.take(MOST));
            loop {
                let mut line = String::new();
                match reader.read_line(&mut line) {
                    Ok(0) => return,
                    done => {
                        let is_over = done.is_err();
                        if sender.send(done.map(|_| line)).is_err() || is_over {
                            return;
                        }
                    }
                }
            }
        };
        std::thread::Builder::new().name("generator".to_owned()).spawn(read).map_err(failed)?;
        Ok(process)
    }

    /// An error of this generator.
    pub(super) fn broken(&self, why: &str) -> Halt {
        broken(self.line, why)
    }

    fn next(&self) -> Result<Option<String>, Halt> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(Ok(line)) => Ok(Some(line)),
            Ok(Err(error)) => Err(self.broken(&format!("what it writes is no text: {error}"))),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                Err(self.broken(&format!("it said nothing for {} seconds", PATIENCE.as_secs())))
            }
        }
    }

    /// The next line without its end; none at the end of its output.
    pub(super) fn line(&mut self) -> Result<Option<String>, Halt> {
        Ok(self.next()?.map(|line| line.trim_end_matches(['\n', '\r']).to_owned()))
    }

    /// The remaining output of a generator, which has to exit successfully.
    pub(super) fn rest(mut self) -> Result<String, Halt> {
        let mut text = String::new();
        while let Some(line) = self.next()? {
            text.push_str(&line);
        }
        drop(self.child.stdin.take());
        let begun = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(text),
                Ok(Some(status)) => return Err(self.broken(&format!("it failed: {status}"))),
                Ok(None) if begun.elapsed() < PATIENCE => std::thread::park_timeout(GLANCE),
                Ok(None) => return Err(self.broken("it closed its output and did not end")),
                Err(error) => return Err(self.broken(&format!("its end cannot be seen: {error}"))),
            }
        }
    }

    /// Sends an answer.
    pub(super) fn say(&mut self, answer: &str) -> Result<(), Halt> {
        let stdin = self.child.stdin.as_mut().expect("it is a pipe until the end");
        writeln!(stdin, "{answer}").map_err(|error| broken(self.line, &format!("it does not listen: {error}")))
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        // After it has been waited for, another process may have its id.
        if let Ok(None) = self.child.try_wait() {
            let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
            if let Some(group) = group {
                // An error means that the group has no processes left.
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = self.child.wait();
        }
    }
}
