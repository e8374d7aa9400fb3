//! Scripts and commands that decide whether a candidate fails.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{Cause, FailureError};
use super::held::with_held;
use super::problem::Problem;
use super::request::Request;
use crate::exec::environment::VARIABLES;
use crate::exec::shim::{self, Changes};
use crate::exec::{fingerprint, programs};
use crate::oracle::Oracle;
use crate::oracle::command::{CommandOracle, Conditions};
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use crate::oracle::script::{Script, ScriptOracle};
use crate::session::Session;
use crate::state::invocation::Fact;

struct Environment {
    /// Changes that make the `rustc` they call start sooner and belong to the requested toolchain.
    changes: Changes,
    /// rustup's proxy with the compiler behind it, if they would call the proxy.
    proxied: Option<(PathBuf, PathBuf)>,
    /// Variables that a shell must set to reproduce a check: those of mcve's own environment that another shell may lack.
    shown: Vec<(OsString, OsString)>,
}

impl Environment {
    fn new(session: &Session) -> Result<Self, FailureError> {
        let toolchain = session.toolchain.as_deref();
        let mut changes = shim::toolchain(toolchain);
        let proxied = programs::proxied(toolchain)?;
        if let Some((proxy, compiler)) = &proxied {
            let folder = session.folder().join("bin");
            // Without the shim checks are slower, but not wrong.
            if let Ok(more) = shim::write(&folder, proxy, compiler, toolchain) {
                changes.extend(more);
            }
        }
        let mut shown = Vec::new();
        let compiler = proxied.as_ref().map(|(_, compiler)| &**compiler);
        // Where the name alone leads to the same compiler, the toolchain need not be named.
        let called = compiler.map(|compiler| programs::called(Some(Path::new("rustc")), toolchain, compiler));
        let named = called.iter().flatten().find_map(|word| word.to_str()?.strip_prefix('+').map(OsString::from));
        shown.extend(named.map(|name| (shim::TOOLCHAIN.into(), name)));
        shown.extend(VARIABLES.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?))));
        Ok(Self { changes, proxied, shown })
    }
}

/// The oracles of scripts, or command lines for the shell, without hints of a compiler.
///
/// # Errors
/// When one cannot be run.
pub fn scripts(tests: &[OsString], session: &Session) -> Result<Vec<ScriptOracle>, FailureError> {
    let Environment { changes: env, shown, .. } = Environment::new(session)?;
    let oracle = |test: &OsString| {
        let (script, _) = script(test)?;
        Ok(ScriptOracle { script, bad: 0, env: env.clone(), shown: shown.clone(), rustc: None })
    };
    tests.iter().map(oracle).collect()
}

/// A script, and the text that distinguishes it from other scripts.
fn script(test: &OsStr) -> anyhow::Result<(Script, String)> {
    Ok(match programs::script(test)? {
        Some(path) => (Script::File(path.clone()), fingerprint::program(&path)),
        None => (Script::Inline(test.to_owned()), format!("{test:?}")),
    })
}

impl Request<'_> {
    /// The failure that a script decides, and the conditions on the program.
    pub(super) fn by_script(&self, test: &OsStr, bad: i32) -> Result<Problem, FailureError> {
        let env = Environment::new(self.session)?;
        let rustc = self.rustc_for_hints(&env);
        let (script, fact) = script(test)?;
        let compiler = rustc.as_ref().map(|rustc| &*rustc.program);
        self.record_basis(None, compiler, vec![Fact::new("the script", fact)])?;
        let oracle = ScriptOracle { script, bad, env: env.changes, shown: env.shown, rustc: rustc.clone() };
        self.problem(Arc::new(oracle), None, rustc)
    }

    /// The failure that a command decides, and the conditions on the program.
    pub(super) fn by_command(&self, words: &[OsString], conditions: &Conditions) -> Result<Problem, FailureError> {
        let env = Environment::new(self.session)?;
        let rustc = self.rustc_for_hints(&env);
        let (name, args) = words.split_first().ok_or_else(|| anyhow::anyhow!("the command has no words"))?;
        let program = programs::find(name)?;
        let names_toolchain = args.first().is_some_and(|arg| arg.as_encoded_bytes().starts_with(b"+"));
        let program = match &env.proxied {
            Some((proxy, compiler)) if program == *proxy && !names_toolchain => compiler.clone(),
            _ => program,
        };
        let facts = vec![Fact::new("the command", fingerprint::program(&program))];
        let compiler = rustc.as_ref().map(|rustc| &*rustc.program);
        self.record_basis(None, compiler, facts)?;
        let compiler = compiler.filter(|compiler| *compiler == program).map(ToOwned::to_owned);
        let (called, args, conditions) = (name.clone(), args.to_vec(), conditions.clone());
        let (env, shown, hints) = (env.changes, env.shown, rustc.clone());
        let oracle = CommandOracle { program, called, args, conditions, env, shown, rustc: hints };
        self.problem(Arc::new(oracle), compiler, rustc)
    }

    fn rustc_for_hints(&self, environment: &Environment) -> Option<Rustc> {
        // How a folder is compiled is unknown.
        if self.program.name.as_os_str().is_empty() {
            return None;
        }
        let (given, proxied) = (self.spec.rustc.as_deref(), environment.proxied.as_ref());
        let compiler = programs::likely_rustc(given, self.session.toolchain.as_deref(), proxied).ok()?;
        // Headers that are not allowed are left out: a hint decides nothing.
        let headers = Headers::revisions(&self.program.root(), self.spec.trust).swap_remove(0);
        Some(Rustc::guess(compiler, self.program, &headers, &std::env::current_dir().ok()?))
    }

    /// The program as it is, judged by `oracle`, whose checks only run `compiler`, if there is one, and the conditions on the program.
    fn problem(
        &self,
        mut oracle: Arc<dyn Oracle>,
        compiler: Option<PathBuf>,
        rustc: Option<Rustc>,
    ) -> Result<Problem, FailureError> {
        if !self.spec.has_no_kinds() {
            if let Some(tool) = self.spec.tool.filter(|tool| tool.is_compiler()) {
                let what = format!("a script or a command calls {} itself", tool.program());
                return Err(FailureError::conflict(&what, "leave --tool out"));
            }
            let why = "extra conditions apply to a single file and need a rustc";
            let rustc = rustc.ok_or_else(|| Cause::Conflict(why.to_owned()))?;
            oracle = with_held(oracle, &rustc, &self.conditions(&rustc)?);
        }
        let (program, executor) = (self.program.clone(), self.session.executor_of(compiler));
        Ok(Problem { program, oracle, executor, runs: self.spec.runs(), notes: Vec::new() })
    }
}
