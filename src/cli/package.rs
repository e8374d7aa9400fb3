//! `cargo mcve`: from a package that fails to a file.

mod args;
mod asked;
mod expand;
mod failing;
mod find;
mod handed_on;
mod inherited;
mod observer;
mod result;
mod stages;

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::fs::{DirBuilder, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Parser;

use self::args::PackageArgs;
use self::find::{Found, find};
use self::observer::Shared;
use self::stages::Stages;
use super::args::Command;
use super::exit::{Exit, Failed};
use super::words::{parse, toolchain};
use super::{catalogue, on_large_stack, output, run, work};
use crate::event::Ending;
use crate::exec::programs;
use crate::package::build::{self, BUILD, CALLS, Cargo, Workspace};
use crate::package::record;

/// The folder below cargo's target folder in which all of mcve lies, and the one in it of what checks said.
const FOLDER: &str = "mcve";
const STATE: &str = "state";

/// Runs `cargo mcve`, or, where cargo calls this program in the place of the compiler, the compiler.
#[must_use]
pub fn start(mut words: Vec<OsString>) -> ExitCode {
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

/// The arguments of `cargo mcve`, as clap knows them.
#[cfg(test)]
pub(super) fn command() -> clap::Command {
    <PackageArgs as clap::CommandFactory>::command()
}

/// Whether these words are a command line of `mcve`: with a file, or a command of its own.
fn is_of_mcve(words: &[OsString]) -> bool {
    match parse(words) {
        Ok((_, Command::Reduce(args))) => args.file.exists() || names_file(&args.file),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// Whether a word that names nothing is meant for the name of a file.
fn names_file(word: &Path) -> bool {
    word.extension().is_some() || word.components().count() > 1
}

/// The target folder: the one that the user names, or that of the package. Its own configuration could name any.
fn target(workspace: &Workspace) -> PathBuf {
    if names_target() { workspace.target_directory.clone() } else { workspace.workspace_root.join("target") }
}

/// Whether the user names the target folder.
fn names_target() -> bool {
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Makes the folder of mcve, and those in it that code of the package may write to. A link there could lead anywhere.
fn make_folders(folder: &Path, open: &[PathBuf]) -> io::Result<()> {
    let inner = [&*folder.join(STATE), folder];
    let target = folder.parent().filter(|_| !names_target());
    let mut all = open.iter().map(PathBuf::as_path).chain(inner).chain(target);
    if let Some(link) = all.find(|path| path.is_symlink()) {
        let why = "is a link, which mcve does not follow; to build elsewhere, set CARGO_TARGET_DIR";
        return Err(io::Error::other(format!("{} {why}", link.display())));
    }
    std::fs::create_dir_all(folder.parent().unwrap_or(folder))?;
    let mut own = DirBuilder::new();
    own.recursive(true).mode(0o700);
    open.iter().try_for_each(|path| own.create(path))?;
    // An earlier version let others read it.
    std::fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// Looks for the failure of a package and reduces it.
fn package(args: &PackageArgs, toolchain: Option<&str>) -> Result<Exit, Failed> {
    let checked = handed_on::check(args).and_then(|()| asked::check(args));
    checked.map_err(|why| Failed::new(Exit::Usage, anyhow!(why)))?;
    catalogue::choose(&args.search.only, &args.search.skip)?;
    let limits = work::limits(args.failure.timeout, args.search.budget)?;
    let program = build::program(toolchain).context("cannot run cargo").map_err(work::check)?;
    // A toolchain that is not there is no fault of the package.
    let compiler = programs::rustc(None, toolchain).map_err(work::check)?;
    let workspace = Workspace::read(&program, toolchain, &args.cargo.of_workspace());
    limits.proceed().map_err(work::stopped)?;
    let workspace = workspace.map_err(|why| Failed::new(Exit::Input, anyhow!(why)))?;
    let folder = target(&workspace).join(FOLDER);
    let open = [folder.join(BUILD), folder.join(CALLS)];
    make_folders(&folder, &open)
        .with_context(|| format!("cannot write to {}", folder.display()))
        .map_err(|error| Failed::new(Exit::Output, error))?;
    let wrapper = std::env::current_exe().context("this program is not found").map_err(work::check)?;
    let sandbox = args.failure.sandbox.of_tools(&open)?;
    let (stdin, target) = (args.stdin()?, folder.clone());
    let cargo = Cargo {
        program,
        toolchain: toolchain.map(str::to_owned),
        folder: None,
        stdin,
        compiler,
        target,
        wrapper,
        sandbox,
    };
    let observer = Shared::new(work::observer(&args.output_args)?);
    let lock = workspace.workspace_root.join("Cargo.lock");
    let Found { failing, lock } = find(args, &cargo, lock, &limits, &observer)?;
    let name = failing.call.environment.get("CARGO_PKG_NAME").unwrap_or(&failing.call.name).replace('-', "_");
    let file = format!("{name}_mcve.rs");
    let output = match &args.output {
        Some(path) => output::output_at(path, &args.output_args),
        None => output::default_output(Path::new(&file)),
    }?;
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
        state: folder.join(STATE).join(String::from(failing.built(&args.failure.said()))),
        begun: Cell::new(0),
    };
    let last = stages.reduce()?;
    let is_complete = last.ending == Ending::Complete;
    let exit = result::finish(&stages, &cargo, &lock, last, &output)?;
    if is_complete && exit == Exit::Done {
        // What was built may change by then, and the next run has no use for it.
        let _ = std::fs::remove_dir_all(folder.join(STATE));
    }
    Ok(exit)
}
