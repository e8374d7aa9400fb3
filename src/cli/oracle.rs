//! From arguments to the oracle that judges candidates.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow};

use super::args::ReduceArgs;
use super::exit::{Exit, Failed};
use crate::exec::process::Processes;
use crate::exec::{programs, shim};
use crate::modes::recognise::recognise;
use crate::oracle::Oracle;
use crate::oracle::command::{CommandOracle, Conditions};
use crate::oracle::headers::Headers;
use crate::oracle::hints;
use crate::oracle::rustc::Rustc;
use crate::oracle::script::{Script, ScriptOracle};
use crate::program::Program;

/// An oracle, and the compiler that its checks run, if they run nothing else.
pub type Chosen = (Arc<dyn Oracle>, Option<PathBuf>);

/// The oracle that the arguments ask for: a script, a command with conditions, or else rustc and the failure it shows.
///
/// # Errors
/// When the check cannot be run, or the program compiles.
pub fn choose(
    args: &ReduceArgs,
    toolchain: Option<&str>,
    program: &Program,
    processes: &Processes,
) -> Result<Chosen, Failed> {
    let conditions = Conditions {
        exit_code: args.exit_code,
        stdout: args.stdout.clone(),
        stderr: args.stderr.clone(),
        not_stdout: args.not_stdout.clone(),
        not_stderr: args.not_stderr.clone(),
    };
    match &args.test {
        Some(test) if args.args.is_empty() => script(test, args, toolchain, program, processes),
        Some(_) => {
            Err(Failed::new(Exit::Usage, anyhow!("with --test, nothing follows `--`: the script runs what it needs")))
        }
        None if !conditions.is_empty() => command(args, toolchain, conditions, program, processes),
        None => rustc(args, toolchain, program, processes),
    }
}

fn check(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(Exit::Check, error)
}

/// What changes in the environment of scripts and commands, so that the `rustc` they call starts sooner and is of the
/// toolchain that was asked for; and rustup's proxy with the compiler behind it, if that is what they would call.
fn environment(
    toolchain: Option<&str>,
    processes: &Processes,
) -> Result<(shim::Changes, Option<(PathBuf, PathBuf)>), Failed> {
    let mut env = shim::toolchain(toolchain);
    let proxied = programs::proxied(toolchain).map_err(check)?;
    if let Some((proxy, compiler)) = &proxied {
        // Without it checks are slower, but not wrong.
        env.extend(shim::write(&processes.folder().join("bin"), proxy, compiler, toolchain).unwrap_or_default());
    }
    Ok((env, proxied))
}

/// How rustc is run for hints on what a script or command judges, if there is one.
fn for_hints(args: &ReduceArgs, toolchain: Option<&str>, program: &Program) -> Option<Rustc> {
    let compiler = programs::rustc(args.rustc.as_deref(), toolchain).ok()?;
    Some(hints::guess(compiler, program, &std::env::current_dir().ok()?))
}

fn script(
    test: &OsStr,
    args: &ReduceArgs,
    toolchain: Option<&str>,
    program: &Program,
    processes: &Processes,
) -> Result<Chosen, Failed> {
    let script = match programs::script(test).map_err(check)? {
        Some(path) => Script::File(path),
        None => Script::Inline(test.to_owned()),
    };
    let (env, _) = environment(toolchain, processes)?;
    let rustc = for_hints(args, toolchain, program);
    Ok((Arc::new(ScriptOracle { script, name: program.name.clone(), env, rustc }), None))
}

fn command(
    args: &ReduceArgs,
    toolchain: Option<&str>,
    conditions: Conditions,
    input: &Program,
    processes: &Processes,
) -> Result<Chosen, Failed> {
    let Some((name, rest)) = args.args.split_first() else {
        return Err(Failed::new(Exit::Usage, anyhow!("conditions need a command to hold of: put it after `--`")));
    };
    let program = programs::find(name).map_err(check)?;
    let (env, proxied) = environment(toolchain, processes)?;
    let asks = rest.first().is_some_and(|arg| arg.as_encoded_bytes().starts_with(b"+"));
    let program = match proxied {
        Some((proxy, compiler)) if program == proxy && !asks => compiler,
        _ => program,
    };
    let rustc = for_hints(args, toolchain, input);
    Ok((Arc::new(CommandOracle { program, args: rest.to_vec(), conditions, env, rustc }), None))
}

fn rustc(
    args: &ReduceArgs,
    toolchain: Option<&str>,
    program: &Program,
    processes: &Processes,
) -> Result<Chosen, Failed> {
    if args.args.iter().any(|arg| arg.to_string_lossy().contains("{}")) {
        let error = anyhow!("a command after `--` needs a condition, such as --exit-code or --stderr");
        return Err(Failed::new(Exit::Usage, error));
    }
    let folder = std::env::current_dir().context("there is no current folder").map_err(check)?;
    let path = programs::rustc(args.rustc.as_deref(), toolchain).map_err(check)?;
    let rustc = Rustc::new(path, &Headers::parse(&program.text), &args.args, &folder).naming(program);
    let oracle = recognise(&rustc, program, processes, args.timeout, args.allow_errors).map_err(check)?;
    let oracle = oracle.ok_or_else(|| {
        let (file, command) = (args.file.display(), rustc.command(&args.file));
        let error = anyhow!("{file} compiles: there is no failure to keep\nto see it by hand: {command}");
        Failed::new(Exit::NotFailing, error)
    })?;
    Ok((oracle, Some(rustc.program)))
}
