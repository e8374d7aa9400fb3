//! The sandbox of checks, as it is asked for.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgAction, Args};

use super::exit::{Exit, Failed, OrExit};
use super::values::one_of;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::exec::confinement::Confinement;
use mcve_reduce::exec::confinement::denied;
use mcve_reduce::exec::job::{End, JobResult};
use mcve_reduce::exec::limits::Memory;
use mcve_reduce::secrets;
use mcve_reduce::session::Session;

/// The exit code of a shell that does not find a program.
const MISSING: i32 = 127;

/// Whether something is done.
const SWITCH: &[(&str, bool, &str)] = &[("on", true, "It is"), ("off", false, "It is not")];

/// The options of the sandbox.
#[derive(Args, Clone, Debug)]
pub(super) struct SandboxArgs {
    /// Whether checks run in a sandbox. Only on Linux.
    ///
    /// There they write only in their own folder, connect to nothing, and get no variables that look like secrets.
    #[arg(long, action = ArgAction::Set, value_parser = one_of(SWITCH), value_name = "WHETHER", default_value = "on", help_heading = "What checks may do")]
    pub(super) sandbox: bool,

    /// A file or folder that checks may write to.
    #[arg(long, value_name = "PATH", help_heading = "What checks may do")]
    pub(super) writable: Vec<PathBuf>,

    /// A variable that checks get although it looks like a secret.
    #[arg(long, value_name = "NAME", help_heading = "What checks may do")]
    pub(super) keep_env: Vec<OsString>,
}

impl SandboxArgs {
    /// A session whose checks run in this sandbox, if it is on.
    /// Fails if a path of `--writable` does not exist, or mcve cannot make a temporary folder or start a process.
    pub(super) fn session(
        &self,
        toolchain: Option<String>,
        limits: Limits,
        memory: Option<Memory>,
    ) -> Result<Session, Failed> {
        let confinement = if self.sandbox { Some(self.confinement()?) } else { None };
        let session = Session::new(toolchain, limits, memory, confinement);
        let session = session.context("cannot make a temporary folder, or start a process");
        session.or_exit(Exit::Check)
    }

    fn confinement(&self) -> Result<Confinement, Failed> {
        let path = |path: &PathBuf| {
            let found =
                path.canonicalize().with_context(|| format!("--writable {}: there is no such path", path.display()));
            found.or_exit(Exit::Usage)
        };
        let writable = self.writable.iter().map(path).collect::<Result<_, _>>()?;
        Ok(Confinement { writable, hidden: secrets::paths(), kept_variables: self.keep_env.clone() })
    }
}

/// How to see whether the sandbox is why a check does not show the failure: mcve runs nothing without it unasked. A missing program is no
/// reason.
pub(super) fn advice(result: Option<&JobResult>) -> String {
    if result.is_some_and(|result| result.end == End::Exited(MISSING)) {
        return String::new();
    }
    let text = result.map(|result| [&result.stderr[..], &result.stdout[..]].map(String::from_utf8_lossy).concat());
    let text = text.unwrap_or_default();
    let printed = denied(&text).map(|line| format!(" and printed: {}", line.trim())).unwrap_or_default();
    format!(
        "\nit ran in a sandbox{printed}; it was not tried without: --sandbox off does that, --writable PATH lets it write there, --keep-env NAME leaves it a variable"
    )
}
