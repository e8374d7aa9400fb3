//! The reductions that turn a crate of a package into one file.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use regex::Regex;

use super::call::{Call, Extern};
use super::error::PackageError;
use super::failing::{Failing, What};
use super::find::Found;
use super::libraries::OtherBuild;
use super::observer::Shared;
use super::proposals::{Proposal, STAGES, Sources, Stage, as_one_crate, has, kept_of};
use super::spec::PackageSpec;
use super::{data, manifest, plain, source};
use mcve_reduce::check::limits::Stop;
use mcve_reduce::event::{self, Ending, Summary};
use mcve_reduce::failure::error::Class;
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::failure::request::Request;
use mcve_reduce::failure::shown::Shown;
use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::failure::subject::Subject;
use mcve_reduce::modes::reduce::Plan;
use mcve_reduce::modes::task::{Before, Expected, Task};
use mcve_reduce::oracle::Oracle;
use mcve_reduce::output::Output;
use mcve_reduce::program::{Program, Size};
use mcve_reduce::search::filters::{Kept, Marked};
use mcve_reduce::session::Session;
use mcve_reduce::state::journal::Journal;
use mcve_reduce::state::place::StateFolder;

/// The variable that names the folder of a package.
pub(super) const FOLDER: &str = "CARGO_MANIFEST_DIR";

/// What the profile `dev` is for rustc.
const DEV: &str = "-Copt-level=0 -Cdebug-assertions=on -Coverflow-checks=on";

/// What a stage begins with.
#[derive(Clone, Copy)]
enum Begin<'a> {
    /// The failing crate; the compiler's arguments are those of its call.
    Crate,
    /// The failing crate with others; the arguments are part of the program.
    WithOthers,
    /// The result of an earlier stage, and what is added to it.
    After(&'a Summary, &'a Proposal),
}

/// The data that all stages share.
#[derive(Clone)]
pub(super) struct Stages<'a> {
    pub(super) spec: &'a PackageSpec,
    pub(super) failing: &'a Failing,
    /// The libraries that other toolchains have made.
    others: &'a [OtherBuild],
    /// The path of the best program until the end.
    pub(super) output: PathBuf,
    pub(super) session: Session,
    pub(super) observer: Shared,
    /// Identifies the build and the failure: the journals of other ones are not used.
    pub(super) build: String,
    pub(super) begun: Cell<usize>,
    /// The kept parts of the failing crate, once they are read.
    pub(super) kept: RefCell<Kept>,
}

/// The failing program with cargo's variables, and with the compiler's arguments if the arguments after `--` are for the
/// program.
fn whole(failing: &Failing, program: Program) -> Program {
    let variables = source::environment(&failing.call, &program);
    let line = if matches!(failing.what, What::Program(_)) { failing.call.line() } else { Vec::new() };
    program.with_arguments(&line, &variables).unwrap_or(program)
}

impl<'a> Stages<'a> {
    pub(super) fn new(
        spec: &'a PackageSpec,
        found: &'a Found,
        output: PathBuf,
        session: &Session,
        observer: &Shared,
    ) -> Self {
        let Found { failing, others, .. } = found;
        let build = String::from(failing.built(&spec.failure.identity()));
        let (session, observer) = (session.clone(), observer.clone());
        Self { spec, failing, others, output, session, observer, build, begun: Cell::new(0), kept: RefCell::default() }
    }

    /// The root file, and the program that the first reduction begins with, with its failure.
    pub(super) fn locate(&self) -> Result<(PathBuf, Problem), PackageError> {
        self.first(&self.program()?, false, |program, begin| {
            let (spec, shown) = self.begin(program, begin);
            let file = self.failing.call.root.clone();
            let subject = Subject { file: &file, choices: None, shown: shown.as_ref() };
            let request = Request { spec: &spec, subject, program, session: &self.session, reduces_arguments: false };
            Ok((file.clone(), request.find()?))
        })
    }

    /// Reduces the crate; then adds the remaining dependencies to the program and reduces them with it.
    /// Fails when the crate does not show the failure outside of its package, or a reduction fails.
    pub(super) fn reduce(&self) -> Result<Summary, PackageError> {
        let program = self.program()?;
        let own = self.sources().with_own_crates(&program).map(|(_, names)| names).unwrap_or_default();
        self.observer.begin(event::Stage::Crate, &own);
        let first = self.first(&program, true, |program, begin| self.stage(program, begin));
        self.observer.end(event::Stage::Crate, first.is_ok());
        let first = first?;
        if self.spec.keep_package || manifest::needed(&first.program).is_empty() {
            return Ok(first);
        }
        let last = self.reduce_dependencies(first.clone())?;
        // A package with less code is better than one with more.
        let is_larger = !manifest::needed(&last.program).is_empty() && last.after > first.after;
        Ok(if is_larger { Summary { ending: last.ending, ..first } } else { last })
    }

    /// The failing crate.
    fn program(&self) -> Result<Program, PackageError> {
        let call = &self.failing.call;
        let root = call.root.display();
        let program = source::program(call).ok_or_else(|| PackageError::Input(anyhow!("cannot read {root}")))?;
        // Checks run tests without `--ignored`.
        let enabled = match &self.failing.what {
            What::Test(name) => source::without_ignore(&program.text, name).map(|text| program.with_text(text)),
            _ => None,
        };
        Ok(enabled.unwrap_or(program))
    }

    fn sources(&self) -> Sources<'_> {
        Sources { spec: self.spec, failing: self.failing, session: &self.session }
    }

    /// Runs the stages until the run is over.
    fn reduce_dependencies(&self, mut best: Summary) -> Result<Summary, PackageError> {
        let mut tried = Vec::new();
        for stage in &STAGES {
            while best.ending == Ending::Complete
                && let Some(proposal) = self.propose(stage, &best, &mut tried)?
            {
                self.observer.begin(stage.name, &proposal.dependencies);
                let done = self.try_proposal(best, &proposal);
                self.observer.end(stage.name, matches!(done, Ok((_, true))));
                let is_taken;
                (best, is_taken) = done?;
                if !stage.is_repeated {
                    if is_taken && !manifest::needed(&best.program).iter().any(Extern::is_proc_macro) {
                        return Ok(best);
                    }
                    break;
                }
            }
        }
        Ok(best)
    }

    /// What this stage makes of the best program, and of the same with the change that shows the cause of a failing run, if one is
    /// known.
    fn propose(
        &self,
        stage: &Stage,
        best: &Summary,
        tried: &mut Vec<PathBuf>,
    ) -> Result<Option<Proposal>, PackageError> {
        let mut before = tried.clone();
        let Some(mut proposal) = (stage.program)(&self.sources(), &best.program, tried)? else { return Ok(None) };
        let is_run = !matches!(self.failing.what, What::Compilation(_));
        if let Some((passing, _)) = best.passing.as_ref().filter(|_| is_run) {
            let fixed = (stage.program)(&self.sources(), passing, &mut before)?;
            proposal.fixed = fixed.map(|fixed| fixed.program);
        }
        Ok(Some(proposal))
    }

    /// Reduces a proposal and returns whether it was accepted. It is rejected if it does not show the failure, or if
    /// the time ran out before it was smaller than the best program.
    fn try_proposal(&self, mut best: Summary, proposal: &Proposal) -> Result<(Summary, bool), PackageError> {
        let what = &proposal.what;
        let is_refused = |failed: &PackageError| {
            matches!(failed.class(), Class::NotFailing | Class::Flaky | Class::Input | Class::Usage)
        };
        let mut done = self.stage(&proposal.program, Begin::After(&best, proposal));
        if proposal.fixed.is_some() && done.as_ref().is_err_and(is_refused) {
            // The change may not fit what was added.
            let without = Proposal { fixed: None, ..proposal.clone() };
            done = self.stage(&proposal.program, Begin::After(&best, &without));
        }
        let failed = match done {
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
        match self.session.limits.proceed() {
            Ok(()) if !is_refused(&failed) => return Err(failed),
            Ok(()) => {
                let why = failed.to_string();
                let why: Vec<&str> = why.split_whitespace().collect();
                self.observer.note(format!("{what}: not taken: {}", why.join(" ")));
            }
            Err(Stop::Budget) => best.ending = Ending::Budget,
            Err(_) => best.ending = Ending::Interrupted,
        }
        Ok((best, false))
    }

    /// What `run` makes of the first of these programs that shows the failure: with the files that a test reads,
    /// generated files and cargo's variables put into the text; without the test's files; with the source files
    /// unchanged. Each is tried without macros that a run does not need, and then as it is. Before that it is tried with the
    /// sources of the crates of the user that it needs: what fails is likely in them. These are modules of what is run,
    /// where that `may_join` them.
    fn first<T>(
        &self,
        program: &Program,
        may_join: bool,
        run: impl Fn(&Program, Begin<'_>) -> Result<T, PackageError>,
    ) -> Result<T, PackageError> {
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
        let plain = |program: &Program| if is_run { plain::without_macros(program) } else { None };
        let starts = starts.into_iter().flat_map(|program| plain(&program).into_iter().chain([program]));
        let mut first = None;
        for program in starts {
            let with_own = self.sources().with_own_crates(&program).map(|(with_own, _)| with_own);
            // One crate is compiled sooner, and becomes one file.
            let as_one = with_own.as_ref().filter(|_| is_run && may_join).and_then(as_one_crate);
            let others = as_one.into_iter().chain(with_own).map(|program| (program, Begin::WithOthers));
            for (program, begin) in others.chain([(whole(self.failing, program), Begin::Crate)]) {
                let is_alone = matches!(begin, Begin::Crate);
                match (run(&program, begin), self.session.limits.proceed()) {
                    (Err(failed), Ok(())) if is_alone && failed.class() == Class::NotFailing => {
                        first.get_or_insert(failed);
                    }
                    // In another place it may lack a file.
                    (Err(failed), Ok(()))
                        if !is_alone && matches!(failed.class(), Class::NotFailing | Class::Input) => {}
                    (done, _) => return done,
                }
            }
        }
        Err(first.expect("the program itself was tried"))
    }

    /// The parts of the failing crate that are to be kept. Fails when a name is in no known crate.
    fn kept(&self, program: &Program) -> Result<Kept, PackageError> {
        let mut all = Vec::new();
        for name in &self.spec.keep {
            match kept_of(program, &self.failing.call, name) {
                Ok(kept) => all.push(kept),
                Err(_) if self.failing.calls.iter().any(|call| has(call, name)) => {}
                Err(_) => return Err(PackageError::Unnamed(name.clone())),
            }
        }
        // What is wrong with markers is an error of the first stage.
        all.extend(Marked::of(program).ok().map(|marked| marked.kept));
        Ok(all.into_iter().collect())
    }

    /// The failure to keep for `program`, and what cargo showed of it.
    fn begin(&self, program: &Program, begin: Begin<'_>) -> (FailureSpec, Option<Shown>) {
        let mut spec = self.failure(self.failing, program, matches!(begin, Begin::Crate));
        if let Begin::After(..) = begin {
            self.hold_to_said(&mut spec);
            return (spec, None);
        }
        let at = spec.diagnostics.at.take();
        spec.diagnostics.at = at.map(|at| self.failing.line_in(program, &at).unwrap_or(at));
        (spec, self.failing.shown())
    }

    /// Reduces `program`, which has to show the failure that `begin` ends with, if something came before.
    fn stage(&self, program: &Program, begin: Begin<'_>) -> Result<Summary, PackageError> {
        let is_crate = matches!(begin, Begin::Crate);
        let expected = match begin {
            Begin::After(before, proposal) if proposal.expands => Some(Expected::by_code(before)),
            Begin::After(before, _) => Some(Expected::of(before)),
            Begin::Crate | Begin::WithOthers => None,
        };
        let (spec, shown) = self.begin(program, begin);
        let needed = manifest::needed(program);
        self.count_beside(if is_crate { &self.failing.call.externs } else { &needed });
        self.begun.set(self.begun.get() + 1);
        if expected.is_none() {
            *self.kept.borrow_mut() = self.kept(program)?;
        }
        let output = Output::at_own(&self.output).map_err(|error| PackageError::Output(error.into()))?;
        let journal = self.journal(self.begun.get(), program)?;
        let plan = Plan {
            schedule: self.spec.schedule.clone(),
            transforms: self.spec.transforms.clone(),
            holds_pair: !spec.no_pair,
            carves: spec.may_carve() && self.spec.keep.is_empty(),
            fixed: match begin {
                Begin::After(_, proposal) => proposal.fixed.clone(),
                Begin::Crate | Begin::WithOthers => None,
            },
            ..Plan::new(self.failing.call.root.clone(), output)
        };
        let (program, kept) = (program.clone(), self.kept.borrow().clone());
        let before = Before { expected, shown, kept };
        let task = Task { spec, choices: None, program, plan, lock: None, keep: Vec::new(), before };
        let mut session = self.session.clone();
        session.journal = journal;
        self.observer.pass("baseline", "checking that it fails");
        Ok(task.run(&session, &mut self.observer.clone())?)
    }

    /// Counts the user's own crates among these: they are copied into the result as they are.
    pub(super) fn count_beside(&self, used: &[Extern]) {
        let is_used = |call: &&Call| used.iter().filter_map(|used| used.path.as_ref()).any(|path| call.has_made(path));
        let own = self.failing.calls.iter().filter(|call| call.is_own() && call.form != "bin").filter(is_used);
        let own: BTreeMap<_, _> = own.map(|call| (&call.root, call)).collect();
        let mut size = Size::default();
        own.into_values().filter_map(source::program).for_each(|program| size += program.size());
        self.observer.count_beside(size);
    }

    /// The journal of a stage: that of an earlier run of the same command if it has the same input, or a new one.
    fn journal(&self, stage: usize, program: &Program) -> Result<Journal, PackageError> {
        let kind = self.kind(stage);
        let journal = Journal::begin_if_writable(&self.output, &kind, &[], program.hash(), &|_| true)
            .map_err(|error| PackageError::Output(error.into()))?;
        if journal.goes_on().is_some() {
            self.observer.note(format!("it goes on: {} checks are known from before", journal.verdicts()));
        }
        Ok(journal)
    }

    /// The kind of the file that is the journal of a stage.
    fn kind(&self, stage: usize) -> String {
        format!("{}-{stage}.stage", self.build)
    }

    /// Removes the journals of all stages.
    pub(super) fn forget(&self) {
        let Ok(state) = StateFolder::of_user() else { return };
        for stage in 1..=self.begun.get() {
            // One that cannot be removed does no harm.
            let _ = std::fs::remove_file(state.file(&self.output, &self.kind(stage)));
        }
    }

    /// Whether the failure of another package is the one that `last` ends with.
    pub(super) fn is_same(&self, found: &Failing, last: &Summary) -> Result<bool, PackageError> {
        let Some(program) = source::program(&found.call) else { return Ok(false) };
        let program = whole(found, program);
        Ok(self.oracle_of(&self.failure(found, &program, true), &program, last)?.is_some())
    }

    /// The oracle of the failure that `last` ends with; none if its program does not show it.
    pub(super) fn oracle(&self, last: &Summary) -> Result<Option<Arc<dyn Oracle>>, PackageError> {
        self.oracle_of(&self.failure(self.failing, &last.program, false), &last.program, last)
    }

    fn oracle_of(
        &self,
        spec: &FailureSpec,
        program: &Program,
        last: &Summary,
    ) -> Result<Option<Arc<dyn Oracle>>, PackageError> {
        let mut spec = spec.clone();
        self.hold_to_said(&mut spec);
        match Task::oracle_of(&spec, &self.failing.call.root, program, &self.session, &Expected::of(last)) {
            Err(error) if error.cause.class() == Class::NotFailing => Ok(None),
            found => Ok(found?),
        }
    }

    /// The failure to keep for a program of `failing`. After the first reduction, the compiler's arguments are part of
    /// the program, except for those that set how the compiler is called.
    fn failure(&self, failing: &Failing, program: &Program, is_first: bool) -> FailureSpec {
        let call = &failing.call;
        let rustc_args = match &failing.what {
            What::Program(_) => Vec::new(),
            _ if is_first => call.line(),
            _ => call.line_of_caller(program.edition().is_none()),
        };
        let rustc_args = rustc_args.into_iter().map(Into::into).collect();
        let own = &self.spec.failure;
        let is_run = matches!(failing.what, What::Test(_) | What::Program(_)) && !own.is_of_run();
        // What fails in another profile only is most likely about that.
        let is_other = own.passes_with.is_empty() && !self.spec.cargo.profile(failing.verb).is_empty();
        let passes_perhaps = DEV.parse().ok().filter(|_| is_run && is_other).into_iter().collect();
        let mut spec = failing.spec(FailureSpec { rustc_args, passes_perhaps, ..own.clone() });
        for config in spec.configs_mut() {
            *config = self.others.iter().find_map(|other| other.complete(config)).unwrap_or_else(|| config.clone());
        }
        spec
    }

    /// The options of cargo with which the result shows the failure, as a package or as the script at this path.
    pub(super) fn options_of_result(&self, script: Option<&Path>) -> Vec<OsString> {
        let mut words = self.spec.cargo.profile(self.failing.verb);
        words.extend(
            script.into_iter().flat_map(|path| [OsString::from("-Zscript"), "--manifest-path".into(), path.into()]),
        );
        if let What::Test(name) = &self.failing.what {
            // Those in its documentation are others, and its modules may go.
            words.extend(script.is_none().then(|| "--lib".into()));
            words.extend(name.rsplit("::").next().map(OsString::from));
        }
        words
    }

    /// Makes a later stage keep the first stage's diagnostic: lines change, so its code replaces the line.
    fn hold_to_said(&self, spec: &mut FailureSpec) {
        let wanted = &mut spec.diagnostics;
        if wanted.at.take().is_none() || !wanted.is_empty() {
            return;
        }
        let Some(said) = &self.failing.said else { return };
        match &said.code {
            Some(code) => wanted.codes.push(code.code.clone()),
            None => wanted.messages.extend(Regex::new(&regex::escape(&said.message))),
        }
    }
}
