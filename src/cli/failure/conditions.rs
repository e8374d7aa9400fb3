//! What was asked for besides the failure: conditions, each found on the unreduced program.

use anyhow::{Context, anyhow};

use super::Search;
use super::found::{Asked, FoundOracle, Held};
use super::kinds::{Kind, RunWith, Side};
use crate::check::watch::Watch;
use crate::cli::exit::{Exit, Failed};
use crate::cli::kind_args::{Tool, Unwanted};
use crate::cli::way::OtherWay;
use crate::cli::work::stopped;
use crate::exec::cancel::Cancel;
use crate::exec::shim::Changes;
use crate::exec::{programs, stream, tool};
use crate::modes::recognise::Recognised;
use crate::modes::recognise_run as run;
use crate::oracle::formatter::Formatter;
use crate::oracle::run::{Stdin, Target};
use crate::oracle::rustc::Rustc;
use crate::oracle::usage::Bound;

/// A condition that does not hold.
pub(in crate::cli) struct Unmet {
    pub(in crate::cli) why: String,
    /// The command that shows it.
    pub(in crate::cli) command: String,
}

impl Search<'_> {
    /// The kinds of failure that were asked for, the failure itself first.
    ///
    /// # Errors
    /// When a file or a program that they need is not there.
    pub(super) fn kinds(&self) -> Result<Vec<Kind>, Failed> {
        let args = &self.args.failure.kinds;
        let stdin = self.stdin()?;
        let target = self.args.target();
        let run = |target: &Option<Target>| target.clone().map(|target| RunWith { target, stdin: stdin.clone() });
        if let (Some(Bound::Times(_)), Some(_)) = (args.slower_than, &target) {
            let error = anyhow!(
                "--slower-than Nx compares how long rustc takes; for a program that is run give a time, such as --slower-than 2s"
            );
            return Err(Failed::new(Exit::Usage, error));
        }
        let other = args.passes_with.first().map(|way| self.with_compiler(way)).transpose()?;
        let mut kinds: Vec<Kind> = Vec::new();
        let usage = |bound| match (bound, run(&target)) {
            (Bound::Hangs(bound), Some(run)) => Kind::Hangs(bound, run, true),
            (_, run) => Kind::Usage(bound, run, other.clone()),
        };
        kinds.extend(args.bounds().into_iter().map(usage));
        if !args.differs.is_empty() {
            let side = |text: &String| {
                if text.contains("{}") {
                    return Ok(Side::Command(text.clone()));
                }
                let way: OtherWay = text.parse().map_err(|error: String| Failed::new(Exit::Usage, anyhow!(error)))?;
                Ok(Side::Way(self.with_compiler(&way)?))
            };
            let sides = args.differs.iter().map(side).collect::<Result<_, Failed>>()?;
            let Target::Main(words) = target.clone().unwrap_or(Target::Main(Vec::new())) else {
                let error = anyhow!("--differs compares what `main` does: it cannot be given with --test-name");
                return Err(Failed::new(Exit::Usage, error));
            };
            kinds.push(Kind::Differs(sides, words, stdin.clone()));
        }
        if let Some(tool) = args.tool.filter(|tool| !tool.is_compiler()) {
            kinds.push(Kind::Formatter(Formatter { program: self.tool(tool)?, writes: tool == Tool::Rustfmt }));
        }
        let main = || RunWith { target: Target::Main(Vec::new()), stdin: stdin.clone() };
        kinds.extend(args.prints.iter().map(|text| Kind::Prints(text.clone(), run(&target).unwrap_or_else(main))));
        kinds.extend(args.expands_to.iter().map(|pattern| Kind::Expands(pattern.clone())));
        let wanted = self.args.failure.wanted_diagnostics();
        // By themselves they are found more cheaply.
        if !wanted.is_empty() && (!kinds.is_empty() || target.is_some()) {
            kinds.push(Kind::Says(wanted));
        }
        Ok(kinds)
    }

    /// Another way of compiling with its compiler, or with the tool beside it that was asked for.
    pub(super) fn with_compiler(&self, way: &OtherWay) -> Result<OtherWay, Failed> {
        way.clone().found(self.args.failure.kinds.tool)
    }

    /// What has to hold besides what a script or a command says, where `rustc` is how the program is likely compiled.
    ///
    /// # Errors
    /// When something that is needed is not there, or the run is called off.
    pub(in crate::cli) fn conditions_of(&self, rustc: &Rustc) -> Result<Result<Vec<Held>, Unmet>, Failed> {
        let watch = Watch::begin(self.limits).context("cannot start a thread");
        let watch = watch.map_err(|error| Failed::new(Exit::Check, error))?;
        let kinds = self.kinds()?;
        self.conditions(rustc, None, &kinds, watch.cancel())
    }

    /// What has to hold besides a failure that `base` shows, where `asked` are the kinds that are not the failure itself; else the first
    /// that does not hold.
    pub(super) fn conditions(
        &self,
        base: &Rustc,
        failure: Option<&FoundOracle>,
        asked: &[Kind],
        cancel: &Cancel,
    ) -> Result<Result<Vec<Held>, Unmet>, Failed> {
        let args = &self.args.failure.kinds;
        let runner = failure.and_then(FoundOracle::runner);
        let stdin = self.stdin()?;
        let main = || RunWith { target: self.args.target().unwrap_or(Target::Main(Vec::new())), stdin: stdin.clone() };
        let mut wanted: Vec<(Option<OtherWay>, Kind, bool)> = Vec::new();
        for way in &args.passes_with {
            wanted.push((Some(self.with_compiler(way)?), Kind::Accepted(runner.clone()), false));
        }
        wanted.extend(asked.iter().map(|kind| (None, kind.clone(), false)));
        for unwanted in &args.not {
            wanted.push(match unwanted {
                Unwanted::Says(said) => (None, Kind::Says(said.clone()), true),
                Unwanted::Accepted(way) => (Some(self.with_compiler(way)?), Kind::Accepted(runner.clone()), true),
                Unwanted::Prints(text) => (None, Kind::Prints(text.clone(), main()), true),
                Unwanted::Expands(pattern) => (None, Kind::Expands(pattern.clone()), true),
            });
        }
        let mut held = Vec::new();
        for (way, kind, is_negated) in wanted {
            let rustc = way.as_ref().map_or_else(|| base.clone(), |way| way.of(base));
            // That it is not said how it ended at the beginning: the next check says the same or more.
            let result = self.result(&*kind.oracle(&rustc, None), cancel)?;
            let oracle = FoundOracle::Asked(Asked { kind, rustc: rustc.clone(), result: result.clone() });
            let condition = Held { way, oracle, is_negated };
            let judge = condition.by(base);
            if let Some(why) = judge.broken(&result) {
                let command = self.given.by_hand(&|path| judge.oracle.command(self.program, path));
                return Ok(Err(Unmet { why, command }));
            }
            held.push(condition);
        }
        // The first one is how the failure itself was found, unless a script says what that is.
        for way in args.fails_with.iter().skip(usize::from(failure.is_some())) {
            let way = self.with_compiler(way)?;
            let Some(oracle) = self.fails_in(&way, base, failure, cancel)? else {
                let command = self.given.by_hand(&|path| way.of(base).command(self.program, path));
                return Ok(Err(Unmet { why: format!("with `{way}` it does not fail"), command }));
            };
            held.push(Held { way: Some(way), oracle, is_negated: false });
        }
        Ok(Ok(held))
    }

    /// The failure that is there in another way of compiling as well; none if none is.
    fn fails_in(
        &self,
        way: &OtherWay,
        base: &Rustc,
        failure: Option<&FoundOracle>,
        cancel: &Cancel,
    ) -> Result<Option<FoundOracle>, Failed> {
        let rustc = way.of(base);
        match failure {
            Some(FoundOracle::Run(oracle)) => {
                let wanted = run::Wanted::This(oracle.runner.target.clone());
                let found = self.run_recogniser(cancel)?.recognise(&rustc, &wanted);
                Ok(match found.map_err(|error| self.unrecognised(error))? {
                    run::Recognised::Fails(oracle) => Some(FoundOracle::Run(*oracle)),
                    _ => None,
                })
            }
            Some(FoundOracle::Diagnostic(oracle)) => {
                let found = self.recogniser(cancel).recognise_diagnostics(&[rustc], &[], &oracle.wanted, oracle.detail);
                Ok(found.map_err(|error| self.unrecognised(error))?.ok().map(FoundOracle::Diagnostic))
            }
            Some(FoundOracle::Asked(asked)) => {
                let found = self.find_kind(&asked.kind, &[rustc], &[], cancel)?;
                Ok(found.ok().map(FoundOracle::Asked))
            }
            _ => {
                let found =
                    self.recogniser(cancel).recognise(&[rustc], &[]).map_err(|error| self.unrecognised(error))?;
                let Recognised::Fails(recognition) = found else { return Ok(None) };
                let is_same = match failure {
                    // In another version of the compiler it is elsewhere.
                    Some(FoundOracle::Rustc(first)) => first.failure.kind == recognition.oracle.failure.kind,
                    _ => true,
                };
                Ok(is_same.then_some(FoundOracle::Rustc(recognition.oracle)))
            }
        }
    }

    /// What is put on the standard input of the program.
    pub(super) fn stdin(&self) -> Result<Option<Stdin>, Failed> {
        let Some(path) = &self.args.failure.stdin else { return Ok(None) };
        let bytes = stream::read(path, usize::MAX).with_context(|| format!("cannot read {}", path.display()));
        self.limits.proceed().map_err(stopped)?;
        bytes
            .map(|bytes| Some(Stdin { bytes: bytes.into(), path: path.clone() }))
            .map_err(|error| Failed::new(Exit::Input, error))
    }

    /// The option by which Miri finds a standard library that it can interpret.
    pub(super) fn miri_sysroot(&self) -> Result<std::ffi::OsString, Failed> {
        let failed = |error| Failed::new(Exit::Check, error);
        let cargo = programs::find("cargo".as_ref()).map_err(failed)?;
        let toolchain = self.toolchain.map(|toolchain| format!("+{toolchain}").into());
        let words: Vec<std::ffi::OsString> =
            toolchain.into_iter().chain(["miri", "setup", "--print-sysroot"].map(Into::into)).collect();
        let output =
            tool::output(&cargo, &words, &Changes::new()).context("cannot run `cargo miri setup`").map_err(failed)?;
        let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(format!("--sysroot={path}").into())
    }

    /// The program of a tool: that of the toolchain, or else one that stands in `PATH`.
    pub(super) fn tool(&self, tool: Tool) -> Result<std::path::PathBuf, Failed> {
        let name = tool.program();
        let rustc = programs::rustc(None, self.toolchain).map_err(|error| Failed::new(Exit::Check, error))?;
        let beside = rustc.with_file_name(name);
        if beside.is_file() {
            return Ok(beside);
        }
        let missing = || format!("{name} is not installed: `rustup component add {}`", tool.component());
        programs::installed(name.as_ref()).with_context(missing).map_err(|error| Failed::new(Exit::Check, error))
    }
}
