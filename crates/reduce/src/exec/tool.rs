//! Runs programs that are not checks: cargo, and queries for the compiler's path and version. They end when mcve ends, in any
//! way, and when the run is interrupted or out of time. Those that run untrusted code do so in a sandbox ([`ToolSandbox`]).

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mcve_launch::{Ended, Held, Launch, Launcher, Sandbox};
use rustix::process::Signal;

use super::cancel::{Cancel, Until};
use super::confinement::Confinement;
use super::environment::Environment;
use super::folder::RunFolder;
use super::group::Group;
use super::shim::Changes;
use crate::locked::lock;

/// The number of runs of a tool that is killed from outside.
const TRIES: u32 = 4;

/// What ends tools.
static END: Mutex<Option<Until>> = Mutex::new(None);

/// Makes tools end when this flag is set, or at this time.
pub fn end_by(interrupt: &Arc<AtomicBool>, deadline: Option<Instant>) {
    *lock(&END) = Some(Until { interrupt: Arc::clone(interrupt), deadline });
}

/// Whether the flag is set.
pub fn is_interrupted() -> bool {
    end().is_some_and(|end| end.is_interrupted())
}

fn end() -> Option<Until> {
    lock(&END).clone()
}

/// Checks that the run continues.
pub(super) fn proceed() -> io::Result<()> {
    if is_interrupted() {
        return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
    }
    if end().is_some_and(|end| end.is_over()) {
        return Err(io::Error::new(io::ErrorKind::TimedOut, "the budget is spent"));
    }
    Ok(())
}

/// The process that starts tools, once one was started.
static LAUNCHER: Mutex<Option<Arc<Launcher>>> = Mutex::new(None);

/// The launcher in `launcher`, or a new one in this sandbox.
fn started(launcher: &Mutex<Option<Arc<Launcher>>>, sandbox: Option<&Sandbox>) -> io::Result<Arc<Launcher>> {
    let mut launcher = lock(launcher);
    match &*launcher {
        Some(launcher) => Ok(Arc::clone(launcher)),
        None => Ok(Arc::clone(launcher.insert(Arc::new(Launcher::new(sandbox.cloned())?)))),
    }
}

/// Ends the launcher of tools, and waits for its end. Otherwise it ends with this process, a moment later.
pub fn finish() {
    drop(lock(&LAUNCHER).take());
}

/// A sandbox for tools, like that of checks, with a folder for temporary files.
#[derive(Debug)]
pub struct ToolSandbox {
    sandbox: Sandbox,
    launcher: Mutex<Option<Arc<Launcher>>>,
    environment: Environment,
    /// The last field, as started processes use it.
    temporary: RunFolder,
}

impl ToolSandbox {
    /// A sandbox whose tools may write to these paths and to their temporary files.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn new(confinement: &Confinement) -> io::Result<Self> {
        let temporary = RunFolder::new()?;
        let sandbox = confinement.sandbox(temporary.checks());
        let environment = Environment::without_secrets(&confinement.kept_variables);
        Ok(Self { sandbox, launcher: Mutex::default(), environment, temporary })
    }

    /// The restrictions that it enforces on this system.
    ///
    /// # Errors
    /// When no process can be started.
    pub fn held(&self) -> io::Result<Held> {
        Ok(self.launcher()?.held())
    }

    /// Renews the sandbox for the next tool: without namespaces, an old one denies files that are created beside secrets.
    pub fn renew(&self) {
        drop(lock(&self.launcher).take());
    }

    fn launcher(&self) -> io::Result<Arc<Launcher>> {
        started(&self.launcher, Some(&self.sandbox))
    }

    /// The folder for temporary files.
    pub fn temporary(&self) -> PathBuf {
        self.temporary.checks()
    }
}

/// What a tool is run in and with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'a> {
    /// Its sandbox, if it has one.
    pub sandbox: Option<&'a ToolSandbox>,
    /// Its folder, if it differs from the current one.
    pub folder: Option<&'a Path>,
    /// The file that is its standard input; none: empty input.
    pub stdin: Option<&'a Path>,
}

/// Runs a program, by its path, with this setup. If it is killed from outside, it is run again.
///
/// # Errors
/// When it cannot be run, or is still running when the run has to end, or the file of its input cannot be read.
pub fn output(setup: Setup<'_>, program: &Path, arguments: &[OsString], changes: &Changes) -> io::Result<Output> {
    let launcher = setup.sandbox.map_or_else(|| started(&LAUNCHER, None), ToolSandbox::launcher)?;
    for _ in 0..TRIES {
        match run(&launcher, setup, program, arguments, changes)? {
            (Ended::Ran(status, _), ..) if status.signal() == Some(Signal::KILL.as_raw()) => {}
            (Ended::Ran(status, _), stdout, stderr) => return Ok(Output { status, stdout, stderr }),
            (Ended::Failed(error), ..) => return Err(error),
            (Ended::Lost, ..) => {}
        }
    }
    Err(io::Error::other("somebody kills it"))
}

fn run(
    launcher: &Launcher,
    setup: Setup<'_>,
    program: &Path,
    arguments: &[OsString],
    changes: &Changes,
) -> io::Result<(Ended, Vec<u8>, Vec<u8>)> {
    proceed()?;
    let words: Vec<OsString> = [program.into()].into_iter().chain(arguments.iter().cloned()).collect();
    let env = match setup.sandbox {
        None => Environment::inherited().with(changes),
        Some(sandbox) => {
            let temporary = (OsString::from("TMPDIR"), Some(sandbox.temporary().into()));
            sandbox.environment.with(&changes.iter().cloned().chain([temporary]).collect())
        }
    };
    let folder = setup.folder.map_or_else(std::env::current_dir, |folder| Ok(folder.to_owned()))?;
    let stdin = setup.stdin.map(File::open).transpose()?;
    let cancel = end().map_or_else(Cancel::default, Cancel::after);
    let launch = Launch { stdin: stdin.as_ref().map(AsFd::as_fd), ..Launch::new(program, &words, &env, &folder) };
    let mut group = Group::start(launcher, &launch, &cancel)?;
    if !group.wait(None)? {
        proceed()?;
    }
    group.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_says_comes_back() {
        let words = ["-c", "echo out $A; echo err >&2; exit 3"].map(OsString::from);
        let changes = vec![("A".into(), Some("1".into()))];
        let output = output(Setup::default(), Path::new("/bin/sh"), &words, &changes).expect("there is a shell");
        assert_eq!((output.status.code(), &*output.stdout, &*output.stderr), (Some(3), &b"out 1\n"[..], &b"err\n"[..]));
    }

    #[test]
    fn what_cannot_be_run_is_told() {
        let error = super::output(super::Setup::default(), Path::new("/nowhere/x"), &[], &Changes::new())
            .expect_err("it is not there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
