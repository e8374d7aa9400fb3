//! The reductions by which a crate of a package becomes one file.

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use regex::Regex;

use super::args::PackageArgs;
use super::expand::expand;
use super::failing::{Failing, What};
use super::observer::Shared;
use crate::check::limits::{Limits, Stop};
use crate::cli::args::{Command, ReduceArgs};
use crate::cli::exit::{Exit, Failed};
use crate::cli::failure_args::FailureArgs;
use crate::cli::output::{default_output, journal};
use crate::cli::words::parse;
use crate::cli::work::{self, Before, Expected, Work};
use crate::event::{Ending, Stage, Summary};
use crate::output::Output;
use crate::package::call::{Call, Extern};
use crate::package::{data, ignored, manifest, source};
use crate::program::Program;
use crate::search::filters::Kept;
use crate::state::journal::Journal;
use crate::state::place;
use crate::user_key::UserKey;

/// The variable that names the folder of a package.
const FOLDER: &str = "CARGO_MANIFEST_DIR";

/// What all of them need.
#[derive(Clone)]
pub(super) struct Stages<'a> {
    pub(super) args: &'a PackageArgs,
    pub(super) toolchain: Option<&'a str>,
    pub(super) failing: &'a Failing,
    /// Where the best program is until the end.
    pub(super) output: PathBuf,
    pub(super) limits: Limits,
    pub(super) observer: Shared,
    /// Where what checks said is kept for a run that goes on, a folder for each stage.
    pub(super) state: PathBuf,
    /// How many stages have begun.
    pub(super) begun: Cell<usize>,
    /// What is to be kept of the crate that fails, once that was read.
    pub(super) kept: RefCell<Kept>,
}

/// The program of what fails with the variables that cargo sets, and where what follows `--` is for the program, with the arguments of the
/// compiler.
fn whole(failing: &Failing, program: Program) -> Program {
    let variables = source::environment(&failing.call, &program);
    let variables: Vec<String> = variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let line = if matches!(failing.what, What::Program(_)) { failing.call.line() } else { Vec::new() };
    program.with_arguments(&line, &variables).unwrap_or(program)
}

/// What a name names in the program of a call.
fn kept_of(program: &Program, call: &Call, name: &str) -> Result<Kept, String> {
    work::kept(program, &call.root, &[name.to_owned()])
}

impl Stages<'_> {
    /// Reduces the crate; then the dependencies that are left become parts of the program and are reduced with it.
    ///
    /// # Errors
    /// When the crate does not show the failure outside of its package, or a reduction cannot be done.
    pub(super) fn reduce(&self) -> Result<Summary, Failed> {
        let call = &self.failing.call;
        let root = call.root.display();
        let program = source::program(call).ok_or_else(|| Failed::new(Exit::Input, anyhow!("cannot read {root}")))?;
        // Checks run tests as they are usually run.
        let program = match &self.failing.what {
            What::Test(name) => ignored::enabled(&program.text, name).map(|text| program.with_text(text)),
            _ => None,
        }
        .unwrap_or(program);
        self.observer.begin(Stage::Crate, &[]);
        let first = self.reduce_crate(&program);
        self.observer.end(Stage::Crate, first.is_ok());
        let first = first?;
        if self.args.keep_package || manifest::needed(&first.program).is_empty() {
            return Ok(first);
        }
        let last = self.reduce_dependencies(first.clone())?;
        // A package of less code is better than one of more.
        let is_larger = !manifest::needed(&last.program).is_empty() && last.after > first.after;
        Ok(if is_larger { Summary { ending: last.ending, ..first } } else { last })
    }

    /// Reduces the program with the sources of its dependencies: with all at once, procedural macros expanded; without that; and where
    /// neither shows the failure, one by one.
    fn reduce_dependencies(&self, mut best: Summary) -> Result<Summary, Failed> {
        if best.ending != Ending::Complete {
            return Ok(best);
        }
        if let Some(expanded) = expand(&best.program, self.failing, self.toolchain, &self.args.failure)? {
            let (whole, names) = self.with_dependencies(&expanded);
            let of_names =
                if names.is_empty() { String::new() } else { format!(", the source of {}", names.join(", ")) };
            let is_taken;
            let what = format!("what procedural macros make{of_names}");
            (best, is_taken) = self.go_on(best, &whole, (Stage::Expansion, &names), &what)?;
            if is_taken {
                return Ok(best);
            }
        }
        let (whole, names) = self.with_dependencies(&best.program);
        if names.len() > 1 {
            let is_taken;
            let what = format!("the source of {}", names.join(", "));
            (best, is_taken) = self.go_on(best, &whole, (Stage::Dependencies, &names), &what)?;
            if is_taken {
                return Ok(best);
            }
        }
        self.reduce_one_by_one(best)
    }

    /// The program with the sources of all dependencies that it leads to, as far as they are known, and the names of these.
    fn with_dependencies(&self, program: &Program) -> (Program, Vec<String>) {
        let (mut whole, mut tried, mut names) = (program.clone(), Vec::new(), Vec::new());
        while let Some((used, call)) = self.next(&whole, &tried) {
            tried.extend(used.built());
            if let Some(more) = source::with_dependency(&whole, &used, call) {
                whole = more;
                names.push(used.name);
            }
        }
        if manifest::needed(&whole).is_empty() {
            whole = source::without_search_paths(&whole);
        }
        (whole, names)
    }

    /// Reduces the program with one dependency after the other, users before what they use.
    fn reduce_one_by_one(&self, mut best: Summary) -> Result<Summary, Failed> {
        let mut tried: Vec<PathBuf> = Vec::new();
        while let Some((used, call)) = self.next(&best.program, &tried) {
            tried.extend(used.built());
            if let Some(program) = source::with_dependency(&best.program, &used, call) {
                let what = format!("the source of {}", used.name);
                (best, _) = self.go_on(best, &program, (Stage::Dependencies, &[used.name]), &what)?;
            }
        }
        Ok(best)
    }

    /// Reduces `program`, which has `what` in the place of what `best` has, and says whether it was taken: it is not where it does not show
    /// the failure, or the time was over before it was smaller.
    fn go_on(
        &self,
        best: Summary,
        program: &Program,
        (stage, dependencies): (Stage, &[String]),
        what: &str,
    ) -> Result<(Summary, bool), Failed> {
        if best.ending != Ending::Complete {
            return Ok((best, false));
        }
        self.observer.begin(stage, dependencies);
        let done = self.try_stage(best, program, what);
        self.observer.end(stage, matches!(done, Ok((_, true))));
        done
    }

    /// The same, untold.
    fn try_stage(&self, mut best: Summary, program: &Program, what: &str) -> Result<(Summary, bool), Failed> {
        let failed = match self.stage(program, Some(&best)) {
            Ok(next) if next.ending == Ending::Complete || next.after < best.after => {
                self.observer.note(format!("{what}: the same failure"));
                return Ok((next, true));
            }
            Ok(next) => {
                self.observer.take_back();
                best.ending = next.ending;
                self.observer.note(format!("{what}: left out, as the time was over before that was small"));
                return Ok((best, false));
            }
            Err(failed) => failed,
        };
        match self.limits.proceed() {
            Ok(()) if !matches!(failed.exit, Exit::NotFailing | Exit::Flaky | Exit::Input | Exit::Usage) => {
                return Err(failed);
            }
            Ok(()) => {
                let why = format!("{:#}", failed.error);
                let why = why.split_once("\nto see it by hand").map_or(&*why, |(why, _)| why);
                let why: Vec<&str> = why.split_whitespace().collect();
                self.observer.note(format!("{what}: not taken: {}", why.join(" ")));
            }
            Err(Stop::Budget) => best.ending = Ending::Budget,
            Err(_) => best.ending = Ending::Interrupted,
        }
        Ok((best, false))
    }

    /// The first reduction, of the first of these that shows the failure: with the files that a test reads, and what a build script made
    /// and cargo says by variables put into the text; without the files; as the files have it.
    fn reduce_crate(&self, program: &Program) -> Result<Summary, Failed> {
        let Failing { call, what, .. } = self.failing;
        let folder = Path::new(self.failing.variable(FOLDER));
        let mut own = call.environment.clone();
        own.insert(FOLDER.to_owned(), ".".to_owned());
        let is_run = !matches!(what, What::Compilation(_));
        let mut starts: Vec<Program> = Vec::new();
        starts.extend(is_run.then(|| data::taken_along(&source::inlined(program, &own, 0), folder)).flatten());
        for program in [source::inlined(program, &call.environment, 0), program.clone()] {
            if !starts.contains(&program) {
                starts.push(program);
            }
        }
        let mut first = None;
        for program in starts {
            match self.stage(&whole(self.failing, program), None) {
                Err(failed) if failed.exit == Exit::NotFailing && self.limits.proceed().is_ok() => {
                    first.get_or_insert(failed);
                }
                done => return done,
            }
        }
        Err(first.expect("the program itself was tried"))
    }

    /// The first dependency of the program whose source is known and that was not tried, and that no other such one uses.
    fn next(&self, program: &Program, tried: &[PathBuf]) -> Option<(Extern, &Call)> {
        let known: Vec<(Extern, &Call)> = manifest::needed(program)
            .into_iter()
            .filter(|used| !used.is_proc_macro())
            .filter_map(|used| {
                let path = used.path.clone().filter(|path| !tried.contains(path))?;
                let call = self.failing.calls.iter().rev().find(|call| call.form != "bin" && call.has_made(&path))?;
                (!self.is_kept(call)).then_some((used, call))
            })
            .collect();
        let is_used =
            |one: &Extern| known.iter().any(|(_, call)| call.externs.iter().any(|other| other.built() == one.built()));
        known.iter().find(|(used, _)| !is_used(used)).cloned()
    }

    /// Whether something in the source of a dependency is to be kept: then all of it is.
    fn is_kept(&self, call: &Call) -> bool {
        let is_there = |call: &Call, name: &String| {
            source::program(call).is_some_and(|program| kept_of(&program, call, name).is_ok())
        };
        self.args.keep.iter().any(|name| is_there(call, name) && !is_there(&self.failing.call, name))
    }

    /// What is to be kept of the crate that fails.
    ///
    /// # Errors
    /// When something is in no crate that is known.
    fn kept(&self, program: &Program) -> Result<Kept, Failed> {
        let (own, others): (Vec<&String>, Vec<&String>) =
            self.args.keep.iter().partition(|name| kept_of(program, &self.failing.call, name).is_ok());
        for name in others {
            let is_there =
                |call: &Call| source::program(call).is_some_and(|program| kept_of(&program, call, name).is_ok());
            if !self.failing.calls.iter().any(is_there) {
                let error = anyhow!("nothing in the package is called {name}, which is to be kept");
                return Err(Failed::new(Exit::Usage, error));
            }
        }
        Ok(own.into_iter().filter_map(|name| kept_of(program, &self.failing.call, name).ok()).collect())
    }

    /// Reduces `program`, which has to show what `before` ends with.
    fn stage(&self, program: &Program, before: Option<&Summary>) -> Result<Summary, Failed> {
        let mut args = self.reduce_args(self.failing, program, before.is_none())?;
        let failure = &mut args.oracle.failure;
        let shown = match before {
            None => {
                failure.at = failure.at.take().map(|at| self.failing.line_in(program, &at).unwrap_or(at));
                self.failing.shown()
            }
            Some(_) => {
                self.hold_to_said(failure);
                None
            }
        };
        self.begun.set(self.begun.get() + 1);
        args.state = Some(self.state.join(self.begun.get().to_string()));
        if before.is_none() {
            *self.kept.borrow_mut() = self.kept(program)?;
        }
        let output = default_output(&self.output)?;
        let journal = self.journal(&args, program, &output)?;
        let work = Work {
            program: program.clone(),
            made: None,
            output,
            lock: None,
            journal,
            place: PathBuf::new(),
            observer: Box::new(self.observer.clone()),
            limits: self.limits.clone(),
            before: Before { expected: before.map(Expected::of), shown, kept: self.kept.borrow().clone() },
        };
        work::reduce_by(&args, self.toolchain, work)
    }

    /// The journal of a stage: that of an earlier run of the same command, if it is about the same program.
    fn journal(&self, args: &ReduceArgs, program: &Program, output: &Output) -> Result<Journal, Failed> {
        let path = place::journal(output.path(), args.state.as_deref()).filter(|path| path.is_file());
        let (known, key) = (path.and_then(|path| Journal::resume(&path).ok()), UserKey::load().ok());
        match known {
            Some((journal, Some(asked))) if asked.input == program.hash() && asked.is_of_use(key.as_ref()) => {
                Ok(journal)
            }
            known => {
                drop(known);
                journal(args, &[], program, output)
            }
        }
    }

    /// Whether what fails in another package is what `last` ends with.
    ///
    /// # Errors
    /// When that package shows nothing, or it cannot be said.
    pub(super) fn is_same(&self, found: &Failing, last: &Summary) -> Result<bool, Failed> {
        let Some(program) = source::program(&found.call) else { return Ok(false) };
        let program = whole(found, program);
        let mut args = self.reduce_args(found, &program, true)?;
        self.hold_to_said(&mut args.oracle.failure);
        match work::shows(&args, self.toolchain, &program, &self.limits, &Expected::of(last)) {
            Err(failed) if failed.exit == Exit::NotFailing => Ok(false),
            shown => shown,
        }
    }

    /// The arguments of `mcve` for a reduction. Those of the compiler belong to the program from the first one on, all but how the compiler
    /// is called.
    fn reduce_args(&self, failing: &Failing, program: &Program, is_first: bool) -> Result<ReduceArgs, Failed> {
        let call = &failing.call;
        let mut words: Vec<OsString> = vec!["mcve".into(), (&call.root).into(), "-o".into(), (&self.output).into()];
        words.extend(failing.options());
        words.push("--".into());
        match &failing.what {
            What::Program(args) => words.extend(args.iter().cloned()),
            _ if is_first => words.extend(call.line().into_iter().map(OsString::from)),
            _ => words.extend(call.line_of_caller(program.edition().is_none()).into_iter().map(OsString::from)),
        }
        let Ok((_, Command::Reduce(mut args))) = parse(&words) else {
            return Err(work::check(anyhow!("the arguments of the compiler cannot be used: {words:?}")));
        };
        // Which tool reads the crate is said by the call.
        let tool = args.oracle.failure.kinds.tool;
        args.oracle.failure = self.args.failure.clone();
        args.oracle.failure.kinds.tool = tool;
        args.oracle.failure.stdin = self.args.stdin()?;
        args.search = self.args.search.clone();
        args.search.budget = None;
        Ok(*args)
    }

    /// Holds a later stage to what the first one was held to: its lines are others, so that the code says what the line said.
    fn hold_to_said(&self, failure: &mut FailureArgs) {
        if failure.at.take().is_none() || !failure.wanted_diagnostics().is_empty() {
            return;
        }
        let Some(said) = &self.failing.said else { return };
        match &said.code {
            Some(code) => failure.code.push(code.code.clone()),
            None => failure.message.extend(Regex::new(&regex::escape(&said.message))),
        }
    }
}
