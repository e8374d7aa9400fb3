//! From a lone file to the failure that its user means, or to a refusal that says what to do.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};

use super::args::OracleArgs;
use super::exit::{Exit, Failed};
use super::input::Given;
use super::work::stopped;
use crate::check::limits::Limits;
use crate::check::watch::Watch;
use crate::exec::job::{End, Executor, JobResult};
use crate::exec::process::Cancel;
use crate::exec::programs;
use crate::modes::recognise::{Recognised, Recogniser, Recognition, Unrecognised, editions};
use crate::modes::recognise_run as run;
use crate::oracle::Oracle;
use crate::oracle::diagnostic::DiagnosticOracle;
use crate::oracle::diagnostics::Stderr;
use crate::oracle::headers::{Headers, Refused};
use crate::oracle::obstacles::Obstacle;
use crate::oracle::run::{RunOracle, Runner};
use crate::oracle::rustc::{Rustc, RustcOracle};
use crate::program::Program;
use crate::project::folder::read_file;
use crate::project::manifest;
use crate::state::invocation::VARIABLES;

/// Where a compiler may find its libraries.
const LIBRARIES: &str = "LD_LIBRARY_PATH";

/// So many lines of what a check printed are shown.
const SHOWN: usize = 20;

/// What rustc prints, in no diagnostic, before it gives up where it may not have more memory.
const OUT_OF_MEMORY: [&str; 2] = ["memory allocation of ", "out of memory"];

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

/// What judges candidates, where the failure was found by running rustc or the program.
#[derive(Debug)]
pub(super) enum FoundOracle {
    /// The failure is rustc's.
    Rustc(RustcOracle),
    /// It is what was asked for of all that rustc says.
    Diagnostic(DiagnosticOracle),
    /// The program fails when it is run.
    Run(RunOracle),
}

impl FoundOracle {
    /// How rustc is run.
    pub(super) fn rustc(&self) -> &Rustc {
        match self {
            Self::Rustc(oracle) => &oracle.rustc,
            Self::Diagnostic(oracle) => &oracle.rustc,
            Self::Run(oracle) => &oracle.runner.rustc,
        }
    }

    /// The same by another way of running rustc.
    pub(super) fn with(self, rustc: Rustc) -> Arc<dyn Oracle> {
        match self {
            Self::Rustc(oracle) => Arc::new(RustcOracle { rustc, ..oracle }),
            Self::Diagnostic(oracle) => Arc::new(DiagnosticOracle { rustc, ..oracle }),
            Self::Run(oracle) => {
                let runner = Runner { rustc, ..oracle.runner };
                Arc::new(RunOracle { runner, ..oracle })
            }
        }
    }
}

/// The failure, and what its user should know of how it was found.
pub(super) struct FailureToKeep {
    pub(super) oracle: FoundOracle,
    pub(super) notes: Vec<String>,
    /// The program, with the files that rustc looked for.
    pub(super) program: Program,
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
        let (file, force) = (self.given.file, self.args.force);
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
        let recogniser = Recogniser {
            executor: self.executor,
            program: self.program,
            timeout: self.args.timeout,
            allow_errors: self.args.allow_errors,
            cancel: watch.cancel(),
        };
        let command = self.given.by_hand(&|path| ways[0].command(self.program, path));
        let refuse =
            |exit, error: anyhow::Error| Err(Failed::new(exit, anyhow!("{error:#}\nto see it by hand: {command}")));
        let name = file.display();
        let wanted = self.args.wanted_diagnostics();
        if !wanted.is_empty() {
            let found = recogniser.recognise_diagnostics(&ways, &editions, &wanted);
            return match found.map_err(|error| self.unrecognised(error))? {
                Ok(oracle) => {
                    let (oracle, program) = (FoundOracle::Diagnostic(oracle), self.program.clone());
                    Ok(FailureToKeep { oracle, notes, program })
                }
                Err(missing) => {
                    let why = missing.unwrap_or_default();
                    refuse(Exit::NotFailing, anyhow!("{name} does not show what was asked for: rustc says {why}"))
                }
            };
        }
        let recognition = match recogniser.recognise(&ways, &editions).map_err(|error| self.unrecognised(error))? {
            Recognised::Fails(recognition) if self.args.target().is_some() => {
                let failure = &recognition.oracle.failure;
                return refuse(Exit::NotFailing, anyhow!("{name} does not compile, so it cannot be run: {failure}"));
            }
            Recognised::Fails(recognition) => recognition,
            Recognised::TimedOut(limit) => {
                let limit = humantime::format_duration(limit);
                return refuse(Exit::NotFailing, anyhow!("the check of {name} did not end in {limit}: see --timeout"));
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
                let is_of_compiler = self.args.strictness.is_some();
                let found =
                    if self.may_run && !is_of_compiler { self.run_program(&way, watch.cancel())? } else { None };
                let ran = match found {
                    Some(run::Recognised::Fails(oracle)) => {
                        notes.extend(edition.map(|edition| note_edition(edition, manifest.as_ref())));
                        let (oracle, program) = (FoundOracle::Run(*oracle), self.program.clone());
                        return Ok(FailureToKeep { oracle, notes, program });
                    }
                    Some(run::Recognised::TimedOut(limit)) => {
                        let limit = humantime::format_duration(limit);
                        return refuse(
                            Exit::NotFailing,
                            anyhow!("{name} compiles, and did not end in {limit} when it was run: see --timeout"),
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
        if !recognition.obstacles.is_empty() && !force {
            return refuse(Exit::Input, lacking(file, &recognition.obstacles));
        }
        if let Some(edition) = recognition.edition {
            notes.push(note_edition(edition, manifest.as_ref()));
        }
        let rustc = self.limited(&recogniser, &recognition)?;
        let rustc = self.with_variables(&recogniser, &recognition, rustc)?;
        let strictness = self.args.strictness.unwrap_or_default();
        let oracle = FoundOracle::Rustc(RustcOracle { rustc, strictness, ..recognition.oracle });
        Ok(FailureToKeep { oracle, notes, program: self.program.clone() })
    }

    /// Runs the program, which compiles.
    fn run_program(&self, rustc: &Rustc, cancel: &Cancel) -> Result<Option<run::Recognised>, Failed> {
        let read = |path: &PathBuf| {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
            bytes.map(Arc::from).map_err(|error| Failed::new(Exit::Input, error))
        };
        let stdin = self.args.stdin.as_ref().map(read).transpose()?;
        let (executor, program, timeout) = (self.executor, self.program, self.args.timeout);
        let recogniser = run::RunRecogniser { executor, program, stdin, timeout, cancel };
        let wanted = self.args.target().map_or(run::Wanted::Anything, run::Wanted::This);
        let found = recogniser.recognise(rustc, &wanted).map_err(|error| self.unrecognised(error))?;
        Ok(Some(found))
    }

    /// The program with the files that rustc looked for and that stand around it: those whose names a macro makes.
    fn with_files(&self, obstacles: &[Obstacle]) -> Option<Program> {
        let folder = self.program.folder_at(self.given.file);
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
            let file = (is_inside && is_new).then(|| read_file(&folder.join(name)).ok().flatten()).flatten();
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
        let given = self.args.rustc.as_deref();
        let compiler = programs::rustc(given, self.toolchain).map_err(check)?;
        let called = programs::called(given, self.toolchain, &compiler);
        let way = |headers| Rustc::new(compiler.clone(), headers, self.args.rustc_args(), &folder);
        Ok(headers.iter().map(|headers| way(headers).naming(self.program).called(called.clone())).collect())
    }

    /// The same rustc, with the limit of memory that the failure needs, if it needs one.
    ///
    /// # Errors
    /// When the failure is due to that limit.
    fn limited(&self, recogniser: &Recogniser<'_>, recognition: &Recognition) -> Result<Rustc, Failed> {
        let oracle = &recognition.oracle;
        let limit = self.args.memory.unwrap_or_default();
        let Some(bytes) = limit.0.filter(|_| !oracle.failure.is_in_program()) else { return Ok(oracle.rustc.clone()) };
        let plain = Stderr::read(&recognition.result.stderr).plain;
        let ran_out = plain.iter().any(|line| OUT_OF_MEMORY.iter().any(|words| line.contains(words)));
        let due = match self.args.memory {
            // A limit that was asked for: what comes of the usual one?
            Some(_) => {
                let usual = self.args.sandbox.processes(None)?;
                let recogniser = Recogniser { executor: &*usual, ..*recogniser };
                let shows = recogniser.shows(&oracle.rustc, &oracle.failure);
                !shows.map_err(|error| self.unrecognised(error))?
            }
            None => ran_out,
        };
        if !due {
            return Ok(oracle.rustc.clone());
        }
        if !self.args.force {
            let error = anyhow!(
                "the failure comes from the limit of {} MiB of memory that mcve sets: {}\nset another one by --memory, or keep this failure by --force",
                bytes >> 20,
                oracle.failure
            );
            return Err(Failed::new(Exit::NotFailing, error));
        }
        Ok(Rustc { memory: Some(bytes), ..oracle.rustc.clone() })
    }

    /// The same rustc, with those of the variables that mcve was started with that the failure needs, and without the others.
    fn with_variables(
        &self,
        recogniser: &Recogniser<'_>,
        recognition: &Recognition,
        mut rustc: Rustc,
    ) -> Result<Rustc, Failed> {
        for name in VARIABLES.into_iter().chain([LIBRARIES]) {
            let Some(value) = std::env::var_os(name) else { continue };
            let without = rustc.without(name);
            // A compiler that cannot even start without it is a compiler that needs it.
            let is_needless = match recogniser.shows(&without, &recognition.oracle.failure) {
                Ok(shows) => shows,
                Err(Unrecognised::Exec(_)) => false,
                Err(error) => return Err(self.unrecognised(error)),
            };
            rustc = match is_needless {
                // A compiler that has started cannot do without what was looked at before.
                true if name.starts_with("LD_") => rustc,
                true => without,
                false => rustc.with_variable(name, value),
            };
        }
        Ok(rustc)
    }
}

/// What to say of an edition that mcve chose.
fn note_edition(edition: &str, manifest: Option<&(String, PathBuf)>) -> String {
    let why = match manifest {
        Some((said, path)) if said == edition => format!("as {} says", path.display()),
        _ => "the newest one in which the file shows the fewest errors".to_owned(),
    };
    format!("edition: {edition}, {why}")
}

/// What rustc wrote as a person sees it.
fn rendered(result: &JobResult) -> JobResult {
    let stderr = Stderr::read(&result.stderr);
    let errors = stderr.diagnostics.iter().filter(|diagnostic| diagnostic.is_user_error());
    let text: String = errors.filter_map(|error| error.rendered.clone()).collect();
    JobResult { stderr: text.into(), ..result.clone() }
}

/// Whether a program is likely Rust: by its name, or as all of it can be parsed.
fn is_rust(program: &Program) -> bool {
    let is_named = program.name.extension().is_some_and(|extension| extension == "rs");
    is_named || mcve_transforms::Source::parse(&*program.text).understanding() == mcve_transforms::Understanding::Full
}

fn not_rust(file: &Path) -> anyhow::Error {
    let name = file.display();
    anyhow!(
        "{name} is not Rust: to reduce it as text, say by --test SCRIPT or by a command when the failure is there; to compile it all the same: --force"
    )
}

fn lacking(file: &Path, obstacles: &[Obstacle]) -> anyhow::Error {
    let name = file.display();
    let lines: String = obstacles.iter().map(|obstacle| format!("\n  {obstacle}")).collect();
    anyhow!("{name} is not all of its program:{lines}\nto reduce it with these errors: --force")
}

/// Why a file is refused whose headers ask for more than is allowed.
fn untrusted(refused: &BTreeSet<&Refused>, file: &Path) -> anyhow::Error {
    let name = file.display();
    let lines: String = refused.iter().map(|refused| format!("\n  {refused}")).collect();
    anyhow!(
        "{name} asks by its headers for what may run, load or write something:{lines}\nto follow them, if you trust the file: --trust-headers"
    )
}

/// What to say of headers that are not followed.
///
/// # Errors
/// When there are some without which another program is compiled.
fn note_headers(headers: &[Headers], program: &Program, file: &Path, force: bool) -> Result<Option<String>, Failed> {
    let names = |of: fn(&Headers) -> &BTreeSet<String>| {
        let names: BTreeSet<&String> = headers.iter().flat_map(of).collect();
        names.into_iter().map(|name| format!("`//@ {name}`")).collect::<Vec<_>>().join(", ")
    };
    let (unsupported, unknown) = (names(|headers| &headers.unsupported), names(|headers| &headers.unknown));
    let crates = || headers.iter().flat_map(|headers| &headers.crates);
    if crates().next().is_some() && program.crates().is_empty() && !force {
        let names: BTreeSet<&str> = crates().map(|needed| &*needed.file).collect();
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        let name = file.display();
        let error = anyhow!(
            "{name} needs other crates, and their files are not all there: {names}, in the folder auxiliary beside it; to reduce it without them: --force"
        );
        return Err(Failed::new(Exit::Input, error));
    }
    let refused: BTreeSet<&Refused> = headers.iter().flat_map(|headers| &headers.refused).collect();
    if !refused.is_empty() {
        return Err(Failed::new(Exit::Input, untrusted(&refused, file)));
    }
    if !unsupported.is_empty() && !force {
        let name = file.display();
        let error = anyhow!(
            "{name} needs other crates by {unsupported}, which mcve does not follow: compile them and name them by `-- --extern NAME=PATH`; to reduce it without them: --force"
        );
        return Err(Failed::new(Exit::Input, error));
    }
    let all = [unsupported, unknown].into_iter().filter(|names| !names.is_empty()).collect::<Vec<_>>().join(", ");
    Ok((!all.is_empty()).then(|| format!("headers that mcve does not follow: {all}")))
}

/// The first lines of what a check printed.
pub(super) fn excerpt(result: &JobResult) -> String {
    let text = [&result.stdout[..], &result.stderr[..]].map(String::from_utf8_lossy).concat();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut shown: Vec<String> = lines.by_ref().take(SHOWN).map(|line| format!("  {}", shorten(line))).collect();
    match lines.count() {
        0 if shown.is_empty() => shown.push("  (it printed nothing)".to_owned()),
        0 => {}
        more => shown.push(format!("  .. and {more} more lines")),
    }
    if result.end == End::TimedOut {
        shown.push("  (it did not end in time)".to_owned());
    }
    shown.join("\n")
}

fn shorten(line: &str) -> String {
    const LONGEST: usize = 200;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line.to_owned(),
    }
}

/// Arguments that are a command and not rustc's.
pub(super) fn is_command(args: &[OsString]) -> bool {
    args.iter().any(|arg| arg.to_string_lossy().contains("{}"))
}
