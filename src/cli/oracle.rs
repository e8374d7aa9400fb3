//! From arguments to the oracle that judges candidates.

use std::ffi::OsStr;
use std::sync::Arc;

use anyhow::{Context, anyhow};

use super::args::ReduceArgs;
use super::exit::{Exit, Failed};
use crate::exec::job::Executor;
use crate::exec::programs;
use crate::modes::recognise::recognise;
use crate::oracle::Oracle;
use crate::oracle::command::{CommandOracle, Conditions};
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use crate::oracle::script::{Script, ScriptOracle};
use crate::program::Program;

/// The oracle that the arguments ask for: a script, a command with conditions, or else rustc and the failure it shows.
///
/// # Errors
/// When the check cannot be run, or the program compiles.
pub fn choose(
    args: &ReduceArgs,
    toolchain: Option<&str>,
    program: &Program,
    executor: &dyn Executor,
) -> Result<Arc<dyn Oracle>, Failed> {
    let conditions = Conditions {
        exit_code: args.exit_code,
        stdout: args.stdout.clone(),
        stderr: args.stderr.clone(),
        not_stdout: args.not_stdout.clone(),
        not_stderr: args.not_stderr.clone(),
    };
    match &args.test {
        Some(test) if args.args.is_empty() => script(test, program),
        Some(_) => {
            Err(Failed::new(Exit::Usage, anyhow!("with --test, nothing follows `--`: the script runs what it needs")))
        }
        None if !conditions.is_empty() => command(args, conditions),
        None => rustc(args, toolchain, program, executor),
    }
}

fn check(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(Exit::Check, error)
}

fn script(test: &OsStr, program: &Program) -> Result<Arc<dyn Oracle>, Failed> {
    let script = match programs::script(test).map_err(check)? {
        Some(path) => Script::File(path),
        None => Script::Inline(test.to_owned()),
    };
    Ok(Arc::new(ScriptOracle { script, name: program.name.clone() }))
}

fn command(args: &ReduceArgs, conditions: Conditions) -> Result<Arc<dyn Oracle>, Failed> {
    let Some((name, rest)) = args.args.split_first() else {
        return Err(Failed::new(Exit::Usage, anyhow!("conditions need a command to hold of: put it after `--`")));
    };
    let program = programs::find(name).map_err(check)?;
    Ok(Arc::new(CommandOracle { program, args: rest.to_vec(), conditions }))
}

fn rustc(
    args: &ReduceArgs,
    toolchain: Option<&str>,
    program: &Program,
    executor: &dyn Executor,
) -> Result<Arc<dyn Oracle>, Failed> {
    if args.args.iter().any(|arg| arg.to_string_lossy().contains("{}")) {
        let error = anyhow!("a command after `--` needs a condition, such as --exit-code or --stderr");
        return Err(Failed::new(Exit::Usage, error));
    }
    let folder = std::env::current_dir().context("there is no current folder").map_err(check)?;
    let path = programs::rustc(args.rustc.as_deref(), toolchain).map_err(check)?;
    let rustc = Rustc::new(path, &Headers::parse(&program.text), &args.args, &folder);
    let oracle = recognise(&rustc, program, executor, args.timeout, args.allow_errors).map_err(check)?;
    oracle.map(|oracle| oracle as Arc<dyn Oracle>).ok_or_else(|| {
        let (file, command) = (args.file.display(), rustc.command(&args.file));
        let error = anyhow!("{file} compiles: there is no failure to keep\nto see it by hand: {command}");
        Failed::new(Exit::NotFailing, error)
    })
}
