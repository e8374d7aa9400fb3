//! The command that compiles and runs a program by hand.

use std::ffi::OsString;
use std::path::Path;

use super::{Runner, last};
use crate::oracle::rustc::Rustc;
use crate::oracle::shell;
use crate::program::Program;

impl Runner {
    /// The shell command that compiles and runs `program` at `path`.
    pub fn command(&self, program: &Program, path: &Path) -> String {
        let mut args = self.args();
        let is_gone = |word: &OsString| !word.to_str().is_some_and(|word| program.text.contains(last(word)));
        while let Some(at) = (1..args.len()).find(|&at| args[at - 1] == "--skip" && is_gone(&args[at])) {
            args.drain(at - 1..=at);
        }
        let args: String = args.iter().map(|arg| format!(" {}", shell::quote(arg))).collect();
        let input = self.stdin.as_ref().map(|stdin| format!(" < {}", shell::quote(stdin.path.as_os_str())));
        let input = input.unwrap_or_default();
        let (compile, set) = (self.rustc.command_to(program, path, "\"$d\"/run"), self.rustc.run_assignments(program));
        format!("(d=$(mktemp -d) && {compile} && {set}\"$d\"/run{args}{input})")
    }
}

impl Rustc {
    /// Sets the variables for a run of `program`: it has what the compiler has, its own variables, and those of the program.
    pub(crate) fn run_assignments(&self, program: &Program) -> String {
        let own = program.environment().into_iter().map(|(name, value)| (name.into(), value.into()));
        let set: Vec<(OsString, OsString)> = self.inherited.iter().cloned().chain(own).collect();
        shell::assignments(&set)
    }
}
