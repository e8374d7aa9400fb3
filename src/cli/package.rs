//! `cargo mcve`: from a package that fails to a file.

mod args;
mod expand;
mod failing;
mod inherited;
mod observer;
mod result;
mod stages;

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Parser;

use self::args::{PackageArgs, Verb};
use self::failing::Failing;
use self::observer::Shared;
use self::stages::Stages;
use super::args::Command;
use super::exit::{Exit, Failed};
use super::words::{parse, toolchain};
use super::{on_large_stack, output, run, sandbox, work};
use crate::event::Ending;
use crate::package::build::{Cargo, Workspace};
use crate::package::confined::{self, Untouched};
use crate::package::record;

/// The commands of cargo that are tried where none is named.
const VERBS: [Verb; 3] = [Verb::Check, Verb::Build, Verb::Test];

/// The folder below cargo's target folder in which all of mcve lies.
const FOLDER: &str = "mcve";

/// Runs `cargo mcve`, or, where cargo calls this program in the place of the compiler, the compiler.
#[must_use]
pub fn start(mut words: Vec<OsString>) -> ExitCode {
    if std::env::var_os(confined::WRITABLE).is_some() {
        let Err(error) = confined::become_command(&words);
        let _ = writeln!(std::io::stderr(), "error: mcve cannot run cargo: {error}");
        return ExitCode::from(Exit::Check.code());
    }
    if std::env::var_os(record::FOLDER).is_some() {
        let code = record::wrap(&words).unwrap_or_else(|error| {
            // Nothing can be told to whoever closed the stream.
            let _ = writeln!(std::io::stderr(), "error: mcve cannot run the compiler: {error}");
            Exit::Check.code()
        });
        return ExitCode::from(code);
    }
    if words.get(1).is_some_and(|word| word == "mcve") {
        words.remove(1);
    }
    on_large_stack(move || {
        let given = words.clone();
        let (toolchain, words) = toolchain(words);
        match PackageArgs::try_parse_from(&words) {
            Ok(args) => {
                let toolchain = toolchain.or_else(inherited::toolchain);
                run::end(package(&args, toolchain.as_deref()))
            }
            // As `mcve` itself has it.
            Err(error) if error.use_stderr() && is_of_mcve(&words) => run::main(given),
            Err(error) => {
                let _ = error.print();
                if error.use_stderr() { Exit::Usage.code() } else { Exit::Done.code() }
            }
        }
    })
}

/// Whether these words are a command line of `mcve`: with a file that there is, or a command of its own.
fn is_of_mcve(words: &[OsString]) -> bool {
    match parse(words) {
        Ok((_, Command::Reduce(args))) => args.file.exists(),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// Looks for the failure of a package and reduces it.
fn package(args: &PackageArgs, toolchain: Option<&str>) -> Result<Exit, Failed> {
    let limits = work::limits(None, args.budget)?;
    let input = |error| Failed::new(Exit::Input, error);
    let workspace = Workspace::read(toolchain, &args.cargo.of_workspace()).map_err(|why| input(anyhow!("{why}")))?;
    let folder = workspace.target_directory.join(FOLDER);
    let built = folder.join("build");
    std::fs::create_dir_all(&built)
        .with_context(|| format!("cannot write to {}", folder.display()))
        .map_err(|error| Failed::new(Exit::Output, error))?;
    let wrapper = std::env::current_exe().context("this program is not found").map_err(work::check)?;
    let lock = workspace.workspace_root.join("Cargo.lock");
    let _untouched = Untouched::at(lock.clone());
    let writable = args.sandbox.writable_by_cargo(&folder, &lock)?;
    let cargo =
        Cargo { toolchain: toolchain.map(str::to_owned), folder: None, target: folder.clone(), wrapper, writable };
    if !lock.exists() {
        cargo.make_lock_file(&args.cargo.of_workspace()).context("cannot run cargo").map_err(work::check)?;
    }
    let observer = Shared::new(work::observer(&args.output_args)?);
    let failing = find(args, &cargo, &observer)?;
    let name = failing.call.environment.get("CARGO_PKG_NAME").unwrap_or(&failing.call.name).replace('-', "_");
    let file = format!("{name}_mcve.rs");
    let place = args.output.clone().unwrap_or_else(|| PathBuf::from(&file));
    let output = output::output_at(&place, &args.output_args)?;
    let _lock = output::lock(&output)?;
    observer.note(failing.to_string());
    let stages = Stages {
        args,
        toolchain,
        failing: &failing,
        output: folder.join(file),
        limits,
        observer,
        kept: RefCell::default(),
        state: folder.join("state").join(String::from(failing.built())),
        begun: Cell::new(0),
    };
    let last = stages.reduce()?;
    if last.ending == Ending::Complete {
        // What was built may change by then, and the next run has no use for it.
        let _ = std::fs::remove_dir_all(folder.join("state"));
    }
    result::finish(&stages, &cargo, lock, last, &output)
}

/// The first of the commands of cargo that fails, and what fails in it.
fn find(args: &PackageArgs, cargo: &Cargo, observer: &Shared) -> Result<Failing, Failed> {
    let verbs = args.verb.map_or(VERBS.to_vec(), |verb| vec![verb]);
    for verb in &verbs {
        let mut words = args.cargo.words();
        match verb {
            Verb::Doc => words.push("--no-deps".into()),
            Verb::Test => words.extend(args.name.iter().flat_map(|name| ["--".into(), name.into()])),
            Verb::Run if !args.args.is_empty() => {
                words.push("--".into());
                words.extend(args.args.iter().cloned());
            }
            _ => {}
        }
        let built = cargo.run(verb.name(), &words).context("cannot run cargo").map_err(work::check)?;
        if built.output.status.success() {
            continue;
        }
        let is_test = *verb == Verb::Test;
        let printed = built.printed();
        let advice = cargo.writable.as_ref().and_then(|_| sandbox::advice_on_cargo(&printed));
        let found = Failing::of(&built, *verb, args.name.as_deref(), &args.args, &cargo.target);
        if let (Some(_), Some(advice)) = (&found, &advice) {
            observer.warn(advice.clone());
        }
        return found.ok_or_else(|| {
            let what = if is_test && built.failed_call().is_none() {
                "no test of it is known to fail"
            } else {
                "no call of the compiler fails"
            };
            let advice = advice.map(|advice| format!("\n{advice}")).unwrap_or_default();
            let error = anyhow!("`cargo {}` fails, and {what}; it printed:\n{printed}{advice}", verb.name());
            Failed::new(Exit::NotFailing, error)
        });
    }
    let names: Vec<String> = verbs.iter().map(|verb| format!("`cargo {}`", verb.name())).collect();
    let error = anyhow!("there is no failure to keep: {} passed", names.join(", "));
    Err(Failed::new(Exit::NotFailing, error))
}
