//! A copy of the best program in the user's editor, while the search goes on.

use std::io::stderr;
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use mcve_reduce::check::limits::{Limits, Stop};
use mcve_reduce::program::Program;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::terminal::Suspension;

/// How often it is looked whether the editor has ended.
const POLL: Duration = Duration::from_millis(50);

/// Opens a copy of `program`, and waits for the end of the editor. It is ended where the run is to stop.
/// Fails when the editor cannot be run: why, in words.
pub(super) fn open(program: &Program, limits: &Limits, suspension: &Suspension) -> Result<(), &'static str> {
    let folder = tempfile::tempdir().map_err(|_| "there is no folder for a copy of the program")?;
    let path = folder.path().join(program.name.file_name().unwrap_or(program.name.as_os_str()));
    std::fs::write(&path, program.shown()).map_err(|_| "a copy of the program cannot be written")?;
    let ended = run(&path, limits, suspension).map_err(|_| "the editor cannot be run")?;
    if ended.success() { Ok(()) } else { Err("the editor has failed: is $EDITOR right?") }
}

/// Runs the editor that the user names, as a line for the shell: on the terminal, although standard output may be a file.
fn run(path: &Path, limits: &Limits, suspension: &Suspension) -> std::io::Result<ExitStatus> {
    let named = |name| std::env::var(name).ok().filter(|editor| !editor.is_empty());
    let editor = named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| "vi".to_owned());
    let terminal = Stdio::from(stderr().as_fd().try_clone_to_owned()?);
    let line = format!("{editor} \"$1\"");
    let mut child = Command::new("sh").args(["-c", &line, "sh"]).arg(path).stdout(terminal).spawn()?;
    let mut is_ended = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        suspension.stop_if_asked();
        if !is_ended && matches!(limits.proceed(), Err(Stop::Interrupted)) {
            is_ended = true;
            let _ = kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGTERM);
        }
        std::thread::sleep(POLL);
    }
}
