//! From a lone file to the failure that its user means, or to a refusal that says what to do.

mod conditions;
mod found;
mod kinds;
mod reason;
mod shown;
mod suggestion;
mod valid;
mod words;

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, anyhow};

use self::conditions::Unmet;
pub(super) use self::found::{FailureToKeep, FoundOracle, Held, with_conditions};
use self::kinds::Kind;
pub(super) use self::shown::{Shown, likely_reason};
pub(super) use self::words::{excerpt, is_command};
use self::words::{is_rust, lacking, not_rust, note_edition, note_headers, rendered, several_errors};
use super::args::OracleArgs;
use super::exit::{Exit, Failed};
use super::input::Given;
use super::kind_args::Tool;
use super::work::stopped;
use crate::check::limits::Limits;
use crate::check::watch::Watch;
use crate::dd::outcome::Outcome;
use crate::exec::job::Executor;
use crate::exec::process::Cancel;
use crate::exec::programs;
use crate::modes::recognise::{Recognised, Recogniser, Recognition, Unrecognised, editions};
use crate::modes::recognise_run as run;
use crate::oracle::crash::RustcOracle;
use crate::oracle::diagnostic::DiagnosticOracle;
use crate::oracle::diagnostics::Stderr;
use crate::oracle::headers::Headers;
use crate::oracle::identity::Detail;
use crate::oracle::obstacles::Obstacle;
use crate::oracle::rustc::Rustc;
use crate::oracle::strictness::Strictness;
use crate::oracle::wanted::Wanted;
use crate::program::Program;
use crate::project::bounds::Bounds;
use crate::project::folder::read_file;
use crate::project::manifest;
use crate::state::invocation::VARIABLES;

/// Where a compiler may find its libraries.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// What rustc prints, in no diagnostic, before it gives up where it may not have more memory.
const OUT_OF_MEMORY: [&str; 2] = ["memory allocation of ", "out of memory"];

/// What `--lint` alone does not keep.
const WARNING_ALONE: &str =
    "--lint keeps the warning, right or wrong; to keep that its suggestion breaks the program: --suggestion fails";

/// Looks for the failure of a lone file.
pub(super) struct Search<'a> {
    pub(super) args: &'a OracleArgs,
    pub(super) given: Given<'a>,
    pub(super) toolchain: Option<&'a str>,
    pub(super) program: &'a Program,
    /// Runs rustc, or knows what came of it.
    pub(super) executor: &'a dyn Executor,
    /// When to give up.
    pub(super) limits: &'a Limits,
    /// Whether a program that compiles may be run.
    pub(super) may_run: bool,
}

/// What a failure is looked for by.
#[derive(Clone, Copy)]
struct By<'a> {
    /// How rustc is run, for each revision of the file.
    ways: &'a [Rustc],
    /// The editions to try where the arguments say none.
    editions: &'a [&'static str],
    /// What the nearest manifest says, and where it is.
    manifest: Option<&'a (String, PathBuf)>,
    /// What was asked for, the failure itself first.
    kinds: &'a [Kind],
    cancel: &'a Cancel,
}

fn check(error: impl Into<anyhow::Error>) -> Failed {
    Failed::new(Exit::Check, error)
}

impl Search<'_> {
    /// Runs rustc on the file as its arguments, its headers and the nearest manifest say.
    ///
    /// # Errors
    /// When rustc cannot be run, and where the failure is not there or is likely not the one that is meant.
    pub(super) fn run(&self) -> Result<FailureToKeep, Failed> {
        let (file, force) = (self.given.file, self.args.failure.force);
        let mut notes = Vec::new();
        if !force && !is_rust(self.program) {
            return Err(Failed::new(Exit::Input, not_rust(file)));
        }
        let headers = Headers::revisions(&self.program.root(), self.args.trust());
        notes.extend(note_headers(&headers, self.program, file, force)?);
        let ways = self.ways(&headers)?;
        let watch = Watch::begin(self.limits).context("cannot start a thread").map_err(check)?;
        let manifest = manifest::edition(file);
        let editions = editions(manifest.as_ref().map(|(edition, _)| edition.as_str()));
        let kinds = self.kinds()?;
        let by =
            By { ways: &ways, editions: &editions, manifest: manifest.as_ref(), kinds: &kinds, cancel: watch.cancel() };
        let mut found = if self.args.failure.kinds.is_empty() && kinds.is_empty() {
            self.find(by)?
        } else {
            self.find_with_conditions(by)?
        };
        found.notes.splice(0..0, notes);
        let found = self.with_reason(found, watch.cancel())?;
        self.with_validity(found, watch.cancel())
    }

    /// The failure in the first of the editions in which all conditions hold.
    fn find_with_conditions(&self, by: By<'_>) -> Result<FailureToKeep, Failed> {
        let is_chosen = by.ways.iter().all(|way| way.edition().is_some());
        let tries = if is_chosen { 1 } else { by.editions.len() };
        let mut refused = None;
        for edition in &by.editions[..tries] {
            let by = By { editions: std::slice::from_ref(edition), ..by };
            let found = self.find(by).and_then(|found| {
                let rustc = found.oracle.rustc().clone();
                let others = match by.kinds {
                    // None of them is the failure itself, if that is the one of a run.
                    kinds if self.is_failure_of_run(kinds) => kinds,
                    [] => &[],
                    [_, others @ ..] => others,
                };
                match self.conditions(&rustc, Some(&found.oracle), others, by.cancel)? {
                    Ok(conditions) => {
                        let conditions = found.conditions.into_iter().chain(conditions).collect();
                        Ok(FailureToKeep { conditions, ..found })
                    }
                    Err(Unmet { why, command }) => {
                        self.refuse_by(&command, &format!("the failure is there, and this does not hold: {why}"))
                    }
                }
            });
            match found {
                Err(error) if error.exit == Exit::NotFailing => _ = refused.get_or_insert(error),
                other => return other,
            }
        }
        Err(refused.unwrap_or_else(|| check(anyhow!("there is no edition"))))
    }

    /// Whether the failure itself is that the program fails when it is run, and all that was asked for has to hold besides.
    fn is_failure_of_run(&self, kinds: &[Kind]) -> bool {
        self.args.target().is_some() && !kinds.iter().any(Kind::is_of_run)
    }

    /// Says why there is no failure to keep, and how to see it.
    fn refuse<T>(&self, by: By<'_>, why: &str) -> Result<T, Failed> {
        self.refuse_by(&self.given.by_hand(&|path| by.ways[0].command(self.program, path)), why)
    }

    /// The same, where this command shows it.
    fn refuse_by<T>(&self, command: &str, why: &str) -> Result<T, Failed> {
        let error = anyhow!("{}: {why}\nto see it by hand: {command}", self.given.file.display());
        Err(Failed::new(Exit::NotFailing, error))
    }

    fn recogniser<'b>(&'b self, cancel: &'b Cancel) -> Recogniser<'b> {
        let (executor, program, timeout) = (self.executor, self.program, self.args.failure.timeout);
        Recogniser { executor, program, timeout, allow_errors: self.args.failure.allow_errors, cancel }
    }

    /// The failure that was asked for by name, or else the one that the program shows, with the variables that it needs.
    fn find(&self, by: By<'_>) -> Result<FailureToKeep, Failed> {
        let found = self.find_failure(by)?;
        // Files may have been found that it needs.
        let search = Search { program: &found.program, ..*self };
        Ok(FailureToKeep { oracle: search.with_variables(found.oracle, by.cancel)?, ..found })
    }

    fn find_failure(&self, by: By<'_>) -> Result<FailureToKeep, Failed> {
        let program = self.program.clone();
        let found = |oracle| FailureToKeep { oracle, conditions: Vec::new(), notes: Vec::new(), program };
        let recogniser = self.recogniser(by.cancel);
        let wanted = self.args.failure.wanted_diagnostics();
        if let Some(kind) = by.kinds.first().filter(|_| !self.is_failure_of_run(by.kinds)) {
            return match self.find_kind(kind, by.ways, by.editions, by.cancel)? {
                Ok(asked) => Ok(found(FoundOracle::Asked(asked))),
                Err((why, command)) => self.refuse_by(&command, &format!("it does not show what was asked for: {why}")),
            };
        }
        if !wanted.is_empty() && self.args.target().is_none() {
            let detail = self.detail()?;
            let recognised = recogniser.recognise_diagnostics(by.ways, by.editions, &wanted, detail);
            return match (recognised.map_err(|error| self.unrecognised(error))?, self.args.failure.kinds.suggestion) {
                (Ok(oracle), Some(suggestion)) => self.find_suggestion(by, oracle, suggestion.certainty()),
                (Ok(oracle), None) => {
                    let is_lint = !self.args.failure.lint.is_empty() && oracle.held.has_suggestion();
                    let notes = is_lint.then(|| WARNING_ALONE.to_owned()).into_iter().collect();
                    Ok(FailureToKeep { notes, ..found(FoundOracle::Diagnostic(oracle)) })
                }
                (Err(missing), _) => {
                    let why = missing.unwrap_or_default();
                    self.refuse(by, &format!("it does not show what was asked for: rustc says {why}"))
                }
            };
        }
        if self.args.failure.kinds.suggestion.is_some() {
            let error = anyhow!("--suggestion needs --lint, --code, --message or --at, which say what suggests it");
            return Err(Failed::new(Exit::Usage, error));
        }
        self.find_any(by)
    }

    /// The failure that the program shows when it is compiled, or else when it is run.
    fn find_any(&self, by: By<'_>) -> Result<FailureToKeep, Failed> {
        let (file, force) = (self.given.file, self.args.failure.force);
        let By { ways, editions, manifest, cancel, .. } = by;
        let recogniser = self.recogniser(cancel);
        let mut notes = Vec::new();
        let command = self.given.by_hand(&|path| ways[0].command(self.program, path));
        let refuse =
            |exit, error: anyhow::Error| Err(Failed::new(exit, anyhow!("{error:#}\nto see it by hand: {command}")));
        let name = file.display();
        let recognition = match recogniser.recognise(ways, editions).map_err(|error| self.unrecognised(error))? {
            Recognised::Fails(recognition) if self.args.target().is_some() => {
                let failure = &recognition.oracle.failure;
                let why = self.given.shown.map(|_| likely_reason(&failure.to_string()));
                let why = why.map(|why| format!("; cargo compiled it, so that most likely {why}")).unwrap_or_default();
                return refuse(
                    Exit::NotFailing,
                    anyhow!("{name} does not compile, so it cannot be run: {failure}{why}"),
                );
            }
            Recognised::Fails(recognition) => recognition,
            Recognised::TimedOut(limit) => {
                let limit = humantime::format_duration(limit);
                return refuse(
                    Exit::NotFailing,
                    anyhow!("the check of {name} did not end in {limit}: see --timeout, or keep that by --hang TIME"),
                );
            }
            Recognised::Unknown(result) => {
                let compiler = ways[0].called.first().map(|word| word.display().to_string()).unwrap_or_default();
                let said = excerpt(&result);
                let error = anyhow!("`{compiler}` ended with {} on {name}, and shows no failure:\n{said}", result.end);
                return refuse(Exit::NotFailing, error);
            }
            Recognised::Compiles { edition, other_editions } => {
                let way = edition.map_or_else(|| ways[0].clone(), |edition| ways[0].with_edition(edition));
                // What is held of a crash of the compiler says nothing of a run.
                let is_of_compiler = self.args.failure.strictness.is_some() || self.args.failure.at.is_some();
                // Nor does a run show what cargo showed of a compiler.
                let is_of_compiler = is_of_compiler || self.given.shown.is_some() && self.args.target().is_none();
                let found = if self.may_run && !is_of_compiler { self.run_program(&way, cancel)? } else { None };
                let ran = match found {
                    Some(run::Recognised::Fails(oracle)) => {
                        notes.extend(edition.map(|edition| note_edition(edition, manifest)));
                        let (oracle, program) = (FoundOracle::Run(*oracle), self.program.clone());
                        return Ok(FailureToKeep { oracle, conditions: Vec::new(), notes, program });
                    }
                    Some(run::Recognised::TimedOut(limit)) => {
                        let limit = humantime::format_duration(limit);
                        return refuse(
                            Exit::NotFailing,
                            anyhow!(
                                "{name} compiles, and did not end in {limit} when it was run: see --timeout, or keep that by --run --hang TIME"
                            ),
                        );
                    }
                    Some(run::Recognised::NotCompiled(what, result)) => {
                        format!("; {what} cannot be compiled and run:\n{}", excerpt(&rendered(&result)))
                    }
                    Some(run::Recognised::Passes(ran)) if ran.is_empty() => String::new(),
                    Some(run::Recognised::Passes(ran)) => format!("; {ran}"),
                    None if is_of_compiler => String::new(),
                    None => {
                        "; outside of a sandbox it is run only if you say so: --run, or --test-name NAME".to_owned()
                    }
                };
                let of = edition.map_or_else(String::new, |edition| format!(" (edition {edition})"));
                let others = other_editions.iter().map(|(edition, failure)| {
                    format!("\nas edition {edition} it does not: {failure}; to keep that: -- --edition {edition}")
                });
                let others: String = others.collect();
                return refuse(
                    Exit::NotFailing,
                    anyhow!("{name} compiles{of}, as a library too{ran}: there is no failure to keep{others}"),
                );
            }
        };
        if let Some(program) = self.with_files(&recognition.obstacles).filter(|_| !force) {
            return Search { program: &program, ..*self }.run();
        }
        // An error that cargo shows as well is the user's own.
        if !recognition.obstacles.is_empty() && !force && self.given.shown.is_none() {
            return refuse(Exit::Input, lacking(file, &recognition.obstacles));
        }
        if let Some(edition) = recognition.edition {
            notes.push(note_edition(edition, manifest));
        }
        let oracle = if recognition.oracle.failure.is_in_program() {
            notes.extend(several_errors(&recognition.oracle.shown));
            FoundOracle::Diagnostic(self.first_error(&recogniser, recognition.oracle)?)
        } else {
            notes.extend(valid::missing_features(&recognition.result));
            let rustc = self.limited(&recogniser, &recognition)?;
            FoundOracle::Rustc(RustcOracle { rustc, strictness: self.strictness()?, ..recognition.oracle })
        };
        Ok(FailureToKeep { oracle, conditions: Vec::new(), notes, program: self.program.clone() })
    }

    /// Holds candidates to the first error of the program, which `found` shows.
    fn first_error(&self, recogniser: &Recogniser<'_>, found: RustcOracle) -> Result<DiagnosticOracle, Failed> {
        let (wanted, detail) = (Wanted::default(), self.detail()?);
        let recognised = recogniser.recognise_diagnostics(&[found.rustc], &[], &wanted, detail);
        let unsteady = || anyhow!("{}: rustc shows an error in one run and none in another", self.given.file.display());
        recognised.map_err(|error| self.unrecognised(error))?.map_err(|_| check(unsteady()))
    }

    /// How much of an error or a warning a candidate has to show.
    fn detail(&self) -> Result<Detail, Failed> {
        let Some(given) = self.args.failure.strictness else { return Ok(Detail::default()) };
        given.diagnostic.ok_or_else(|| {
            let error = "--match says what to keep of a crash, and this is none: give code, message, labels or notes";
            Failed::new(Exit::Usage, anyhow!(error))
        })
    }

    /// How much of a crash of rustc a candidate has to show.
    fn strictness(&self) -> Result<Strictness, Failed> {
        let Some(given) = self.args.failure.strictness else { return Ok(Strictness::default()) };
        given.crash.ok_or_else(|| {
            let error = "--match says what to keep of an error, and this is a crash: give some of message,place,stack, or any-ice";
            Failed::new(Exit::Usage, anyhow!(error))
        })
    }

    /// Runs the program, which compiles.
    fn run_program(&self, rustc: &Rustc, cancel: &Cancel) -> Result<Option<run::Recognised>, Failed> {
        let wanted = self.args.target().map_or(run::Wanted::Anything, run::Wanted::This);
        let found = self.run_recogniser(cancel)?.recognise(rustc, &wanted);
        found.map(Some).map_err(|error| self.unrecognised(error))
    }

    fn run_recogniser<'b>(&'b self, cancel: &'b Cancel) -> Result<run::RunRecogniser<'b>, Failed> {
        let (executor, program, timeout) = (self.executor, self.program, self.args.failure.timeout);
        Ok(run::RunRecogniser { executor, program, stdin: self.stdin()?, timeout, cancel })
    }

    /// The program with the files that rustc looked for and that stand around it: those whose names a macro makes.
    fn with_files(&self, obstacles: &[Obstacle]) -> Option<Program> {
        let folder = self.program.folder_at(self.given.file);
        let bounds = Bounds::of_folder(&folder);
        let missing = obstacles.iter().filter_map(|obstacle| match obstacle {
            Obstacle::File(name) => Some(name.strip_prefix("./").unwrap_or(name)),
            _ => None,
        });
        let mut found = None;
        for name in missing {
            let path = Path::new(name);
            let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
            // What is there and cannot be read as rustc would have it is no help.
            let is_new = !self.program.files().iter().any(|(known, _)| known == path);
            let place = folder.join(name);
            let is_own = is_inside && bounds.has(&place);
            let file = (is_own && is_new).then(|| read_file(&place).ok().flatten()).flatten();
            let program = found.as_ref().unwrap_or(self.program);
            found = file.and_then(|file| program.with_file(name, file)).or(found);
        }
        found
    }

    fn unrecognised(&self, error: Unrecognised) -> Failed {
        match (error, self.limits.proceed()) {
            (Unrecognised::Exec(error), _) => check(error),
            (Unrecognised::Cancelled, Err(stop)) => stopped(stop),
            (Unrecognised::Cancelled, Ok(())) => unreachable!("only the end of the run calls it off"),
        }
    }

    /// How rustc is run, for each revision of the file.
    fn ways(&self, headers: &[Headers]) -> Result<Vec<Rustc>, Failed> {
        let folder = std::env::current_dir().context("there is no current folder").map_err(check)?;
        let tool =
            self.args.failure.kinds.tool.filter(|tool| tool.is_compiler()).map(|tool| self.tool(tool)).transpose()?;
        let named = self.args.failure.kinds.tool.filter(|_| tool.is_some()).map(|tool| Path::new(tool.program()));
        let given = named.or(self.args.rustc.as_deref());
        let compiler = tool.map_or_else(|| programs::rustc(given, self.toolchain).map_err(check), Ok)?;
        let called = programs::called(given, self.toolchain, &compiler);
        let other = self.args.failure.kinds.fails_with.first().map(|way| self.with_compiler(way)).transpose()?;
        let sysroot =
            self.args.failure.kinds.tool.filter(|tool| *tool == Tool::Miri).map(|_| self.miri_sysroot()).transpose()?;
        let way = |headers| {
            let mut way = Rustc::new(compiler.clone(), headers, self.args.rustc_args(), &folder);
            way.args.extend(sysroot.clone());
            let way = way.naming(self.program).called(called.clone());
            other.as_ref().map_or(way.clone(), |other| other.of(&way))
        };
        Ok(headers.iter().map(way).collect())
    }

    /// The same rustc, with the limit of memory that the failure needs, if it needs one.
    ///
    /// # Errors
    /// When the failure is due to that limit.
    fn limited(&self, recogniser: &Recogniser<'_>, recognition: &Recognition) -> Result<Rustc, Failed> {
        let oracle = &recognition.oracle;
        let limit = self.args.failure.memory.unwrap_or_default();
        let Some(bytes) = limit.0.filter(|_| !oracle.failure.is_in_program()) else { return Ok(oracle.rustc.clone()) };
        let plain = Stderr::read(&recognition.result.stderr).plain;
        let ran_out = plain.iter().any(|line| OUT_OF_MEMORY.iter().any(|words| line.contains(words)));
        let due = match self.args.failure.memory {
            // A limit that was asked for: what comes of the usual one?
            Some(_) => {
                let usual = self.args.failure.sandbox.processes(None)?;
                let recogniser = Recogniser { executor: &*usual, ..*recogniser };
                let shows = recogniser.shows(&oracle.rustc, &oracle.failure);
                !shows.map_err(|error| self.unrecognised(error))?
            }
            None => ran_out,
        };
        if !due {
            return Ok(oracle.rustc.clone());
        }
        if !self.args.failure.force {
            let error = anyhow!(
                "the failure comes from the limit of {} MiB of memory that mcve sets: {}\nset another one by --memory, or keep this failure by --force",
                bytes >> 20,
                oracle.failure
            );
            return Err(Failed::new(Exit::NotFailing, error));
        }
        Ok(Rustc { memory: Some(bytes), ..oracle.rustc.clone() })
    }

    /// The same, with those of the variables that mcve was started with that the failure needs, and without the others.
    fn with_variables(&self, mut found: FoundOracle, cancel: &Cancel) -> Result<FoundOracle, Failed> {
        for name in VARIABLES.into_iter().chain([LIBRARIES]) {
            let Some(value) = std::env::var_os(name) else { continue };
            let rustc = found.rustc();
            let without = rustc.without(name);
            // A compiler that cannot even start without it is a compiler that needs it.
            let oracle = found.clone().with(without.clone()).oracle();
            let is_needless = match self.try_result(&*oracle, cancel) {
                Ok(result) => oracle.verdict(&result).outcome == Outcome::Fail,
                Err(Unrecognised::Exec(_)) => false,
                Err(error) => return Err(self.unrecognised(error)),
            };
            let rustc = match is_needless {
                // A compiler that has started cannot do without what was looked at before.
                true if name.starts_with("LD_") => continue,
                true => without,
                false => rustc.with_variable(name, value),
            };
            found = found.with(rustc);
        }
        Ok(found)
    }
}
