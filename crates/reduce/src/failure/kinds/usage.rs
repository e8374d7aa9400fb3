//! The oracle of time and memory: the compiler or the program takes too much.
//!
//! Processor time is measured, and not that of a clock, so that a busy machine changes nothing. A candidate must exceed the bound
//! by a margin: without it, the search would end just above the bound, where the next run is below.
//!
//! The search need not wait for all of the time of a compiler: a likely answer ends sooner, and what is written is confirmed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;

use super::kind::{Ask, FailureKind};
use super::run_with::{Checked, RunWith, SECONDS};
use crate::exec::job::{End, Job, JobResult, Likely, Step, Usage as Used, Word};
use crate::failure::config::CompilerConfig;
use crate::failure::error::FailureError;
use crate::failure::spec::Bound;
use crate::oracle::diagnostics::Stderr;
use crate::oracle::failure::Failure;
use crate::oracle::fingerprint::OtherFailure;
use crate::oracle::identity::name;
use crate::oracle::run::{Runner, TIMES};
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::{File, Program};

/// rustc, or the program if it is run, takes too much.
#[derive(Clone, Debug)]
pub(in crate::failure) struct Usage {
    bound: Bound,
    run: Option<RunWith>,
    /// The configuration that it is compared with.
    other: Option<CompilerConfig>,
    allow_errors: bool,
}

impl Usage {
    /// rustc does not end within this processor time.
    pub(in crate::failure) fn hang_of_compiler(bound: Duration) -> Self {
        Self { bound: Bound::Hangs(bound), run: None, other: None, allow_errors: false }
    }
}

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    for bound in &ask.spec.bounds {
        match (bound, ask.run()) {
            (Bound::Times(_), Some(_)) => {
                return Err(FailureError::conflict(
                    "a multiple compares how long rustc takes, and a program is run",
                    "give a time, such as --slower-than 2s",
                ));
            }
            // This case has a kind of its own.
            (Bound::Hangs(_), Some(_)) => {}
            (bound, run) => {
                let (other, allow_errors) = (ask.passes_with.clone(), ask.spec.allow_errors);
                kinds.push(Arc::new(Usage { bound: *bound, run, other, allow_errors }));
            }
        }
    }
    Ok(())
}

impl FailureKind for Usage {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let measured = Checked::new(self.runner(rustc), rustc.clone(), seen);
        let other = self.other.as_ref().map(|config| config.of(rustc));
        let errors = seen.filter(|_| !self.allow_errors).map(UsageOracle::errors);
        Arc::new(UsageOracle { measured, bound: self.bound, other, end: seen.map(|seen| seen.end), errors })
    }

    fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        let runner = self.run.as_ref()?.runner(rustc);
        let seconds = match self.bound {
            Bound::Slower(bound) => SECONDS.max(bound.as_secs() * u64::from(TIMES) + 1),
            _ => runner.seconds,
        };
        Some(Runner { seconds, ..runner })
    }

    fn is_of_run(&self) -> bool {
        self.run.is_some()
    }

    fn ways(&self, rustc: &Rustc) -> Vec<Rustc> {
        if self.run.is_none() { rustc.checking() } else { vec![rustc.clone()] }
    }
}

/// The factor by which a candidate must be above the bound.
const MARGIN: f64 = 1.1;

/// A compiler that has not ended after the processor time of a hang divided by this, or after this time, most likely hangs.
const LIKELY_PART: u32 = 10;
const LIKELY: Duration = Duration::from_millis(500);

/// An empty program, for comparison, and what compiling it leaves.
const EMPTY: [&str; 2] = [".mcve-empty.rs", ".mcve-empty"];

/// Options that are not those of the empty program.
const OF_PROGRAM: [&str; 2] = ["--crate-type=", "--crate-name="];

/// Does it still take too much?
#[derive(Clone, Debug)]
struct UsageOracle {
    measured: Checked,
    bound: Bound,
    /// The configuration that it is compared with; none: an empty program.
    other: Option<Rustc>,
    /// How the unreduced program ended, once it is known.
    end: Option<End>,
    /// The names of the errors that a candidate may have; none if it may have any.
    errors: Option<BTreeSet<String>>,
}

impl UsageOracle {
    fn comparison(&self, program: &Program, files: &mut Vec<(PathBuf, File)>) -> Step {
        let (argv, reads) = match &self.other {
            Some(rustc) => (rustc.job(program).argv, files.iter().map(|(path, _)| path.clone()).collect()),
            None => {
                let empty = Program::new(EMPTY[0], "fn main() {}\n");
                files.push((EMPTY[0].into(), Arc::clone(&empty.text).into()));
                let mut rustc = self.measured.rustc().clone();
                rustc.args.retain(|arg| !OF_PROGRAM.iter().any(|name| arg.to_string_lossy().starts_with(name)));
                rustc.args.push("--crate-name=empty".into());
                (rustc.job(&empty).argv, vec![EMPTY[0].into()])
            }
        };
        let (mut argv, output): (Vec<Word>, PathBuf) = (argv, EMPTY[1].into());
        argv.splice(1..1, ["-o", EMPTY[1]].map(|word| Word::Text(word.into())));
        Step { argv, reads, output }
    }

    /// The processor time after which a compiler most likely takes too much; none if that is not known before it ends.
    fn likely(&self) -> Option<Duration> {
        match (&self.measured, self.bound) {
            (Checked::Compiler(_), Bound::Hangs(bound)) => Some((bound / LIKELY_PART).max(LIKELY)),
            (Checked::Compiler(_), Bound::Slower(bound)) => Some(bound.mul_f64(MARGIN)),
            _ => None,
        }
    }

    /// The time and the memory that `result` shows, with the time that it is compared with.
    fn words(&self, result: &JobResult) -> Option<String> {
        let usage = result.usage?;
        let seconds = |usage: Used| format!("{:.2} s of a processor", usage.processor.as_secs_f64());
        let words = format!("{}, {} MiB", seconds(usage), usage.memory >> 20);
        Some(match (self.bound, result.step_usage) {
            (Bound::Times(_), Some(other)) => format!("{words}; {} {}", self.compared_with(), seconds(other)),
            _ => words,
        })
    }

    fn compared_with(&self) -> &'static str {
        if self.other.is_some() { "the other way takes" } else { "an empty program takes" }
    }

    /// The names of the errors that the compiler reports.
    fn errors(result: &JobResult) -> BTreeSet<String> {
        Stderr::read(&result.stderr).errors().map(name).collect()
    }

    /// Whether the usage is above the bound by the margin.
    fn exceeds(&self, usage: Used, step: Option<Used>) -> bool {
        let seconds = usage.processor.as_secs_f64();
        match self.bound {
            Bound::Hangs(_) => false,
            Bound::Slower(bound) => seconds >= bound.as_secs_f64() * MARGIN,
            Bound::Times(times) => {
                step.is_some_and(|step| seconds >= step.processor.as_secs_f64().max(0.001) * times * MARGIN)
            }
            Bound::Memory(bound) => usage.memory as f64 >= bound as f64 * MARGIN,
        }
    }
}

impl Oracle for UsageOracle {
    fn job(&self, program: &Program) -> Job {
        let mut job = match (&self.measured, self.bound) {
            (Checked::Compiler(rustc), Bound::Hangs(bound)) => {
                let job = rustc.job(program);
                let line = format!("ulimit -c 0; ulimit -S -t {}; exec \"$0\" \"$@\"", bound.as_secs());
                let argv = ["sh", "-c", &line].map(|word| Word::Text(word.into()));
                let argv = argv.into_iter().chain(job.argv).collect();
                // A deadlock takes no processor time.
                Job { argv, waiting: Some(bound), ..job }
            }
            (checked, _) => checked.job(program),
        };
        if let (Bound::Times(_), Checked::Compiler(_)) = (self.bound, &self.measured) {
            let step = self.comparison(program, &mut job.files);
            job.steps.push(step);
        }
        let likely = self.likely().map(|limit| {
            let (files, steps) = (job.files.clone(), job.steps.clone());
            let waiting = job.waiting.map(|_| limit);
            Box::new(Likely { files, steps, processor: Some(limit), waiting })
        });
        Job { is_measured: true, likely: likely.or(job.likely), ..job }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.failed_step.is_some() {
            return Verdict::unresolved("it does not compile in the way that it is compared with");
        }
        let new_error = self.errors.as_ref().and_then(|known| Self::errors(result).difference(known).next().cloned());
        if let (Checked::Compiler(_), Some(error)) = (&self.measured, new_error) {
            return Verdict::unresolved(format!("new error {error}"));
        }
        if self.likely().is_some() && result.end == End::Signalled(Signal::PROF.as_raw()) {
            return Verdict::fail("it most likely takes too long");
        }
        if let Bound::Hangs(_) = self.bound {
            return match result.end {
                End::Signalled(signal) if signal == Signal::XCPU.as_raw() => Verdict::fail("it hangs"),
                End::Exited(0) => Verdict::pass("it ends"),
                other => Verdict::unresolved(other.to_string()),
            };
        }
        let (Some(usage), Some(words)) = (result.usage, self.words(result)) else {
            return Verdict::unresolved("what a process uses cannot be measured here");
        };
        match (self.exceeds(usage, result.step_usage), result.end) {
            (true, end) if self.end.is_none_or(|expected| expected == end) && end != End::TimedOut => {
                Verdict::fail(words)
            }
            (false, End::Exited(0)) => Verdict::pass(words),
            (_, end) => Verdict::unresolved(format!("{end}, {words}")),
        }
    }

    fn failure(&self) -> FailureId {
        let who = if self.measured.is_run() { "the program" } else { "rustc" };
        let words = match self.bound {
            Bound::Hangs(bound) => {
                format!("{who} does not end in {} of processor time", humantime::format_duration(bound))
            }
            Bound::Slower(bound) => {
                format!("{who} takes more than {} of processor time", humantime::format_duration(bound))
            }
            Bound::Times(times) => format!("{who} takes more than {times} times what {}", self.compared_with()),
            Bound::Memory(bytes) => format!("{who} has more than {} MiB of memory", bytes >> 20),
        };
        words.into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.measured.command(program, path)
    }

    fn properties(&self) -> Properties {
        let is_compiler = !self.measured.is_run();
        let is_of_usage = !matches!(self.bound, Bound::Hangs(_));
        Properties { runs_candidates: !is_compiler, is_crash: is_compiler, is_of_usage, ..Properties::default() }
    }

    fn message(&self, result: &JobResult) -> Option<String> {
        self.words(result)
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        let is_offered = match which {
            // A compiler that does not end gives none.
            CompilerJob::Hints => !matches!((&self.measured, self.bound), (Checked::Compiler(_), Bound::Hangs(_))),
            CompilerJob::Layout => true,
            CompilerJob::Errors => self.measured.is_run(),
            CompilerJob::Output => false,
        };
        is_offered.then(|| which.by(self.measured.rustc(), program))
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        let is_compiler = !self.measured.is_run() || result.failed_step.is_some();
        OtherFailure::of_compiler(&Failure::recognise(result).filter(|_| is_compiler)?)
    }
}
