//! From arguments to the oracle that judges candidates.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;

use super::args::OracleArgs;
use super::exit::{Exit, Failed};
use super::failure::{self, FailureToKeep, FoundOracle, Held, with_conditions};
use super::input::Given;
use super::sandbox::admit;
use super::way::OtherWay;
use crate::check::limits::Limits;
use crate::exec::process::Processes;
use crate::exec::shim::{self, Changes};
use crate::exec::{fingerprint, programs};
use crate::oracle::Oracle;
use crate::oracle::command::{CommandOracle, Conditions};
use crate::oracle::headers::{Headers, Trust};
use crate::oracle::rustc::Rustc;
use crate::oracle::script::{Script, ScriptOracle};
use crate::program::Program;
use crate::project::manifest;
use crate::state::invocation::{Fact, VARIABLES};
use crate::state::journal::Journal;
use crate::state::remembering::Remembering;

/// What a program says that may depend on other files, or on the environment.
const READS: [&str; 6] = ["env!", "include!", "include_bytes!", "include_str!", "path = \"", "path=\""];

/// What judges candidates.
pub struct Chosen {
    /// The oracle.
    pub oracle: Arc<dyn Oracle>,
    /// What is reduced: the program, with the arguments of the compiler that belong to it.
    pub program: Program,
    /// The compiler that its checks are, if they are no scripts or other programs.
    pub compiler: Option<PathBuf>,
    /// What the user should know of how it was chosen.
    pub notes: Vec<String>,
}

/// What an oracle is chosen by.
pub struct Choice<'a> {
    /// The arguments.
    pub args: &'a OracleArgs,
    /// The unreduced program, as the user gave it.
    pub given: Given<'a>,
    /// The toolchain of rustup that was asked for.
    pub toolchain: Option<&'a str>,
    /// The unreduced program.
    pub program: &'a Program,
    /// Runs checks.
    pub processes: &'a Processes,
    /// What is known from before.
    pub journal: &'a Journal,
    /// When to give up.
    pub limits: &'a Limits,
    /// Whether the arguments of rustc are to belong to the program, so that they are reduced with it.
    pub reduces_arguments: bool,
}

fn check(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(Exit::Check, error)
}

/// What scripts and commands are run in.
pub(super) struct Environment {
    /// What changes in it, so that the `rustc` they call starts sooner and is of the toolchain that was asked for.
    pub(super) changes: Changes,
    /// rustup's proxy with the compiler behind it, if that is what they would call.
    proxied: Option<(PathBuf, PathBuf)>,
    /// Variables that a shell must set to get the same: those that mcve was started with and that another shell may not have.
    pub(super) shown: Vec<(OsString, OsString)>,
}

impl Environment {
    /// That of a run.
    ///
    /// # Errors
    /// When there is no toolchain of the name that was given.
    pub(super) fn new(toolchain: Option<&str>, processes: &Processes) -> Result<Self, Failed> {
        let mut changes = shim::toolchain(toolchain);
        let proxied = programs::proxied(toolchain).map_err(check)?;
        if let Some((proxy, compiler)) = &proxied {
            let folder = processes.folder().join("bin");
            // Without it checks are slower, but not wrong.
            if let Ok(more) = shim::write(&folder, proxy, compiler, toolchain) {
                changes.extend(more);
            }
        }
        let mut shown = Vec::new();
        let compiler = proxied.as_ref().map(|(_, compiler)| &**compiler);
        // Where the name alone leads to the same compiler, the toolchain need not be said.
        let called = compiler.map(|compiler| programs::called(Some(Path::new("rustc")), toolchain, compiler));
        let named = called.iter().flatten().find_map(|word| word.to_str()?.strip_prefix('+').map(OsString::from));
        shown.extend(named.map(|name| (shim::TOOLCHAIN.into(), name)));
        shown.extend(VARIABLES.iter().filter_map(|name| Some((name.into(), std::env::var_os(name)?))));
        Ok(Self { changes, proxied, shown })
    }
}

impl Choice<'_> {
    /// The oracle that the arguments ask for: a script, a command with conditions, or else rustc and the failure it shows.
    ///
    /// # Errors
    /// When the check cannot be run, or the program compiles, or the run that is resumed was judged by something else.
    pub fn oracle(&self) -> Result<Chosen, Failed> {
        let args = self.args;
        let conditions = args.conditions();
        let chosen = match &args.test {
            Some(test) if args.args.is_empty() => self.script(test)?,
            Some(_) => {
                let error = anyhow!("with --test, nothing follows `--`: the script runs what it needs");
                return Err(Failed::new(Exit::Usage, error));
            }
            None if !conditions.is_empty() => self.command(conditions)?,
            None => return self.rustc(),
        };
        if args.failure.kinds.is_empty() { Ok(chosen) } else { self.conditional(chosen) }
    }

    /// Checks that the first check shows nothing that cargo did not show of the same crate.
    fn hold_to_shown(&self, oracle: &FoundOracle, program: &Program) -> Result<(), Failed> {
        let Some(shown) = self.given.shown.filter(|_| !self.args.failure.force) else { return Ok(()) };
        let is_diagnostic = matches!(oracle, FoundOracle::Diagnostic(_));
        let oracle = oracle.clone().oracle();
        let mut failures = oracle.advice().failures();
        failures.extend(is_diagnostic.then(|| oracle.failure().words));
        let Some(error) = shown.lacking(&failures) else { return Ok(()) };
        let command = self.given.by_hand(&|path| oracle.command(program, path));
        let (file, why) = (self.given.file.display(), failure::likely_reason(error));
        let error = anyhow!(
            "{file}: the first check shows what cargo did not show: {error}\nmost likely {why}; to reduce it all the same: --force\nto see it by hand: {command}"
        );
        Err(Failed::new(Exit::NotFailing, error))
    }

    /// What a script or a command judges, and what has to hold besides.
    fn conditional(&self, chosen: Chosen) -> Result<Chosen, Failed> {
        if let Some(tool) = self.args.failure.kinds.tool.filter(|tool| tool.is_compiler()) {
            let error = anyhow!("a script or a command calls {} itself: leave --tool out", tool.program());
            return Err(Failed::new(Exit::Usage, error));
        }
        let environment = Environment::new(self.toolchain, self.processes)?;
        let Some(rustc) = self.for_hints(&environment) else {
            let error = anyhow!("what has to hold besides is said of a file, and needs a rustc");
            return Err(Failed::new(Exit::Usage, error));
        };
        let executor = &Remembering { executor: self.processes, journal: self.journal };
        let (args, given, toolchain, program, limits) =
            (self.args, self.given, self.toolchain, self.program, self.limits);
        let search = failure::Search { args, given, toolchain, program, executor, limits, may_run: true };
        match search.conditions_of(&rustc)? {
            Ok(held) => Ok(Chosen { oracle: with_conditions(chosen.oracle, &rustc, &held), ..chosen }),
            Err(unmet) => {
                let (file, why, command) = (given.file.display(), unmet.why, unmet.command);
                let error = anyhow!("{file}: this does not hold: {why}\nto see it by hand: {command}");
                Err(Failed::new(Exit::NotFailing, error))
            }
        }
    }

    /// How rustc is run for hints on what a script or command judges, if there is one.
    fn for_hints(&self, environment: &Environment) -> Option<Rustc> {
        // Of a folder it is not known how it is compiled.
        if self.program.name.as_os_str().is_empty() {
            return None;
        }
        let (given, proxied) = (self.args.rustc.as_deref(), environment.proxied.as_ref());
        let compiler = programs::likely_rustc(given, self.toolchain, proxied).ok()?;
        // What is not allowed is left out: a hint decides nothing.
        let headers = Headers::revisions(&self.program.root(), self.args.trust()).swap_remove(0);
        Some(Rustc::guess(compiler, self.program, &headers, &std::env::current_dir().ok()?))
    }

    /// Has the journal say whether verdicts can be taken from it. What a script or command says may depend on anything, so
    /// that its verdicts are good in one run only, and in that as long as these do not change.
    fn judge(&self, identity: Option<String>, rustc: Option<&Path>, others: Vec<Fact>) -> Result<(), Failed> {
        if !self.journal.is_of_use() {
            return Ok(());
        }
        let mut facts = Fact::environment();
        facts.extend(rustc.map(|path| Fact::new("rustc", fingerprint::rustc(path))));
        facts.extend(others);
        self.journal.set_basis(identity, facts).map_err(|change| {
            let error = anyhow::Error::new(change);
            check(error.context("the run cannot be resumed, as its checks would no longer be the same"))
        })
    }

    fn script(&self, test: &OsStr) -> Result<Chosen, Failed> {
        let (script, fact) = match programs::script(test).map_err(check)? {
            Some(path) => (Script::File(path.clone()), fingerprint::program(&path)),
            None => (Script::Inline(test.to_owned()), format!("{test:?}")),
        };
        let environment = Environment::new(self.toolchain, self.processes)?;
        let rustc = self.for_hints(&environment);
        let compiler = rustc.as_ref().map(|rustc| &*rustc.program);
        self.judge(None, compiler, vec![Fact::new("the script", fact)])?;
        let (env, shown) = (environment.changes, environment.shown);
        let oracle = ScriptOracle { script, env, shown, rustc };
        let program = self.program.clone();
        Ok(Chosen { oracle: Arc::new(oracle), program, compiler: None, notes: Vec::new() })
    }

    fn command(&self, conditions: Conditions) -> Result<Chosen, Failed> {
        let Some((name, rest)) = self.args.args.split_first() else {
            return Err(Failed::new(Exit::Usage, anyhow!("conditions need a command to hold of: put it after `--`")));
        };
        let program = programs::find(name).map_err(check)?;
        let environment = Environment::new(self.toolchain, self.processes)?;
        let asks = rest.first().is_some_and(|arg| arg.as_encoded_bytes().starts_with(b"+"));
        let program = match &environment.proxied {
            Some((proxy, compiler)) if program == *proxy && !asks => compiler.clone(),
            _ => program,
        };
        let rustc = self.for_hints(&environment);
        let compiler = rustc.as_ref().map(|rustc| rustc.program.clone());
        self.judge(None, compiler.as_deref(), vec![Fact::new("the command", fingerprint::program(&program))])?;
        let compiler = compiler.filter(|compiler| *compiler == program);
        let (called, args, env, shown) = (name.clone(), rest.to_vec(), environment.changes, environment.shown);
        let oracle = CommandOracle { program, called, args, conditions, env, shown, rustc };
        let program = self.program.clone();
        Ok(Chosen { oracle: Arc::new(oracle), program, compiler, notes: Vec::new() })
    }

    fn rustc(&self) -> Result<Chosen, Failed> {
        let args = self.args;
        if failure::is_command(args.rustc_args()) {
            let error = anyhow!("a command after `--` needs a condition, such as --exit-code or --stderr");
            return Err(Failed::new(Exit::Usage, error));
        }
        let is_held = self.processes.held().is_some_and(|held| held.files);
        if self.program.has_proc_macros() && !is_held && args.trust() == Trust::AllowList {
            let error = anyhow!(
                "{} names a procedural macro by its headers, which rustc runs, and no sandbox holds it: to run it, if you trust the file: --trust-headers",
                self.given.file.display()
            );
            return Err(Failed::new(Exit::Input, error));
        }
        let is_off = self.processes.held().is_none();
        if args.target().is_some() {
            admit(self.processes, true)?;
        }
        let may_run = is_held || is_off && args.target().is_some();
        let executor = &Remembering { executor: self.processes, journal: self.journal };
        let (given, toolchain, program, limits) = (self.given, self.toolchain, self.program, self.limits);
        let FailureToKeep { oracle, conditions, notes, program: found } =
            failure::Search { args, given, toolchain, program, executor, limits, may_run }.run()?;
        self.hold_to_shown(&oracle, &found)?;
        // What is elsewhere may change between two runs.
        let reads = READS.iter().any(|read| self.program.text.contains(read))
            || oracle.rustc().args.iter().any(|arg| arg.as_encoded_bytes().contains(&b'/'));
        let is_compiled = matches!(oracle, FoundOracle::Rustc(_)) && conditions.iter().all(Held::is_validity);
        // What a program does that is run may depend on anything.
        let identity = (is_compiled && !reads)
            .then(|| format!("{oracle:?}, {conditions:?}, {:?}, {:?}", self.program.name, args.failure.memory));
        let compiler = oracle.rustc().program.clone();
        let edition = manifest::edition(self.given.file).map_or("none".to_owned(), |(edition, _)| edition);
        self.judge(identity, Some(&compiler), vec![Fact::new("the edition of the nearest Cargo.toml", edition)])?;
        let (rustc, arguments, variables) = oracle.rustc().split();
        // What belongs to one of several ways of compiling does not belong to the program.
        let reduces_arguments = self.reduces_arguments && !args.failure.kinds.fails_with.iter().any(OtherWay::has_args);
        let program = (reduces_arguments && !(arguments.is_empty() && variables.is_empty()))
            .then(|| found.with_arguments(&arguments, &variables))
            .flatten();
        let (rustc, program) = match program {
            Some(program) => (rustc, program),
            None => (oracle.rustc().clone(), found),
        };
        let oracle = with_conditions(oracle.with(rustc.clone()).oracle(), &rustc, &conditions);
        Ok(Chosen { oracle, program, compiler: Some(compiler), notes })
    }
}
