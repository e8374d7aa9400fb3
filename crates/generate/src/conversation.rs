//! The process of an external generator, which writes and reads lines.

use std::ffi::{OsStr, OsString};
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
#[derive(Debug)]
pub(super) struct Process {
    line: OsString,
    child: Child,
    lines: Receiver<std::io::Result<String>>,
}

impl Process {
    pub(super) fn start(line: &OsStr, stderr: Stdio) -> Result<Self, Halt> {
        let failed = |error: std::io::Error| broken(line, &format!("it cannot be run: {error}"));
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).process_group(0);
        // The order of Python's sets is the same in each run.
        command.env("PYTHONHASHSEED", "0");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn().map_err(failed)?;
        let stdout = child.stdout.take().expect("it is a pipe");
        let (sender, lines) = sync_channel(AHEAD);
        let process = Self { line: line.to_owned(), child, lines };
        let read = move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let mut line = String::new();
                match reader.by_ref().take(MOST).read_line(&mut line) {
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
        broken(&self.line, why)
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
            self.add(&mut text, &line)?;
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

    fn add(&self, text: &mut String, line: &str) -> Result<(), Halt> {
        text.push_str(line);
        if text.len() as u64 > MOST { Err(self.broken("it writes too much")) } else { Ok(()) }
    }

    /// The text of this length of a generator that serves, which has a line break behind it, and then says how it ended.
    pub(super) fn text(&mut self, length: usize) -> Result<String, Halt> {
        let mut text = String::new();
        while text.len() <= length {
            let line = self.next()?.ok_or_else(|| self.broken("its text is cut"))?;
            self.add(&mut text, &line)?;
        }
        text.truncate(length);
        match self.line()?.as_deref() {
            Some("done 0") => Ok(text),
            _ => Err(self.broken("it failed")),
        }
    }

    /// Ends the run of a generator that serves, which has asked `question`.
    pub(super) fn stop(&mut self, question: &str) -> Result<(), Halt> {
        let mut next = Some(question.to_owned());
        while let Some(line) = next.filter(|line| !line.starts_with("done ")) {
            if !["group ", "part", "end", "unordered", "output"].iter().any(|silent| line.starts_with(silent)) {
                self.say("stop")?;
            }
            next = self.line()?;
        }
        Ok(())
    }

    pub(super) fn say(&mut self, answer: &str) -> Result<(), Halt> {
        let stdin = self.child.stdin.as_mut().expect("it is a pipe until the end");
        writeln!(stdin, "{answer}").map_err(|error| broken(&self.line, &format!("it does not listen: {error}")))
    }
}

impl Drop for Process {
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
