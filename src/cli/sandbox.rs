//! The sandbox of checks, as it is asked for.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use mcve_launch::Held;

use super::exit::{Exit, Failed};
use crate::exec::confinement::Confinement;
use crate::exec::job::{End, JobResult};
use crate::exec::limits::Memory;
use crate::exec::process::Processes;
use crate::exec::tool::ToolSandbox;
use crate::secrets;
use crate::user_key::UserKey;

/// What a program prints that the sandbox does not let write.
const NOT_WRITABLE: [&str; 3] = ["Read-only file system", "Permission denied", "Operation not permitted"];

/// What it prints if it may not use the network.
const NO_NETWORK: [&str; 3] = ["Connection refused", "Network is unreachable", "Temporary failure in name resolution"];

/// The exit code of a shell that does not find a program.
const MISSING: i32 = 127;

/// The options of the sandbox.
#[derive(Args, Clone, Debug)]
pub struct SandboxArgs {
    /// Whether checks run in a sandbox: they write only in their own folder, connect to nothing, and get no variables that look like secrets. Only on Linux.
    #[arg(long, value_enum, value_name = "WHETHER", default_value_t = Switch::On, help_heading = "What checks may do")]
    pub sandbox: Switch,

    /// A file or folder that checks may write to.
    #[arg(long, value_name = "PATH", help_heading = "What checks may do")]
    pub writable: Vec<PathBuf>,

    /// A variable that checks get although it looks like a secret.
    #[arg(long, value_name = "NAME", help_heading = "What checks may do")]
    pub keep_env: Vec<OsString>,
}

/// Whether something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

impl SandboxArgs {
    /// What runs the checks of a run.
    ///
    /// # Errors
    /// When a path that checks may write to is not there, or there is no folder for temporary files, or no process.
    pub(super) fn processes(&self, memory: Option<Memory>) -> Result<Arc<Processes>, Failed> {
        let memory = memory.unwrap_or_default();
        let processes = match self.sandbox {
            Switch::On => Processes::confined(memory, &self.confinement()?),
            Switch::Off => Processes::new(memory),
        };
        let processes = processes.context("cannot make a temporary folder, or start a process");
        processes.map(Arc::new).map_err(|error| Failed::new(Exit::Check, error))
    }

    /// The sandbox of cargo and of what it runs, which may also write to these folders; none where there is to be none.
    ///
    /// # Errors
    /// As of [`processes`](Self::processes).
    pub(super) fn of_tools(&self, folders: &[PathBuf]) -> Result<Option<Arc<ToolSandbox>>, Failed> {
        if self.sandbox == Switch::Off {
            return Ok(None);
        }
        let mut confinement = self.confinement()?;
        confinement.writable.extend_from_slice(folders);
        let sandbox = ToolSandbox::new(&confinement).context("cannot make a temporary folder");
        sandbox.map(|sandbox| Some(Arc::new(sandbox))).map_err(|error| Failed::new(Exit::Check, error))
    }

    fn confinement(&self) -> Result<Confinement, Failed> {
        let path = |path: &PathBuf| {
            let found =
                path.canonicalize().with_context(|| format!("--writable {}: there is no such path", path.display()));
            found.map_err(|error| Failed::new(Exit::Usage, error))
        };
        let writable = self.writable.iter().map(path).collect::<Result<_, _>>()?;
        // One that is made later would not be hidden. Without one, runs cannot be resumed by themselves.
        let _ = UserKey::load();
        Ok(Confinement { writable, hidden: secrets::paths(), kept_variables: self.keep_env.clone() })
    }
}

/// What to say of a sandbox that does not hold all, of checks that run candidates or only compile them.
///
/// # Errors
/// When candidates are to be run that nothing keeps from writing to the user's files.
pub(super) fn admit(processes: &Processes, runs_candidates: bool) -> Result<Option<String>, Failed> {
    let Some(held) = processes.held() else { return Ok(None) };
    if runs_candidates && !held.files {
        let error = anyhow!(
            "this system has no sandbox for checks (Landlock, or namespaces), and a reduced program may delete files that the whole one never touches; to run candidates all the same: --sandbox off"
        );
        return Err(Failed::new(Exit::Usage, error));
    }
    Ok(lacking(held, "checks", runs_candidates))
}

/// What to say of a sandbox of cargo that does not hold all.
///
/// # Errors
/// When it cannot be made.
pub(super) fn admit_tools(sandbox: &ToolSandbox) -> Result<Option<String>, Failed> {
    let held = sandbox.held().context("cannot start a process").map_err(|error| Failed::new(Exit::Check, error))?;
    Ok(lacking(held, "cargo and what it runs", true))
}

/// What a system does not keep from whom, where they run foreign code.
fn lacking(held: Held, whom: &str, runs_code: bool) -> Option<String> {
    if !held.files {
        return Some(format!("this system has no sandbox for {whom} (Landlock, or namespaces)"));
    }
    let network = (!held.network).then_some("using the network");
    let modes = (!held.modes && runs_code).then_some("changing modes and times of your files");
    let all: Vec<&str> = network.into_iter().chain(modes).collect();
    (!all.is_empty()).then(|| format!("this system does not keep {whom} from {}", all.join(" and ")))
}

/// What to say of the sandbox where a check did not show what it was to show. Where a program is missing, that is no reason.
pub(super) fn advice(result: Option<&JobResult>) -> String {
    if result.is_some_and(|result| result.end == End::Exited(MISSING)) {
        return String::new();
    }
    let text = result.map(|result| [&result.stderr[..], &result.stdout[..]].map(String::from_utf8_lossy).concat());
    let text = text.unwrap_or_default();
    let denied = line_with(&text, &[NOT_WRITABLE, NO_NETWORK].concat());
    let seems =
        denied.map(|line| format!(", which seems to have denied it something ({})", line.trim())).unwrap_or_default();
    format!(
        "\nthe check ran in a sandbox{seems}; if the failure is there without: --writable PATH for what it has to write, --keep-env NAME for a variable, or --sandbox off"
    )
}

/// What to say of the sandbox where cargo `printed` that it, or what it runs, was denied something.
pub(super) fn advice_on_cargo(printed: &str) -> Option<String> {
    let line = line_with(printed, &[NOT_WRITABLE, NO_NETWORK].concat())?.trim();
    Some(format!(
        "cargo and what it runs were in a sandbox, which seems to have denied something ({line}): they write to the target folder and temporary files only, and connect to nothing; to let them: --writable PATH, or --sandbox off"
    ))
}

/// The first line of a text that has one of these in it.
fn line_with<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    text.lines().find(|line| words.iter().any(|words| line.contains(words)))
}
