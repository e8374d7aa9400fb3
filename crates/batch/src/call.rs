//! Calls of the command `mcve`. All of them end with this process, also after `kill -9`.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use mcve_launch::{Ended, Launch, Launcher, Stop};
use serde_json::Value;

/// The file for the standard error of a call.
const MESSAGES: &str = "messages";

/// Calls the command `mcve`.
#[derive(Debug)]
pub struct Caller {
    launcher: Launcher,
    program: PathBuf,
    env: Vec<(OsString, OsString)>,
    /// The calls under way; none if no more may begin.
    running: Mutex<Option<Vec<(u64, Stop)>>>,
}

/// How a call ended.
#[derive(Debug)]
pub struct Answer {
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// What it printed to standard output.
    pub text: String,
    /// What it printed to standard error.
    pub messages: String,
    /// How long it took.
    pub wall: Duration,
    /// The processor time of all its processes, if it was measured.
    pub processor: Option<Duration>,
}

impl Answer {
    /// The events of this name that it printed.
    pub fn events(&self, name: &str) -> impl Iterator<Item = Value> {
        let events = self.text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        events.filter(move |event| event["event"] == name)
    }

    /// The first line of its error message, with the next one if that goes on.
    pub fn error(&self) -> String {
        let mut lines = self.messages.lines();
        let error = lines.find_map(|line| line.strip_prefix("error: "));
        let last = || self.messages.lines().last().unwrap_or("it said nothing");
        let error = error.unwrap_or_else(last);
        let next = lines.next().filter(|_| error.ends_with(':'));
        next.map_or_else(|| error.to_owned(), |next| format!("{error} {}", next.trim()))
    }
}

impl Caller {
    /// A caller of `program`, whose calls keep their state in a folder, and share verdicts in another one if it is named.
    ///
    /// # Errors
    /// When no process can be started, or the folder cannot be used.
    pub fn new(program: PathBuf, state: &Path, store: Option<&Path>) -> io::Result<Self> {
        fs::create_dir_all(state)?;
        let state = state.canonicalize()?;
        let mut own = vec![("XDG_STATE_HOME", state.into_os_string()), ("NO_COLOR", "1".into())];
        own.extend(
            store.map(|store| Ok::<_, io::Error>(("MCVE_STORE", std::path::absolute(store)?.into()))).transpose()?,
        );
        let mut env: Vec<(OsString, OsString)> =
            std::env::vars_os().filter(|(name, _)| own.iter().all(|(own, _)| name != own)).collect();
        env.extend(own.into_iter().map(|(name, value)| (name.into(), value)));
        Ok(Self { launcher: Launcher::new(None)?, program, env, running: Mutex::new(Some(Vec::new())) })
    }

    /// Runs a command line in a folder until it ends. None if no more calls may begin.
    ///
    /// # Errors
    /// When it cannot be started, or its output cannot be read.
    pub fn call(&self, id: u64, words: &[OsString], folder: &Path) -> io::Result<Option<Answer>> {
        let start = Instant::now();
        let (read, written) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let path = folder.join(MESSAGES);
        let messages = File::create(&path)?;
        let launch = Launch {
            stdout: Some(written.as_fd()),
            stderr: Some(messages.as_fd()),
            ..Launch::new(&self.program, words, &self.env, folder)
        };
        let mut running = {
            let mut all = self.running.lock().expect("nobody panics with it");
            let Some(all) = &mut *all else { return Ok(None) };
            let running = self.launcher.launch(&launch)?;
            all.push((id, running.stop()));
            running
        };
        drop(written);
        let mut bytes = Vec::new();
        let was_read = File::from(read).read_to_end(&mut bytes);
        let ended = running.wait();
        if let Some(all) = &mut *self.running.lock().expect("nobody panics with it") {
            all.retain(|(own, _)| *own != id);
        }
        was_read?;
        let (code, processor) = match ended? {
            Ended::Ran(status, usage) => {
                (status.code().filter(|_| status.signal().is_none()), usage.map(|usage| usage.processor))
            }
            Ended::Failed(error) => return Err(error),
            Ended::Lost => (None, None),
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let messages = fs::read(&path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())?;
        fs::remove_file(&path)?;
        Ok(Some(Answer { code, text, messages, wall: start.elapsed(), processor }))
    }

    /// Whether more calls may begin.
    pub fn is_open(&self) -> bool {
        self.running.lock().expect("nobody panics with it").is_some()
    }

    /// Ends the call with this number.
    pub fn stop(&self, id: u64) {
        let all = self.running.lock().expect("nobody panics with it");
        all.iter().flatten().filter(|(own, _)| *own == id).for_each(|(_, stop)| stop.stop());
    }

    /// Ends all calls, and lets no more begin.
    pub fn stop_all(&self) {
        let all = self.running.lock().expect("nobody panics with it").take();
        all.into_iter().flatten().for_each(|(_, stop)| stop.stop());
    }
}
