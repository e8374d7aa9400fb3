//! Starts programs that serve checks: fork servers.

use std::ffi::OsString;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;

use mcve_launch::{Launch, Running};

use super::process::Processes;
use super::shim::Changes;

pub(super) struct Serving<'a> {
    pub(super) program: &'a Path,
    pub(super) argument: &'a str,
    pub(super) folder: &'a Path,
    pub(super) env: &'a Changes,
    pub(super) stdin: BorrowedFd<'a>,
}

impl Processes {
    /// Starts a program that serves checks, with the limits that a check has.
    pub(super) fn serve(&self, serving: &Serving<'_>) -> io::Result<Running> {
        let Serving { program, argument, folder, env, stdin } = *serving;
        let words = [program.as_os_str().to_owned(), argument.into()];
        let env = self.environment.with(env);
        // What it forks runs in folders of which it knows nothing yet.
        let (stdin, memory) = (Some(stdin), self.memory.0);
        self.launcher.launch(&Launch { stdin, memory, ..Launch::new(program, &words, &env, folder) })
    }

    /// The value of a variable that a program has with these changes.
    pub(super) fn variable(&self, name: &str, env: &Changes) -> Option<OsString> {
        self.environment.with(env).into_iter().find(|(other, _)| other == name).map(|(_, value)| value)
    }
}
