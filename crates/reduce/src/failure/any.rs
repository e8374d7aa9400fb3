//! The failure that a program shows when it is compiled, or else when it is run.

use std::path::{Component, Path};
use std::sync::Arc;
use std::time::Duration;

use super::compiler::{Compiled, Recognised, Recogniser, Recognition};
use super::error::{Cause, FailureError, Ran};
use super::held::{Found, FoundOracle};
use super::kinds::{FailureKind, Usage};
use super::lookup::{By, Lookup};
use super::run;
use super::shown::likely_reason;
use super::spec::FailureSpec;
use super::subject::Subject;
use super::valid::missing_features;
use crate::exec::job::JobResult;
use crate::oracle::crash::RustcOracle;
use crate::oracle::diagnostic::{DiagnosticOracle, Held};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::failure::Failure;
use crate::oracle::obstacles::Obstacle;
use crate::oracle::wanted::Wanted;
use crate::program::Program;
use crate::project::bounds::Bounds;
use crate::project::folder::read_file;
use crate::session::Session;

/// The time limit of the first run of the compiler where the user gave none. A large program adds a second for so many bytes.
const PATIENCE: Duration = Duration::from_secs(60);
const BYTES_PER_SECOND: u64 = 10_000;

/// The processor time that a compiler which hangs takes at least, in each candidate.
const HANG: Duration = Duration::from_secs(10);

impl Lookup<'_> {
    pub(super) fn find_any(&self, by: By<'_>) -> Result<Found, FailureError> {
        let recogniser = Recogniser { timeout: self.patience(), ..self.recogniser() };
        let recognised = recogniser.recognise(by.ways, by.editions).map_err(|error| self.unrecognised(error))?;
        let recognition = match recognised {
            Recognised::Fails(recognition) if self.spec.run_target().is_some() => {
                let reason = self.subject.shown.map(|_| likely_reason(&recognition.oracle.failure.to_string()));
                let shown = recognition.oracle.shown.into_iter().next().unwrap_or_default();
                return Err(self.refuse(by, Cause::DoesNotCompile(shown, reason)));
            }
            Recognised::Fails(recognition) => recognition,
            Recognised::TimedOut(limit) => return self.find_hang(by, limit),
            Recognised::Unknown(result) => {
                let compiler = by.ways[0].called.first().map(|word| word.display().to_string()).unwrap_or_default();
                return Err(self.refuse(by, Cause::Unknown(compiler, Box::new(result))));
            }
            Recognised::Compiles(compiled) => return self.find_in_run(by, compiled),
        };
        if let Some(program) = self.with_files(&recognition.obstacles).filter(|_| !self.spec.force) {
            return Lookup { program: &program, ..*self }.run();
        }
        // An error that cargo shows as well is one of the user's program.
        if !recognition.obstacles.is_empty() && !self.spec.force && self.subject.shown.is_none() {
            return Err(self.refuse(by, Cause::Incomplete(recognition.obstacles)));
        }
        let mut notes: Vec<String> = recognition.edition.map(|edition| by.note(edition)).into_iter().collect();
        let oracle = if recognition.oracle.failure.is_in_program() {
            let shown = &recognition.oracle.shown;
            if let [first, _, ..] = &shown[..] {
                let count = shown.len();
                notes.push(format!(
                    "{count} errors, of which the first is kept: {first}; choose another one by --at LINE, --code or --message"
                ));
            }
            FoundOracle::Diagnostic(self.first_error(by, *recognition)?)
        } else {
            notes.extend(missing_features(&recognition.result).map(|attributes| {
                format!("a feature is used that is not enabled, an error beside the crash; to add: {attributes}")
            }));
            let rustc = self.limited(&recogniser, &recognition)?;
            FoundOracle::Rustc(RustcOracle { rustc, strictness: self.spec.crash_parts()?, ..recognition.oracle })
        };
        Ok(self.found(oracle, notes))
    }

    /// The time limit of the first run of the compiler, if there is one here: a compiler that may hang does so if it takes longer.
    fn patience(&self) -> Option<Duration> {
        let by_size = Duration::from_secs(self.program.text.len() as u64 / BYTES_PER_SECOND);
        let may_hang = may_hang(self.spec, &self.subject, self.session);
        if may_hang { Some(PATIENCE + by_size) } else { self.session.limits.timeout }
    }

    /// The failure of a compiler that did not end within `limit`.
    fn find_hang(&self, by: By<'_>, limit: Duration) -> Result<Found, FailureError> {
        if may_hang(self.spec, &self.subject, self.session) {
            let hang: Arc<dyn FailureKind> = Arc::new(Usage::hang_of_compiler(HANG));
            if let Ok(asked) = self.find_kind(&hang, by.ways, by.editions)? {
                let note = format!(
                    "rustc did not end within {}, so mcve treats this as a hang: a candidate must use {} of processor time; if rustc is only slow: --timeout TIME",
                    humantime::format_duration(limit),
                    humantime::format_duration(HANG)
                );
                return Ok(self.found(FoundOracle::Asked(asked), vec![note]));
            }
        }
        Err(self.refuse(by, Cause::TimedOut(limit)))
    }

    /// The failure of the program, which compiles, when it is run.
    fn find_in_run(&self, by: By<'_>, compiled: Compiled) -> Result<Found, FailureError> {
        let edition = compiled.edition;
        let rustc = edition.map_or_else(|| by.ways[0].clone(), |edition| by.ways[0].with_edition(edition));
        // The requirements on a compiler crash do not apply to a run.
        let is_of_compiler = self.spec.strictness.is_some() || self.spec.diagnostics.at.is_some();
        // Nor does a run show the compiler output that cargo showed.
        let is_of_compiler = is_of_compiler || self.subject.shown.is_some() && self.spec.run_target().is_none();
        let ran = if is_of_compiler {
            Ran::NotAsked
        } else if !self.may_run {
            Ran::NotAllowed
        } else {
            let ran = self.run_recogniser()?.recognise(&rustc, self.spec.run_target());
            match ran.map_err(|error| self.unrecognised(error))? {
                run::Recognised::Fails(oracle, tests) => {
                    let mut notes: Vec<String> = edition.map(|edition| by.note(edition)).into_iter().collect();
                    if tests > 1 {
                        notes.push(format!(
                            "{tests} tests fail, of which the first is kept; choose another one by --test-name NAME"
                        ));
                    }
                    return Ok(self.found(FoundOracle::Run(*oracle), notes));
                }
                run::Recognised::TimedOut(limit) => return Err(self.refuse(by, Cause::RunTimedOut(limit))),
                run::Recognised::NotCompiled(what, result) => Ran::NotCompiled(what, Box::new(rendered(&result))),
                run::Recognised::Passes(ran) | run::Recognised::NotRun(ran) => Ran::Passed(ran),
            }
        };
        if let Some((older, later)) = edition.zip(self.failing_edition(&compiled.other_editions, edition)) {
            let config = |edition: &str| edition.parse().map(|config| vec![config]).map_err(anyhow::Error::msg);
            let spec = FailureSpec { fails_with: config(later)?, passes_with: config(older)?, ..self.spec.clone() };
            let mut found = Lookup { spec: &spec, ..*self }.run()?;
            found.notes.push(format!(
                "edition: {later}, the newest one in which the file fails; it compiles as edition {older}; if it fails there when it is run: --run"
            ));
            return Ok(found);
        }
        Err(self.refuse(by, Cause::Compiles(Box::new(compiled), ran)))
    }

    /// The newest edition in which the program has an error with a code, if it is later than `edition`, in which the program
    /// compiles. Errors without a code are mostly of syntax: then the program is written in the older edition.
    fn failing_edition(&self, failures: &[(&'static str, Failure)], edition: Option<&str>) -> Option<&'static str> {
        let has_sides = !self.spec.fails_with.is_empty() || !self.spec.passes_with.is_empty();
        if has_sides || self.spec.run_target().is_some() {
            return None;
        }
        let parses = |failure: &Failure| failure.codes.iter().all(|code| code.starts_with('E'));
        failures.iter().find(|(later, failure)| edition < Some(*later) && parses(failure)).map(|(later, _)| *later)
    }

    /// Requires of candidates the first error of the program.
    fn first_error(&self, by: By<'_>, found: Recognition) -> Result<DiagnosticOracle, FailureError> {
        let (wanted, detail) = (Wanted::default(), self.spec.detail()?);
        let held = Held::of(&found.result, self.program, &wanted);
        let held = held.map_err(|missing| self.refuse(by, Cause::Absent(format!("rustc says {missing}"))))?;
        let RustcOracle { rustc, allow_errors, has_proc_macros, .. } = found.oracle;
        Ok(DiagnosticOracle { rustc, wanted, held, detail, allow_errors, has_proc_macros })
    }

    /// The program with the neighbouring files that rustc looked for: those whose names a macro makes.
    fn with_files(&self, obstacles: &[Obstacle]) -> Option<Program> {
        let folder = self.program.folder_at(self.subject.file);
        let bounds = Bounds::of_folder(&folder);
        let missing = obstacles.iter().filter_map(|obstacle| match obstacle {
            Obstacle::File(name) => Some(name.strip_prefix("./").unwrap_or(name)),
            _ => None,
        });
        let mut found = None;
        for name in missing {
            let path = Path::new(name);
            let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
            // A file that rustc cannot read in the expected way is no help.
            let is_new = !self.program.files().iter().any(|(known, _)| known == path);
            let place = folder.join(name);
            let is_own = is_inside && bounds.has(&place);
            let file = (is_own && is_new).then(|| read_file(&place).ok().flatten()).flatten();
            let program = found.as_ref().unwrap_or(self.program);
            found = file.and_then(|file| program.with_file(name, file)).or(found);
        }
        found
    }
}

/// Whether a compiler that does not end is a hang to keep: no failure was asked for or shown by cargo, and no time limit set.
pub(crate) fn may_hang(spec: &FailureSpec, subject: &Subject<'_>, session: &Session) -> bool {
    spec.is_default() && subject.shown.is_none() && session.limits.timeout.is_none()
}

/// The rendered output of rustc, as a person sees it.
fn rendered(result: &JobResult) -> JobResult {
    let stderr = Stderr::read(&result.stderr);
    let text: String = stderr.errors().filter_map(|error| error.rendered.clone()).collect();
    JobResult { stderr: text.into(), ..result.clone() }
}

#[cfg(test)]
mod tests {
    use rustix::process::Signal;

    use super::*;
    use crate::check::limits::Limits;
    use crate::exec::cancel::Cancel;
    use crate::exec::job::{End, ExecError, Executor, Job};
    use crate::oracle::run::Target;

    /// A compiler that never ends, and is ended after a time or by a limit of processor time.
    struct Endless;

    impl Executor for Endless {
        fn run(&self, job: &Job, _: Duration, _: &Cancel) -> Result<JobResult, ExecError> {
            let end = if job.is_measured { End::Signalled(Signal::XCPU.as_raw()) } else { End::TimedOut };
            Ok(JobResult::ended(end))
        }
    }

    /// The end of a search for the failure of a program that the compiler does not end with, or of its run.
    fn find(timeout: Option<Duration>, target: Option<Target>) -> Result<Found, FailureError> {
        let limits = Limits { timeout, ..Limits::default() };
        let session = Session::new(None, limits, None, None).expect("there is a folder for temporary files");
        let spec = FailureSpec { target, ..FailureSpec::default() };
        let program = Program::new("a.rs", "const A: u8 = loop {};\n");
        let subject = Subject::file(Path::new("a.rs"));
        let (spec, program, session) = (&spec, &program, &session);
        let cancel = &Cancel::default();
        Lookup { spec, subject, program, session, executor: &Endless, cancel, may_run: false }.run()
    }

    #[test]
    fn a_compiler_that_does_not_end_hangs() {
        let found = find(None, None).expect("that is a failure");
        assert!(found.oracle.oracle().failure().words.starts_with("rustc does not end in 10s"));
        assert!(matches!(&found.notes[..], [note] if note.contains("treats this as a hang")), "{:?}", found.notes);
    }

    #[test]
    fn a_time_limit_of_the_user_is_no_hang() {
        let limit = Duration::from_secs(3);
        let error = find(Some(limit), None).err().expect("it is not waited for");
        assert!(matches!(error.cause, Cause::TimedOut(time) if time == limit));
    }

    #[test]
    fn a_program_that_is_run_may_take_long_to_compile() {
        let error = find(None, Some(Target::Main(Vec::new()))).err().expect("it does not end");
        assert!(matches!(error.cause, Cause::TimedOut(time) if time > PATIENCE), "{error}");
    }
}
