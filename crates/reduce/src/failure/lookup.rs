//! Finds the failure of a lone file, by its arguments, its headers and the nearest manifest.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::compiler::{Recogniser, Unrecognised, editions, tries};
use super::config::CompilerConfig;
use super::error::{Cause, FailureError};
use super::held::{Asked, Found, FoundOracle};
use super::kinds::{Ask, FailureKind, KINDS, default_versions};
use super::run::RunRecogniser;
use super::spec::{FailureSpec, Unwanted};
use super::subject::Subject;
use crate::exec::cancel::Cancel;
use crate::exec::job::{Executor, Job, JobResult};
use crate::exec::stream;
use crate::oracle::Oracle;
use crate::oracle::diagnostic::DiagnosticOracle;
use crate::oracle::entry::has_main;
use crate::oracle::headers::{Headers, Refused};
use crate::oracle::run::Stdin;
use crate::oracle::rustc::Rustc;
use crate::program::{Program, looks_like_rust};
use crate::project::manifest;
use crate::session::Session;
use mcve_dd::outcome::Outcome;

/// Finds the failure of a lone file.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) spec: &'a FailureSpec,
    pub(super) subject: Subject<'a>,
    pub(super) program: &'a Program,
    pub(super) session: &'a Session,
    /// Runs rustc, or knows the result already.
    pub(super) executor: &'a dyn Executor,
    pub(super) cancel: &'a Cancel,
    /// Whether a program that compiles may be run.
    pub(super) may_run: bool,
}

/// The inputs of a search for a failure.
#[derive(Clone, Copy)]
pub(super) struct By<'a> {
    /// How rustc is run, for each revision of the file.
    pub(super) ways: &'a [Rustc],
    /// The editions to try if the arguments name none.
    pub(super) editions: &'a [&'static str],
    /// The edition in the nearest manifest, and the path of the manifest.
    pub(super) manifest: Option<&'a (String, PathBuf)>,
    /// The requested kinds, the failure itself first.
    pub(super) kinds: &'a [Arc<dyn FailureKind>],
}

impl By<'_> {
    /// The note on an edition that was chosen.
    pub(super) fn note(&self, edition: &str) -> String {
        match self.manifest.filter(|(named, _)| named == edition) {
            Some((_, path)) => format!("edition: {edition}, as {} says", path.display()),
            None => format!("edition: {edition}, the newest one in which the file shows the fewest errors"),
        }
    }
}

impl Lookup<'_> {
    /// Finds the failure and its conditions.
    pub(super) fn run(&self) -> Result<Found, FailureError> {
        if !self.spec.force && !is_rust(self.program) {
            return Err(Cause::NotRust.into());
        }
        let headers = match self.spec.incremental {
            true => vec![Headers::of_all(&self.program.root(), self.spec.trust)],
            false => Headers::revisions(&self.program.root(), self.spec.trust),
        };
        let note = self.check_headers(&headers)?;
        let ways = self.ways(&headers)?;
        let manifest = manifest::edition(self.subject.file);
        let editions = match self.program.edition() {
            Some(_) => Vec::new(),
            None => editions(manifest.as_ref().map(|(edition, _)| edition.as_str())),
        };
        let kinds = self.kinds()?;
        let by = By { ways: &ways, editions: &editions, manifest: manifest.as_ref(), kinds: &kinds };
        let found =
            if self.spec.has_no_kinds() && kinds.is_empty() { self.find(by) } else { self.find_with_conditions(by) };
        let mut found = match found {
            Err(error) if self.spec.incremental && is_absent(&error) => self.with_version(by, error)?,
            found => found?,
        };
        found.notes.splice(0..0, note);
        let found = self.with_reason(found)?;
        self.with_validity(found)
    }

    /// The note on headers that are not followed. Fails if the compiled program would be a different one without some of them.
    fn check_headers(&self, headers: &[Headers]) -> Result<Option<String>, FailureError> {
        let names = |of: fn(&Headers) -> &BTreeSet<String>| {
            let names: BTreeSet<&String> = headers.iter().flat_map(of).collect();
            names.into_iter().map(|name| format!("`//@ {name}`")).collect::<Vec<_>>().join(", ")
        };
        let (unsupported, unknown) = (names(|headers| &headers.unsupported), names(|headers| &headers.unknown));
        let crates: BTreeSet<&str> =
            headers.iter().flat_map(|headers| &headers.crates).map(|needed| &*needed.file).collect();
        if !crates.is_empty() && self.program.crates().is_empty() && !self.spec.force {
            let names = crates.into_iter().collect::<Vec<_>>().join(", ");
            return Err(Cause::MissingCrates(names).into());
        }
        let refused: BTreeSet<&Refused> = headers.iter().flat_map(|headers| &headers.refused).collect();
        if !refused.is_empty() {
            return Err(Cause::Untrusted(refused.iter().map(ToString::to_string).collect()).into());
        }
        if !unsupported.is_empty() && !self.spec.force {
            return Err(Cause::UnsupportedHeaders(unsupported).into());
        }
        let all = [unsupported, unknown].into_iter().filter(|names| !names.is_empty()).collect::<Vec<_>>().join(", ");
        Ok((!all.is_empty()).then(|| format!("headers that mcve does not follow: {all}")))
    }

    /// The failures that were requested by name, the failure itself first.
    pub(super) fn kinds(&self) -> Result<Vec<Arc<dyn FailureKind>>, FailureError> {
        let (ask, mut kinds) = (self.ask()?, Vec::new());
        KINDS.iter().try_for_each(|add| add(&ask, &mut kinds))?;
        Ok(kinds)
    }

    pub(super) fn ask(&self) -> Result<Ask<'_>, FailureError> {
        let passes_with = self.spec.passes_with.first().map(|config| self.other_config(config)).transpose()?;
        let (spec, stdin, toolchain) = (self.spec, self.stdin()?, self.session.toolchain.as_deref());
        Ok(Ask { spec, stdin, passes_with, toolchain, versions: self.versions() })
    }

    /// The configuration besides that of the failure, with its compiler, and without the options with which it fails.
    pub(super) fn other_config(&self, config: &CompilerConfig) -> anyhow::Result<CompilerConfig> {
        config.without_options_of(self.spec.fails_with.first()).find(self.spec.tool)
    }

    /// The names of the versions of the program.
    pub(super) fn versions(&self) -> Vec<String> {
        let named = Headers::cfgs(&self.program.root());
        let default = || default_versions(self.spec.run_target().is_some()).map(str::to_owned).to_vec();
        if named.is_empty() { default() } else { named }
    }

    /// The failure in the first of the editions in which all conditions hold.
    pub(super) fn find_with_conditions(&self, by: By<'_>) -> Result<Found, FailureError> {
        if by.editions.is_empty() || by.ways.iter().all(|way| way.edition().is_some()) {
            return self.find(by).and_then(|found| self.with_conditions(found, by));
        }
        let mut refused = None;
        for edition in by.editions {
            let by = By { editions: std::slice::from_ref(edition), ..by };
            match self.find(by).and_then(|found| self.with_conditions(found, by)) {
                Err(error) if is_absent(&error) => _ = refused.get_or_insert(error),
                other => return other,
            }
        }
        Err(refused.expect("there is an edition"))
    }

    /// The failure with its conditions: of several diagnostics that are asked for, the first with which they hold.
    fn with_conditions(&self, mut found: Found, by: By<'_>) -> Result<Found, FailureError> {
        let others = match by.kinds {
            // None of them is the failure itself, if the failure is one of a run.
            kinds if self.is_failure_of_run(kinds) => kinds,
            [] => &[],
            [_, others @ ..] => others,
        };
        let mut choices = vec![found.oracle.clone()];
        if let (FoundOracle::Diagnostic(oracle), []) = (&found.oracle, &found.conditions[..]) {
            let each = oracle.each(&self.result(oracle)?, self.program);
            choices = each.into_iter().map(FoundOracle::Diagnostic).collect();
        }
        let mut refused = None;
        for oracle in choices {
            match self.conditions(oracle.rustc(), Some(&oracle), others)? {
                Ok(conditions) => {
                    found.conditions.extend(conditions);
                    return Ok(Found { oracle, ..found });
                }
                Err(unmet) => _ = refused.get_or_insert(unmet),
            }
        }
        Err(refused.expect("the failure is one choice").error(Cause::Unmet))
    }

    /// Whether the failure itself is one of a run, so that all requested kinds are further conditions.
    fn is_failure_of_run(&self, kinds: &[Arc<dyn FailureKind>]) -> bool {
        self.spec.run_target().is_some() && !kinds.iter().any(|kind| kind.is_of_run())
    }

    /// An error that shows the command of a run of rustc.
    pub(super) fn refuse(&self, by: By<'_>, cause: Cause) -> FailureError {
        let tried = self.tries(by.ways, by.editions, false).next();
        let rustc = tried.unwrap_or_else(|| by.ways[0].clone());
        let command = self.subject.by_hand(&|path| rustc.command(self.program, path));
        FailureError { command: Some(command), ..cause.into() }
    }

    pub(super) fn recogniser(&self) -> Recogniser<'_> {
        let Self { executor, program, cancel, .. } = *self;
        let timeout = self.session.limits.timeout;
        // A run needs a program that compiles.
        let looks_elsewhere = self.spec.run_target().is_none();
        Recogniser { executor, program, timeout, allow_errors: self.spec.allow_errors, looks_elsewhere, cancel }
    }

    pub(super) fn run_recogniser(&self) -> Result<RunRecogniser<'_>, FailureError> {
        Ok(RunRecogniser { recogniser: self.recogniser(), stdin: self.stdin()? })
    }

    /// The failure requested by name, or else the one that the program shows, with the variables that it needs.
    fn find(&self, by: By<'_>) -> Result<Found, FailureError> {
        let found = self.find_failure(by)?;
        // The search may have found files that the program needs.
        let lookup = Lookup { program: &found.program, ..*self };
        let oracle = match found.oracle {
            FoundOracle::Diagnostic(oracle) if found.conditions.is_empty() => lookup.as_library(oracle)?,
            oracle => oracle,
        };
        Ok(Found { oracle: lookup.with_variables(oracle)?, ..found })
    }

    /// The failure of the program as a library, which needs no main function, if it shows there as well and nothing runs it.
    fn as_library(&self, oracle: DiagnosticOracle) -> Result<FoundOracle, FailureError> {
        let is_run = self.spec.unwanted.iter().any(|unwanted| matches!(unwanted, Unwanted::Prints(_)));
        if let Some(rustc) = oracle.rustc.of_type("lib").filter(|_| !is_run && self.spec.target.is_none()) {
            let library = DiagnosticOracle { rustc, ..oracle.clone() };
            if library.verdict(&self.result(&library)?).outcome == Outcome::Fail {
                return Ok(FoundOracle::Diagnostic(library));
            }
        }
        Ok(FoundOracle::Diagnostic(oracle))
    }

    fn find_failure(&self, by: By<'_>) -> Result<Found, FailureError> {
        if let Some(kind) = by.kinds.first().filter(|_| !self.is_failure_of_run(by.kinds)) {
            let asked = self.find_kind(kind, by.ways, by.editions)?;
            let asked = asked.map_err(|absent| absent.error(Cause::Absent))?;
            let oracle = asked.kind.oracle(&asked.rustc, Some(&asked.result));
            let used = oracle.message(&asked.result).map(|usage| format!("the input takes {usage}"));
            return Ok(self.found(FoundOracle::Asked(asked), used.into_iter().collect()));
        }
        let wanted = &self.spec.diagnostics;
        if wanted.is_empty() || self.spec.run_target().is_some() {
            if self.spec.suggestion.is_some() {
                return Err(FailureError::conflict(
                    "a wrong suggestion needs a diagnostic that makes it",
                    "--suggestion needs --lint, --code, --message or --at",
                ));
            }
            return self.find_any(by);
        }
        let recognised = self.recogniser().recognise_diagnostics(by.ways, by.editions, wanted, self.spec.detail()?);
        match (recognised.map_err(|error| self.unrecognised(error))?, self.spec.suggestion) {
            (Ok(oracle), Some(certainty)) => self.find_suggestion(by, oracle, certainty),
            (Ok(oracle), None) if self.spec.names_lint && self.spec.passes_with.is_empty() => self.find_lint(oracle),
            (Ok(oracle), None) => Ok(self.found(FoundOracle::Diagnostic(oracle), Vec::new())),
            (Err(missing), _) => {
                Err(self.refuse(by, Cause::Absent(format!("rustc says {}", missing.unwrap_or_default()))))
            }
        }
    }

    /// rustc in each of these ways and editions: for a library, if the program has no main function and `is_run` is false.
    pub(super) fn tries(&self, ways: &[Rustc], editions: &[&'static str], is_run: bool) -> impl Iterator<Item = Rustc> {
        let is_library = !is_run && !has_main(&self.program.root());
        let all = ways.iter().flat_map(move |way| tries(way, editions));
        all.map(move |(_, rustc)| rustc.of_type("lib").filter(|_| is_library).unwrap_or(rustc))
    }

    /// A failure of the program without conditions.
    pub(super) fn found(&self, oracle: FoundOracle, notes: Vec<String>) -> Found {
        Found { oracle, conditions: Vec::new(), notes, program: self.program.clone() }
    }

    /// Runs the program in each of these ways and editions until one shows a failure of this kind; else why the last does not.
    pub(super) fn find_kind(
        &self,
        kind: &Arc<dyn FailureKind>,
        ways: &[Rustc],
        editions: &[&'static str],
    ) -> Result<Result<Asked, Unmet>, FailureError> {
        let mut unmet = Unmet { why: String::new(), command: String::new() };
        let forms: Vec<Arc<dyn FailureKind>> = std::iter::once(Arc::clone(kind)).chain(kind.simpler()).collect();
        for rustc in self.tries(ways, editions, kind.is_of_run()).flat_map(|rustc| kind.ways(&rustc)) {
            for kind in &forms {
                let oracle = kind.oracle(&rustc, None);
                let result = self.result(&*oracle)?;
                let verdict = oracle.verdict(&result);
                if verdict.outcome == Outcome::Fail {
                    return Ok(Ok(Asked { kind: Arc::clone(kind), rustc, result }));
                }
                let command = self.subject.by_hand(&|path| oracle.command(self.program, path));
                unmet = Unmet { why: verdict.reason, command };
            }
        }
        Ok(Err(unmet))
    }

    pub(super) fn stdin(&self) -> Result<Option<Stdin>, FailureError> {
        let Some(path) = &self.spec.stdin else { return Ok(None) };
        let bytes = stream::read(path, usize::MAX).with_context(|| format!("cannot read {}", path.display()));
        self.session.limits.proceed()?;
        let bytes = bytes.map_err(Cause::Stdin)?;
        Ok(Some(Stdin { bytes: bytes.into(), path: path.clone() }))
    }

    /// The result of a check of the unreduced program.
    pub(super) fn result(&self, oracle: &dyn Oracle) -> Result<JobResult, FailureError> {
        self.result_of(&oracle.job(self.program))
    }

    pub(super) fn result_of(&self, job: &Job) -> Result<JobResult, FailureError> {
        self.try_result_of(job).map_err(|error| self.unrecognised(error))
    }

    /// The longest that a check may take.
    pub(super) fn limit(&self) -> Duration {
        self.recogniser().limit()
    }

    pub(super) fn try_result_of(&self, job: &Job) -> Result<JobResult, Unrecognised> {
        self.recogniser().run_job(job, self.limit())
    }

    pub(super) fn unrecognised(&self, error: Unrecognised) -> FailureError {
        match (error, self.session.limits.proceed()) {
            (Unrecognised::Exec(error), _) => error.into(),
            (Unrecognised::Cancelled, Err(stop)) => stop.into(),
            (Unrecognised::Cancelled, Ok(())) => unreachable!("only the end of the run calls it off"),
        }
    }
}

/// A requested condition that does not hold.
pub(super) struct Unmet {
    pub(super) why: String,
    /// The command that shows it.
    pub(super) command: String,
}

impl Unmet {
    pub(super) fn error(self, cause: impl FnOnce(String) -> Cause) -> FailureError {
        FailureError { command: Some(self.command), ..cause(self.why).into() }
    }
}

fn is_absent(error: &FailureError) -> bool {
    error.cause.class() == super::error::Class::NotFailing
}

/// Whether a program is likely Rust: its name says so and something in it looks like it, or all of it can be parsed.
fn is_rust(program: &Program) -> bool {
    let is_named = program.name.extension().is_some_and(|extension| extension == "rs");
    is_named && looks_like_rust(&program.text)
        || mcve_transforms::Source::parse(&*program.text).understanding() == mcve_transforms::Understanding::Full
}
