//! A reduction from the user's request: finds the failure, then reduces the program.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::notice::with_notice;
use super::reduce::{Plan, reduce};
use crate::event::{Event, Observer, Summary};
use crate::failure::any::may_hang;
use crate::failure::error::{Class, FailureError};
use crate::failure::problem::{Problem, Refused};
use crate::failure::request::Request;
use crate::failure::shown::Shown;
use crate::failure::spec::FailureSpec;
use crate::failure::subject::Subject;
use crate::failure::tool::Tool;
use crate::oracle::{FailureId, Oracle};
use crate::output::{Output, back_up_all, default_path};
use crate::program::Program;
use crate::project::neighbours;
use crate::search::filters::{Kept, Marked};
use crate::session::Session;
use crate::state::lock::{Busy, OutputLock};

/// The time after which a first run of rustc is said to take long.
const SLOW: Duration = Duration::from_secs(10);

/// A reduction.
pub struct Task {
    /// The failure.
    pub spec: FailureSpec,
    /// Whether the file holds choices, and the command line of the generator that made them, unless it is a built-in one.
    pub choices: Option<Option<OsString>>,
    /// The unreduced program.
    pub program: Program,
    /// How it is reduced, and where the result goes.
    pub plan: Plan,
    /// Keeps other runs from writing the result.
    pub lock: Option<OutputLock>,
    /// Files and items that stay unchanged.
    pub keep: Vec<String>,
    /// The facts known before the run.
    pub before: Before,
}

/// The facts known before a run: of a package from cargo and the earlier stages, of a file none.
#[derive(Default)]
pub struct Before {
    /// The failure that the program must show.
    pub expected: Option<Expected>,
    /// The failures that cargo showed, if the program is the crate of a package: the first check may show no others.
    pub shown: Option<Shown>,
    /// The parts that stay unchanged, besides those that the user named.
    pub kept: Kept,
}

/// A failure that is known from before.
#[derive(Clone, Debug)]
pub struct Expected {
    /// A description of it.
    failure: String,
    /// It in a form that is comparable across runs, if there is one.
    fingerprint: Option<String>,
}

impl Expected {
    /// The failure of a result.
    pub fn of(summary: &Summary) -> Self {
        Self { failure: summary.failure.clone(), fingerprint: summary.fingerprint.clone() }
    }

    /// The failure of a result; if it is a diagnostic with a code, with any message.
    pub fn by_code(summary: &Summary) -> Self {
        let has_code = |code: &&str| ["error ", "warning "].iter().any(|level| code.starts_with(level));
        let code = summary.failure.split(": ").next().filter(has_code).unwrap_or(&summary.failure);
        Self { failure: code.to_owned(), ..Self::of(summary) }
    }

    /// Whether `oracle` looks for it.
    pub(crate) fn is_that_of(&self, oracle: &dyn Oracle) -> bool {
        let FailureId { words, fingerprint } = oracle.failure();
        let is_same = words == self.failure || words.split(": ").next() == Some(&self.failure);
        is_same || fingerprint.is_some() && fingerprint == self.fingerprint
    }
}

/// Why there is no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum TaskError {
    /// No failure to keep was found.
    Failure(FailureError),
    /// The program shows another failure than the expected one.
    AnotherFailure(String),
    /// The failure cannot be a test of rustc's suite, for this reason.
    NoUiTest(String),
    /// No part of the program has this name, which the user wants to keep.
    Unnamed(String),
    /// A marker of the source has no end, or no beginning, as this says with its place.
    Marker(String),
    /// The baseline refused the program, or the run was stopped.
    Refused(Box<Refused>),
    /// A result, or a backup, cannot be written.
    Output(anyhow::Error),
    /// Another run writes to this path.
    Busy(PathBuf),
}

impl TaskError {
    /// The class of the error, by what the user can do.
    pub fn class(&self) -> Class {
        match self {
            Self::Failure(error) => error.cause.class(),
            Self::AnotherFailure(_) => Class::NotFailing,
            Self::NoUiTest(_) | Self::Unnamed(_) => Class::Usage,
            Self::Marker(_) => Class::Input,
            Self::Refused(refused) => refused.class(),
            Self::Output(_) | Self::Busy(_) => Class::Output,
        }
    }
}

/// Without advice for the user of the command.
impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failure(error) => write!(f, "{error}"),
            Self::AnotherFailure(failure) => write!(f, "another failure is there: {failure}"),
            Self::Unnamed(name) => write!(f, "nothing in the program is called {name}, which is to be kept"),
            Self::NoUiTest(why) | Self::Marker(why) => write!(f, "{why}"),
            Self::Refused(refused) => write!(f, "{refused}"),
            Self::Output(error) => write!(f, "{error:#}"),
            Self::Busy(path) => write!(f, "another run is writing {}", path.display()),
        }
    }
}

impl From<FailureError> for TaskError {
    fn from(error: FailureError) -> Self {
        Self::Failure(error)
    }
}

impl Task {
    /// Finds the failure and reduces the program.
    ///
    /// # Errors
    /// When the failure is absent, a check cannot be run, or the result cannot be written.
    pub fn run(self, session: &Session, observer: &mut dyn Observer) -> Result<Summary, TaskError> {
        let problem = self.find(session, observer)?;
        self.notes(&problem)?.into_iter().for_each(|message| observer.event(&Event::Note { message }));
        self.reduce(problem, session, observer)
    }

    /// Finds the failure and reports it, and nothing else.
    ///
    /// # Errors
    /// When the failure is absent, or a check cannot be run.
    pub fn recognise(&self, session: &Session, observer: &mut dyn Observer) -> Result<(), TaskError> {
        self.find(session, observer)?.report(observer);
        Ok(())
    }

    /// Finds the failure that candidates must show. Fails if it is absent, or a check cannot be run.
    fn find(&self, session: &Session, observer: &mut dyn Observer) -> Result<Problem, TaskError> {
        let marked = Marked::of(&self.program).map_err(TaskError::Marker)?;
        marked.warnings.into_iter().for_each(|message| observer.event(&Event::Warning { message }));
        let request = self.request(&self.program, session);
        let found = if may_hang(&self.spec, &self.subject(), session) {
            let slow = "rustc is still running; if it does not end soon, mcve treats this as a hang";
            with_notice(SLOW, slow, observer, || request.find())
        } else {
            request.find()
        };
        session.journal.take_note().into_iter().for_each(|message| observer.event(&Event::Note { message }));
        let problem = found?;
        if self.before.expected.as_ref().is_some_and(|expected| !expected.is_that_of(&*problem.oracle)) {
            return Err(TaskError::AnotherFailure(problem.oracle.failure().words));
        }
        problem.begin(session, observer)?;
        Ok(problem)
    }

    /// The oracle of the failure that was found before, if a program shows it.
    ///
    /// # Errors
    /// When the program shows no failure, or a check cannot be run.
    pub fn oracle_of(
        spec: &FailureSpec,
        file: &Path,
        program: &Program,
        session: &Session,
        expected: &Expected,
    ) -> Result<Option<Arc<dyn Oracle>>, FailureError> {
        let request = Request { spec, subject: Subject::file(file), program, session, reduces_arguments: true };
        Ok(Some(request.find()?.oracle).filter(|oracle| expected.is_that_of(&**oracle)))
    }

    fn subject(&self) -> Subject<'_> {
        let choices = self.choices.as_ref().map(Option::as_deref);
        Subject { file: &self.plan.input, choices, shown: self.before.shown.as_ref() }
    }

    fn request<'a>(&'a self, program: &'a Program, session: &'a Session) -> Request<'a> {
        Request { spec: &self.spec, subject: self.subject(), program, session, reduces_arguments: true }
    }

    /// Notes on the test to be made of the failure, and on the files of the program.
    fn notes(&self, problem: &Problem) -> Result<Vec<String>, TaskError> {
        let mut notes = Vec::new();
        if self.plan.as_ui_test.is_some() {
            notes.extend(self.check_ui_test(&*problem.oracle).map_err(TaskError::NoUiTest)?);
        }
        let program = &problem.program;
        let files = program.files().len();
        if files > 1 {
            let folder = program.folder_at(&self.plan.input);
            notes.push(format!("program: {files} files in {}{}", folder.display(), outside_of_root_folder(program)));
        }
        let linked = program.linked().into_iter();
        notes.extend(linked.map(|path| format!("{path} is large: checks read it where it is")));
        let outside = neighbours::outside(program).into_iter();
        notes.extend(
            outside.map(|path| format!("{} is outside of the program: checks read it where it is", path.display())),
        );
        Ok(notes)
    }

    /// The note on a test that cannot express all conditions; else why there can be no test.
    fn check_ui_test(&self, oracle: &dyn Oracle) -> Result<Option<String>, String> {
        if let Some(tool @ (Tool::Rustfmt | Tool::RustAnalyzer)) = self.spec.tool {
            return Err(format!("rustc's suite does not run {}", tool.program()));
        }
        if oracle.as_ui_test().is_none() {
            return Err(format!("rustc's suite has no test for {}", oracle.failure().words));
        }
        let conditions: Vec<String> =
            oracle.conditions().iter().map(|condition| condition.words()).filter(|words| !words.is_empty()).collect();
        let is_whole = conditions.is_empty();
        Ok((!is_whole).then(|| format!("the test shows the failure only, as it cannot say: {}", conditions.join("; "))))
    }

    fn reduce(
        mut self,
        mut problem: Problem,
        session: &Session,
        observer: &mut dyn Observer,
    ) -> Result<Summary, TaskError> {
        let named = kept(&problem.program, &self.plan.input, &self.keep).map_err(TaskError::Unnamed)?;
        let marked = Marked::of(&problem.program).map_err(TaskError::Marker)?.kept;
        // What is carved is in none of the files.
        self.plan.carves &= marked.is_empty();
        let Plan { input, output, schedule, in_place, .. } = &mut self.plan;
        if *in_place {
            back_up_all(input, &problem.program)
                .map_err(|error| TaskError::Output(anyhow::Error::new(error).context("cannot back up the input")))?;
        }
        let kept = self.before.kept.clone();
        schedule.filters = schedule.filters.clone().with(Box::new([kept, named, marked].into_iter().collect::<Kept>()));
        // Where an empty file is no sentence, it is no candidate.
        problem.runs.accept_trivial |= schedule.sentences.as_ref().is_some_and(|sentences| !sentences.has(""));
        // Files that were found only now are replaced at the end, like all files of a program of several.
        *in_place &= !problem.program.is_lone();
        let mut _beside = None;
        if *in_place && output.path() == Some(input) {
            *output = Output::at_default(&default_path(input)).map_err(|error| TaskError::Output(error.into()))?;
            _beside = lock(output)?;
        }
        let done = reduce(&problem, session, &self.plan, observer);
        done.map_err(|refusal| TaskError::Refused(Box::new(problem.refused(refusal, &self.subject(), session))))
    }
}

/// Keeps other runs from writing the same result, whatever path they use and wherever their journals are.
///
/// # Errors
/// When another run writes it.
pub fn lock(output: &Output) -> Result<Option<OutputLock>, TaskError> {
    let Some(file) = output.file() else { return Ok(None) };
    let path = || output.path().unwrap_or(file.real()).to_owned();
    OutputLock::take(file.real()).map_err(|Busy| TaskError::Busy(path()))
}

/// Resolves `names` in a program whose root file is at `root`: paths of files relative to the current folder, or to one that
/// contains the root file; and paths of items.
///
/// # Errors
/// With the first name that refers to nothing.
pub fn kept(program: &Program, root: &Path, names: &[String]) -> Result<Kept, String> {
    let folder = program.folder_at(root).canonicalize().ok();
    let inside = |name: &String| {
        let folder = folder.as_ref()?;
        let places = std::iter::once(PathBuf::from(name)).chain(folder.ancestors().map(|above| above.join(name)));
        let path = places.into_iter().find_map(|path| path.canonicalize().ok().filter(|path| path.is_file()))?;
        path.strip_prefix(folder).ok()?.to_str().map(str::to_owned)
    };
    names.iter().map(|name| Kept::of(program, &inside(name).unwrap_or_else(|| name.clone()))).collect()
}

/// The files of a program that are not in the folder of its root file, as the end of a sentence.
fn outside_of_root_folder(program: &Program) -> String {
    let own = program.name.parent().unwrap_or(Path::new(""));
    let files = program.files().into_iter().map(|(path, _)| path).filter(|path| !path.starts_with(own));
    let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
    if files.is_empty() { String::new() } else { format!("; outside of {}: {}", own.display(), files.join(", ")) }
}
