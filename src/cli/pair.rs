//! `mcve isolate` and `mcve repair`: from arguments to a difference, and what is printed and written of it.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::{IsolateArgs, PairArgs, RepairArgs};
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::cannot_print;
use super::run_args::{MessageFormat, OutputArgs};
use super::{catalogue, grammar, input, observers, output, setup};
use crate::report::diff::patch_of_programs;
use crate::report::pair::difference;
use mcve_dd::general::Mode;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::{Observer, PairFound};
use mcve_reduce::failure::error::FailureError;
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::failure::request::Request;
use mcve_reduce::failure::subject::Subject;
use mcve_reduce::modes::pair::{NoPair, Proposers, pair};
use mcve_reduce::output::{Output, same_file};
use mcve_reduce::program::Program;
use mcve_reduce::session::Session;

/// The files that `mcve isolate -o DIR` writes: the version that passes, the one that fails, and the patch from that to this.
pub(super) const PATCH: &str = "difference.patch";

/// The names of the two versions and of the patch, for an input of this name.
pub(super) fn files(input: &Path) -> [String; 3] {
    let extension = input.extension().and_then(|extension| extension.to_str()).unwrap_or("rs");
    [format!("pass.{extension}"), format!("fail.{extension}"), PATCH.to_owned()]
}

/// Runs `mcve isolate`.
pub(super) fn isolate_by(args: &IsolateArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let IsolateArgs { output: folder, pair: args } = args;
    folder.iter().try_for_each(|folder| check_folder(folder, &args.file))?;
    isolate_in(folder.as_deref(), &args.output_args, args.start(toolchain)?)
}

/// Isolates what makes a program fail, and writes the versions to `folder`.
pub(super) fn isolate_in(folder: Option<&Path>, output_args: &OutputArgs, start: Start) -> Result<Exit, Failed> {
    let file = start.file.clone();
    folder.iter().try_for_each(|folder| check_folder(folder, &file))?;
    let (done, is_crash) = start.pair(Mode::Isolate)?;
    // Of several files each version is a folder.
    let passing = if done.passing.is_lone() {
        PathBuf::from(&files(&file)[0])
    } else {
        Path::new("pass").join(&done.passing.name)
    };
    let difference = patch_of_programs(&passing, &done.passing, &done.failing);
    if let Some(folder) = folder {
        write(folder, &file, &done, &difference)
            .with_context(|| format!("cannot write to {}", folder.display()))
            .or_exit(Exit::Output)?;
    }
    let what = if is_crash { "this is what makes it crash" } else { "this is what makes it fail" };
    print(output_args, what, &done, &difference)?;
    Ok(setup::exit(done.ending))
}

/// Runs `mcve repair`.
pub(super) fn repair_by(args: &RepairArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let RepairArgs { output, pair: args } = args;
    output.iter().try_for_each(|path| check_output(path, &args.file, &args.output_args).map(drop))?;
    repair_to(output.as_deref(), &args.output_args, args.start(toolchain)?)
}

/// Repairs a program, and writes the version that passes to `output`.
pub(super) fn repair_to(output: Option<&Path>, output_args: &OutputArgs, start: Start) -> Result<Exit, Failed> {
    let file = start.file.clone();
    let output = output.map(|path| check_output(path, &file, output_args)).transpose()?;
    let (done, is_crash) = start.pair(Mode::Maximise)?;
    let difference = patch_of_programs(&in_patch(&file), &done.failing, &done.passing);
    let is_stdout = matches!(output, Some(Output::Stdout));
    if !is_stdout {
        // Print first: the user sees it even if writing fails.
        let what = if is_crash { "it does not crash without" } else { "it does not fail without" };
        print(output_args, what, &done, &difference)?;
    }
    if let Some(output) = output {
        let kept = output.keep(&done.passing, &file).and_then(|aside| {
            aside.iter().for_each(|aside| output::warn_put_aside(output.path(), aside));
            output.finish(&done.passing, &file)
        });
        kept.context("cannot write the result").or_exit(Exit::Output)?;
    }
    Ok(setup::exit(done.ending))
}

/// A program that fails, and what is tried on it.
pub(super) struct Start {
    pub(super) file: PathBuf,
    pub(super) problem: Problem,
    pub(super) proposers: Proposers,
    pub(super) session: Session,
    pub(super) observer: Box<dyn Observer>,
}

impl PairArgs {
    /// The program with the failure that is asked for.
    pub(super) fn start(&self, toolchain: Option<String>) -> Result<Start, Failed> {
        self.start_within(setup::limits(self.oracle.failure.timeout, self.search.budget)?, toolchain)
    }

    /// The same, in a run with these limits.
    pub(super) fn start_within(&self, limits: Limits, toolchain: Option<String>) -> Result<Start, Failed> {
        Ok(self.find(limits, toolchain)??)
    }

    /// The same, or why the program shows no failure.
    pub(super) fn find(
        &self,
        limits: Limits,
        toolchain: Option<String>,
    ) -> Result<Result<Start, FailureError>, Failed> {
        let failure = &self.oracle.failure;
        let spec = self.oracle.spec()?;
        let transforms = catalogue::choose(&self.search.only, &self.search.skip)?;
        grammar::check_judged(self.grammar.as_deref(), &self.oracle)?;
        let program = input::read_as(&self.file, self.grammar.is_some());
        limits.proceed()?;
        let program = program?;
        let mut observer = observers::observer(&self.output_args, limits.deadline)?;
        self.oracle.explain_arguments(&mut *observer);
        let sentences = grammar::sentences(self.grammar.as_deref(), &self.file, &program, &mut *observer)?;
        let mut session = failure.sandbox.session(toolchain, limits, failure.memory)?;
        session.jobs = setup::jobs(self.search.jobs, &mut *observer);
        let subject = Subject::file(&self.file);
        let request = Request { spec: &spec, subject, program: &program, session: &session, reduces_arguments: false };
        let (file, found) = (self.file.clone(), request.find());
        let proposers = Proposers { transforms, sentences };
        Ok(found.map(|problem| Start { file, problem, proposers, session, observer }))
    }
}

impl Start {
    fn pair(self, mode: Mode) -> Result<(PairFound, bool), Failed> {
        self.run(|problem, session, proposers, observer| pair(problem, session, proposers, mode, observer))
    }

    /// The result of `run`, and whether the failure is a crash.
    pub(super) fn run<R>(
        self,
        run: impl FnOnce(&Problem, &Session, Proposers, &mut dyn Observer) -> Result<R, NoPair>,
    ) -> Result<(R, bool), Failed> {
        let Self { file, problem, proposers, session, mut observer } = self;
        problem.begin(&session, &mut *observer)?;
        let done = run(&problem, &session, proposers, &mut *observer).map_err(|refused| match refused {
            NoPair::Baseline(refusal) => problem.refused(refusal, &Subject::file(&file), &session).into(),
            refused => nothing_passes(&file, &refused, &problem),
        })?;
        observer.close().map_err(cannot_print)?;
        Ok((done, problem.oracle.properties().is_crash))
    }
}

/// No version of the program passes.
fn nothing_passes(file: &Path, refused: &NoPair, Problem { program, oracle, .. }: &Problem) -> Failed {
    let command = Subject::file(file).by_hand(&|path| oracle.command(program, path));
    let (file, failure) = (file.display(), oracle.failure().words);
    if matches!(refused, NoPair::EmptyFails) {
        failed!(
            NothingPasses,
            "an empty program shows the failure as well ({failure}), so nothing in {file} makes it fail\nto see it by hand: {command}"
        )
    } else {
        failed!(
            NothingPasses,
            "no version of {file} was found that passes: whatever is taken away, it shows the failure ({failure}) or another one\nto see it by hand: {command}"
        )
    }
}

/// Prints what the two versions differ in. Readers of JSON events already have it.
fn print(args: &OutputArgs, what: &str, done: &PairFound, patch: &str) -> Result<(), Failed> {
    if args.message_format == MessageFormat::Json {
        return Ok(());
    }
    difference(what, done, patch).print().or_exit(Exit::Output)
}

/// The path of a file in a patch: as it was given, where that leads down from the folder in which the patch is applied.
fn in_patch(file: &Path) -> PathBuf {
    let leads_down = file.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let name = file.file_name().map_or(file, Path::new);
    (if leads_down { file } else { name }).to_owned()
}

/// Checks, before the work, that the files of a difference can be written to `folder`, and that none of them is the input.
fn check_folder(folder: &Path, input: &Path) -> Result<(), Failed> {
    if folder.exists() && !folder.is_dir() {
        return Err(failed!(Output, "{} is a file; name a folder for {}", folder.display(), files(input).join(", ")));
    }
    output::check_place(folder)?;
    let of_input = files(input).into_iter().map(|name| folder.join(name)).find(|path| same_file(path, input));
    of_input.map_or(Ok(()), |path| Err(is_input(&path)))
}

/// Where the version that passes goes, as far as this can be checked up front.
fn check_output(path: &Path, input: &Path, output_args: &OutputArgs) -> Result<Output, Failed> {
    let output = output::output_at(path, output_args)?;
    let is_same = output.file().is_some() && same_file(path, input);
    if is_same { Err(is_input(path)) } else { Ok(output) }
}

fn is_input(path: &Path) -> Failed {
    failed!(Usage, "{} is the input, which is never changed", path.display())
}

/// Writes the two versions and the patch, each whole or not at all.
fn write(folder: &Path, input: &Path, done: &PairFound, difference: &str) -> std::io::Result<()> {
    if !folder.is_dir() {
        std::fs::create_dir(folder)?;
    }
    let programs = [done.passing.clone(), done.failing.clone(), Program::new(PATCH, difference)];
    for (name, program) in files(input).iter().zip(programs) {
        let path: PathBuf = folder.join(name);
        let aside = Output::at_default(&path)?.keep(&program, input)?;
        aside.iter().for_each(|aside| output::warn_put_aside(Some(&path), aside));
    }
    Ok(())
}
