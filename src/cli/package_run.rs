//! From the arguments of `cargo mcve` to a run, and its end.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Context;

use super::exit::{Exit, Failed, OrExit, failed};
use super::package_args::PackageArgs;
use super::package_check::check;
use super::pair::Start;
use super::run_args::OutputArgs;
use super::{messages, page, report, setup};
use mcve_package::observer::Shared;
use mcve_package::reduce::{Located, locate, reduce};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::Observer;
use mcve_reduce::modes::pair::Proposers;

/// What is done with the failure of a package, as with that of a file, and written to a path if there is one.
pub(super) type Mode = fn(Option<&Path>, &OutputArgs, Start) -> Result<Exit, Failed>;

/// What is reduced, in a few words.
fn package_name(args: &PackageArgs) -> String {
    let verb = args.verb.map_or_else(String::new, |verb| format!("{verb:?} ").to_lowercase());
    let here = std::env::current_dir().unwrap_or_default();
    let folder = here.file_name().unwrap_or_default().to_string_lossy().into_owned();
    format!("{verb}{}", args.name.clone().unwrap_or(folder))
}

/// Looks for the failure of a package, and reduces it or does what `mode` says.
pub(super) fn package(
    mut args: PackageArgs,
    toolchain: Option<String>,
    mode: Option<Mode>,
    words: &[OsString],
) -> Result<Exit, Failed> {
    // A mode writes other files than the reduction.
    let written = mode.and_then(|_| args.output.take());
    check(&args).map_err(|why| failed!(Usage, why))?;
    if mode.is_some() && args.run.screen.tui {
        return Err(failed!(Usage, "--tui shows a reduction, and nothing else"));
    }
    if mode.is_some() && args.run.html.is_some() {
        return Err(failed!(Usage, "--html is for a reduction"));
    }
    let idle_passes = args.run.search.idle_passes;
    let limits = Limits { idle_passes, ..setup::limits(args.failure.timeout, args.run.search.budget)? };
    let spec = args.spec()?;
    let wrapper = std::env::current_exe().context("this program is not found").or_exit(Exit::Check)?;
    let mut observer = Shared::new(args.run.observer(&limits, package_name(&args), words)?);
    let mut session = args.failure.sandbox.session(toolchain, limits, args.failure.memory)?;
    session.jobs = setup::jobs(args.run.search.jobs, &mut observer);
    session.store = args.run.store();
    session.executors.clone_from(&args.run.executor);
    if args.run.recognise {
        locate(&spec, &session, wrapper, &observer)?.problem.report(&mut observer);
        return observer.close().map_err(messages::cannot_print).map(|()| Exit::Done);
    }
    if let Some(mode) = mode {
        let Located { file, problem, .. } = locate(&spec, &session, wrapper, &observer)?;
        let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
        let file = file.strip_prefix(here).map(Path::to_owned).unwrap_or(file);
        let (proposers, observer) = (Proposers { transforms: spec.transforms, sentences: None }, Box::new(observer));
        let start = Start { file, problem, proposers, session, observer };
        return mode(written.as_deref(), &args.run.output_args, start);
    }
    let done = reduce(&spec, &session, wrapper, &observer)?;
    observer.close().map_err(messages::cannot_print)?;
    page::write_after(args.run.html.as_deref(), &done, args.run.output_args.quiet)?;
    report::write_after(args.run.report.as_deref(), &done)?;
    Ok(setup::exit(done.ending))
}
