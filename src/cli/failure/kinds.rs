//! The kinds of failure that are asked for by name, and what they are on the unreduced program.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use regex::Regex;

use super::Search;
use super::found::Asked;
use crate::cli::exit::Failed;
use crate::cli::way::OtherWay;
use crate::dd::outcome::Outcome;
use crate::exec::cancel::Cancel;
use crate::exec::job::{End, Job, JobResult};
use crate::modes::recognise::Unrecognised;
use crate::oracle::Oracle;
use crate::oracle::accepted::AcceptedOracle;
use crate::oracle::compare::{Compare, CompilerConfig};
use crate::oracle::diagnostic::{DiagnosticOracle, Held};
use crate::oracle::entry::has_main;
use crate::oracle::expands::ExpandsOracle;
use crate::oracle::formatter::{Formatter, FormatterOracle};
use crate::oracle::hang::HangOracle;
use crate::oracle::identity::Detail;
use crate::oracle::prints::PrintsOracle;
use crate::oracle::run::{Runner, Stdin, TIMES, Target};
use crate::oracle::rustc::Rustc;
use crate::oracle::usage::{Bound, Measured, UsageOracle};
use crate::oracle::wanted::Wanted;

/// How long the first check may take when the user has not said how long a check may.
const PATIENCE: Duration = Duration::from_secs(600);

/// How many seconds of a processor a program may take that is not meant to hang.
const SECONDS: u64 = 60;

/// How the program is run.
#[derive(Clone, Debug)]
pub(in crate::cli) struct RunWith {
    pub(in crate::cli) target: Target,
    pub(in crate::cli) stdin: Option<Stdin>,
}

/// A kind of failure.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Kind {
    /// rustc, or the program if it is run, takes too much; compared with another way of compiling, if there is one.
    Usage(Bound, Option<RunWith>, Option<OtherWay>),
    /// The program does not end within this processor time, and says where it is then, if it can.
    Hangs(Duration, RunWith, bool),
    /// The program does something else when it is compiled so, or than what commands print.
    Differs(Vec<Side>, Vec<OsString>, Option<Stdin>),
    /// A formatter or another reader of files fails.
    Formatter(Formatter),
    /// The program prints this.
    Prints(String, RunWith),
    /// The expansion of its macros matches this.
    Expands(Regex),
    /// rustc says this, among others.
    Says(Wanted),
    /// It is accepted, and does not fail when it is run so.
    Accepted(Option<Runner>),
}

/// What the program is compared with.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Side {
    /// Itself, compiled in another way.
    Way(OtherWay),
    /// A line for the shell, in which `{}` is the program.
    Command(String),
}

impl RunWith {
    fn runner(&self, rustc: &Rustc) -> Runner {
        let is_test = matches!(self.target, Target::Test(_));
        let rustc = if is_test { rustc.as_tests() } else { rustc.clone() };
        let (target, stdin) = (self.target.clone(), self.stdin.clone());
        Runner {
            rustc,
            target,
            stdin,
            is_traced: false,
            is_dynamic: true,
            is_exact: false,
            skipped: Vec::new(),
            seconds: SECONDS,
            processor: None,
        }
    }
}

impl Kind {
    /// Whether it says how the program has to fail when it is run.
    pub(super) fn is_of_run(&self) -> bool {
        matches!(self, Self::Usage(_, Some(_), _) | Self::Prints(..) | Self::Hangs(..) | Self::Differs(..))
    }

    /// How the program is run, if it is.
    pub(super) fn runner(&self, rustc: &Rustc) -> Option<Runner> {
        match self {
            Self::Usage(Bound::Slower(bound), Some(run), _) => {
                let seconds = SECONDS.max(bound.as_secs() * u64::from(TIMES) + 1);
                Some(Runner { seconds, ..run.runner(rustc) })
            }
            Self::Usage(_, Some(run), _) | Self::Prints(_, run) | Self::Hangs(_, run, _) => Some(run.runner(rustc)),
            // The run that fails may take less time than one that does not.
            Self::Accepted(runner) => runner.as_ref().map(|runner| {
                let (rustc, processor) = (rustc.clone(), None);
                Runner { rustc, processor, seconds: SECONDS, ..runner.clone() }
            }),
            _ => None,
        }
    }

    /// Judges candidates by `rustc`, where `result` came of the unreduced program, if that is known.
    pub(super) fn oracle(&self, rustc: &Rustc, result: Option<&JobResult>) -> Arc<dyn Oracle> {
        let limited = |runner: Runner| result.map_or(runner.clone(), |result| runner.limited_by(result));
        let (runner, rustc) = (self.runner(rustc).map(limited), rustc.clone());
        let end = result.map(|result| result.end);
        match self {
            Self::Usage(bound, _, other) => {
                let other = other.as_ref().map(|way| way.of(&rustc));
                let measured = runner.map_or(Measured::Compiler(rustc), Measured::Program);
                Arc::new(UsageOracle { measured, bound: *bound, other, end })
            }
            Self::Hangs(bound, run, is_located) => {
                Arc::new(HangOracle::new(run.runner(&rustc), *bound, *is_located, result))
            }
            Self::Differs(sides, args, stdin) => {
                let side = |side: &Side| match side {
                    Side::Way(way) => CompilerConfig::Rustc(way.of(&rustc)),
                    Side::Command(line) => CompilerConfig::Command(line.clone()),
                };
                let mut ways: Vec<CompilerConfig> = sides.iter().map(side).collect();
                if ways.len() == 1 {
                    ways.insert(0, CompilerConfig::Rustc(rustc));
                }
                let compare = Compare { args: args.clone(), stdin: stdin.clone(), ..Compare::new(ways) };
                Arc::new(result.map_or(compare.clone(), |result| compare.holding(result)))
            }
            Self::Formatter(tool) => Arc::new(FormatterOracle::new(tool.clone(), rustc, result)),
            Self::Prints(text, run) => {
                let runner = limited(run.runner(&rustc));
                Arc::new(PrintsOracle { runner, text: text.clone(), end })
            }
            Self::Expands(pattern) => Arc::new(ExpandsOracle::new(rustc, pattern.clone(), result)),
            Self::Says(wanted) => {
                let (wanted, held, detail) = (wanted.clone(), Held::default(), Detail::default());
                Arc::new(DiagnosticOracle { rustc, wanted, held, detail, allow_errors: true, has_proc_macros: false })
            }
            // A crash may come before the errors that are to be found.
            Self::Accepted(_) => {
                Arc::new(runner.map_or(AcceptedOracle::Compiled(rustc.checking_types()), AcceptedOracle::Run))
            }
        }
    }

    /// The same, and in a form that demands less of the program.
    fn forms(&self) -> impl Iterator<Item = Self> + use<> {
        let simple = match self {
            Self::Hangs(bound, run, true) => Some(Self::Hangs(*bound, run.clone(), false)),
            _ => None,
        };
        [self.clone()].into_iter().chain(simple)
    }

    /// The ways of compiling that may show it, cheapest first.
    fn ways(&self, rustc: &Rustc) -> Vec<Rustc> {
        match self {
            Self::Usage(_, None, _) | Self::Says(_) => rustc.checking(),
            _ => vec![rustc.clone()],
        }
    }

    /// Whether the program has to be one that can be run.
    fn runs(&self, rustc: &Rustc) -> bool {
        self.runner(rustc).is_some() || matches!(self, Self::Differs(..))
    }
}

impl Search<'_> {
    /// Runs the program in each of these ways and editions, until one shows a failure of this kind; else why the last one does not,
    /// and the command that shows it.
    pub(super) fn find_kind(
        &self,
        kind: &Kind,
        ways: &[Rustc],
        editions: &[&'static str],
        cancel: &Cancel,
    ) -> Result<Result<Asked, (String, String)>, Failed> {
        let mut why = (String::new(), String::new());
        let needs_library = !has_main(&self.program.root());
        for way in ways {
            let chosen = editions.iter().filter(|_| way.edition().is_none()).map(|edition| way.with_edition(edition));
            let given = (editions.is_empty() || way.edition().is_some()).then(|| way.clone());
            for rustc in chosen.chain(given) {
                let library = rustc.of_type("lib").filter(|_| needs_library && !kind.runs(&rustc));
                let ways = kind.ways(&library.unwrap_or(rustc));
                for (kind, rustc) in ways.iter().flat_map(|rustc| kind.forms().map(move |kind| (kind, rustc))) {
                    let oracle = kind.oracle(rustc, None);
                    let result = self.result(&*oracle, cancel)?;
                    let verdict = oracle.verdict(&result);
                    if verdict.outcome == Outcome::Fail {
                        return Ok(Ok(Asked { kind, rustc: rustc.clone(), result }));
                    }
                    why = (verdict.reason, self.given.by_hand(&|path| oracle.command(self.program, path)));
                }
            }
        }
        Ok(Err(why))
    }

    /// What comes of a check of the unreduced program.
    pub(super) fn result(&self, oracle: &dyn Oracle, cancel: &Cancel) -> Result<JobResult, Failed> {
        self.try_result(oracle, cancel).map_err(|error| self.unrecognised(error))
    }

    /// What comes of another job.
    pub(super) fn result_of(&self, job: &Job, cancel: &Cancel) -> Result<JobResult, Failed> {
        self.try_result_of(job, cancel).map_err(|error| self.unrecognised(error))
    }

    /// The same, where it may be that it cannot be run.
    pub(super) fn try_result(&self, oracle: &dyn Oracle, cancel: &Cancel) -> Result<JobResult, Unrecognised> {
        self.try_result_of(&oracle.job(self.program), cancel)
    }

    fn try_result_of(&self, job: &Job, cancel: &Cancel) -> Result<JobResult, Unrecognised> {
        let limit: Duration = self.args.failure.timeout.unwrap_or(PATIENCE);
        match self.executor.run(job, limit, cancel).map_err(Unrecognised::Exec)? {
            result if result.end == End::Cancelled => Err(Unrecognised::Cancelled),
            // A journal knows nothing of it.
            result => Ok(JobResult { subject: job.subject.clone(), ..result }),
        }
    }
}
