//! Recognises the failure of a lone file, and the cheapest way of running rustc that shows it.
//!
//! A crash takes precedence over errors: if a file shows errors in one edition and as a program, and a crash in another edition
//! or as a library, the crash is the failure to reduce.

mod attempt;

use std::time::Duration;

pub use attempt::said_instead;
use attempt::{Run, warnings};

use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::exec::process::Cancel;
use crate::oracle::crash::RustcOracle;
use crate::oracle::diagnostic::{DiagnosticOracle, Held};
use crate::oracle::failure::Failure;
use crate::oracle::identity::Detail;
use crate::oracle::obstacles::{Obstacle, obstacles};
use crate::oracle::rustc::{EDITIONS, Rustc};
use crate::oracle::wanted::Wanted;
use crate::program::Program;

/// The time limit of the first runs where the user gave none for checks.
const PATIENCE: Duration = Duration::from_secs(600);

/// From so many tokens on, a run of rustc takes long, no crash is looked for behind errors, and a single error is the failure.
const LARGE: usize = 100_000;

/// The result of recognising a failure.
pub enum Recognised {
    /// A failure.
    Fails(Box<Recognition>),
    /// The file compiles in all the ways that were tried.
    Compiles(Compiled),
    /// The compiler did not end within this time.
    TimedOut(Duration),
    /// The compiler ended in a way that is no failure of a program or a compiler.
    Unknown(JobResult),
}

/// What is known of a file that compiles.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The edition that was chosen, if one was.
    pub edition: Option<&'static str>,
    /// Editions that were not chosen because the file has more errors there, with the failures they show.
    pub other_editions: Vec<(&'static str, Failure)>,
    /// The lints that warn, each with its first warning in one line.
    pub warnings: Vec<(String, String)>,
}

/// Why the failure could not be recognised.
#[derive(Debug)]
pub enum Unrecognised {
    /// The run was cancelled.
    Cancelled,
    /// rustc cannot be run.
    Exec(ExecError),
}

/// A failure of a lone file.
pub struct Recognition {
    /// The oracle that holds candidates to it.
    pub oracle: RustcOracle,
    /// The result of the run that showed it.
    pub result: JobResult,
    /// The edition that was chosen, if one was.
    pub edition: Option<&'static str>,
    /// What the file lacks, if it shows only errors: the errors may be due to that.
    pub obstacles: Vec<Obstacle>,
}

/// Looks for the failure of a program.
pub struct Recogniser<'a> {
    /// Runs rustc.
    pub executor: &'a dyn Executor,
    /// The program.
    pub program: &'a Program,
    /// The longest time of one run, if the user gave it.
    pub timeout: Option<Duration>,
    /// Whether candidates may have errors that the program does not have.
    pub allow_errors: bool,
    /// Whether a crash that shows only when the file is compiled in another way is a failure to keep.
    pub looks_elsewhere: bool,
    /// Cancels running jobs.
    pub cancel: &'a Cancel,
}

/// rustc in each of `editions`, or as it is if it has an edition already or there are none.
pub(super) fn tries(
    rustc: &Rustc,
    editions: &[&'static str],
) -> impl Iterator<Item = (Option<&'static str>, Rustc)> + Clone {
    let editions = if rustc.edition().is_some() { &[] } else { editions };
    let plain = editions.is_empty().then(|| (None, rustc.clone()));
    editions.iter().map(|edition| (Some(*edition), rustc.with_edition(edition))).chain(plain)
}

impl Recogniser<'_> {
    /// Runs rustc on the program in each of these ways, which are the revisions of a test or the only way, and determines the
    /// failure to keep. If the arguments do not give the edition, it is the first of `editions` in which the program crashes
    /// the compiler, or else has the fewest errors.
    ///
    /// Code is generated only in the edition that is chosen.
    ///
    /// A file without a main function is compiled as a library. Before a file is reported to compile, or to have only errors, it
    /// is also compiled as a library with code generation, and with its intermediate code printed. Only a large one with errors
    /// is not, and if it has a single error, no other edition is tried. The checks go no further than the failure needs: they use
    /// the first of [`Rustc::ways`] that shows the same failure.
    ///
    /// # Errors
    /// When rustc cannot be run, or is cancelled.
    pub fn recognise(&self, ways: &[Rustc], editions: &[&'static str]) -> Result<Recognised, Unrecognised> {
        let mut runs = Vec::new();
        let is_large = self.program.measure().tokens >= LARGE;
        // The run of each way in the edition that fits the program best, by its errors without code.
        let mut of_ways: Vec<usize> = Vec::new();
        for way in ways {
            let start = runs.len();
            let is_clear = |run: &Run| match &run.failure {
                Some(_) if is_large && !run.is_crash() => Failure::list(&run.result).len() == 1,
                _ => run.is_crash() && run.rank().2 == 0,
            };
            let mut tries = tries(way, editions).map(|(edition, rustc)| (edition, self.with_type(rustc)));
            while let Some((edition, rustc)) = tries.next() {
                let run = self.run(edition, rustc)?;
                if run.result.end == End::TimedOut {
                    return Ok(Recognised::TimedOut(self.limit()));
                }
                runs.push(run);
                if runs.last().is_some_and(is_clear) {
                    break;
                }
                self.expect(tries.clone().map(|(_, rustc)| rustc.without_code().unwrap_or(rustc)));
            }
            of_ways.extend((start..runs.len()).min_by_key(|run| runs[*run].rank()));
            let chosen = of_ways.last().map(|run| &mut runs[*run]);
            if let Some(chosen) = chosen.filter(|run| run.may_crash() && !(is_large && run.failure.is_some())) {
                self.expect(std::iter::once(chosen.rustc.clone()).chain(self.elsewhere(&chosen.rustc)));
                let coded = self.run_by(chosen.edition, chosen.rustc.clone(), chosen.rustc.clone())?;
                if coded.result.end == End::TimedOut {
                    return Ok(Recognised::TimedOut(self.limit()));
                }
                // The errors of the first run are those of the cheaper way.
                if !coded.shows_same(chosen) {
                    *chosen = coded;
                }
            }
            if of_ways.last().is_some_and(|run| is_clear(&runs[*run])) {
                break;
            }
        }
        // A revision is chosen by what fails.
        let of_ways = of_ways.iter().map(|run| &runs[*run]);
        let Some(best) = of_ways.min_by_key(|run| (run.is_unknown(), !run.is_crash(), run.failure.is_none())) else {
            return Ok(Recognised::Compiles(Compiled::default()));
        };
        let is_settled = best.is_crash() || !self.looks_elsewhere || is_large && best.failure.is_some();
        let chosen = if is_settled { None } else { self.crash_elsewhere(best)? };
        let run = chosen.as_ref().unwrap_or(best);
        let edition = run.edition;
        let Some(failure) = run.failure.clone() else {
            if run.is_unknown() {
                return Ok(Recognised::Unknown(run.result.clone()));
            }
            let others = runs.iter().filter_map(|run| Some((run.edition?, run.failure.clone()?)));
            let (other_editions, warnings) = (others.collect(), warnings(&run.result));
            return Ok(Recognised::Compiles(Compiled { edition, other_editions, warnings }));
        };
        let lacks = if failure.is_in_program() { obstacles(&run.result) } else { Vec::new() };
        // A library needs no main function.
        let library = run.rustc.of_type("lib").filter(|_| !failure.is_in_program());
        let library = library.map_or(Ok(None), |library| self.cheapest(&library, run, &failure))?;
        let rustc = match library {
            Some(library) => library,
            None => self.cheapest(&run.rustc, run, &failure)?.unwrap_or_else(|| run.rustc.clone()),
        };
        let result = run.result.clone();
        let oracle = RustcOracle {
            allow_errors: self.allow_errors,
            has_proc_macros: self.program.has_proc_macros(),
            is_in_other_crate: result.failed_step.is_some(),
            ..RustcOracle::new(rustc, failure, Failure::list(&result))
        };
        Ok(Recognised::Fails(Box::new(Recognition { oracle, result, edition, obstacles: lacks })))
    }

    /// Runs rustc on the program in each of these ways and editions until it reports `wanted`, and finds the cheapest way that
    /// does. Candidates are held to it in this `detail`.
    pub(crate) fn recognise_diagnostics(
        &self,
        ways: &[Rustc],
        editions: &[&'static str],
        wanted: &Wanted,
        detail: Detail,
    ) -> Result<Result<DiagnosticOracle, Option<String>>, Unrecognised> {
        let mut missing = None;
        for way in ways {
            for (_, rustc) in tries(way, editions) {
                let run = self.run(None, rustc)?;
                for rustc in run.rustc.checking() {
                    let again = (rustc != run.by).then(|| self.result(&rustc)).transpose()?;
                    match Held::of(again.as_ref().unwrap_or(&run.result), self.program, wanted) {
                        Ok(held) => {
                            let (allow_errors, has_proc_macros) = (self.allow_errors, self.program.has_proc_macros());
                            let wanted = wanted.clone();
                            let oracle =
                                DiagnosticOracle { rustc, wanted, held, detail, allow_errors, has_proc_macros };
                            return Ok(Ok(oracle));
                        }
                        Err(why) => missing = Some(why + &said_instead(again.as_ref().unwrap_or(&run.result))),
                    }
                }
            }
        }
        Ok(Err(missing))
    }

    /// Whether the program shows `failure` when `rustc` is run.
    ///
    /// # Errors
    /// When rustc cannot be run, or is cancelled.
    pub fn shows(&self, rustc: &Rustc, failure: &Failure) -> Result<bool, Unrecognised> {
        let result = self.result(rustc)?;
        Ok(Failure::recognise(&result).is_some_and(|other| other.is_same(failure) && other.codes == failure.codes))
    }

    pub(super) fn limit(&self) -> Duration {
        self.timeout.unwrap_or(PATIENCE)
    }

    fn result(&self, rustc: &Rustc) -> Result<JobResult, Unrecognised> {
        self.run_job(&rustc.job(self.program), self.limit())
    }

    pub(super) fn run_job(&self, job: &Job, limit: Duration) -> Result<JobResult, Unrecognised> {
        let result = self.executor.run(job, limit, self.cancel).map_err(Unrecognised::Exec)?;
        // A journal does not store the subject.
        let result = JobResult { subject: job.subject.clone(), ..result };
        if result.end == End::Cancelled { Err(Unrecognised::Cancelled) } else { Ok(result) }
    }

    /// Runs rustc, at first without code: errors and most crashes come before it.
    fn run(&self, edition: Option<&'static str>, rustc: Rustc) -> Result<Run, Unrecognised> {
        let by = rustc.without_code().unwrap_or_else(|| rustc.clone());
        let run = self.run_by(edition, rustc, by)?;
        // A crash may be another one where code is wanted.
        let is_shown = run.result.end == End::TimedOut || !run.is_crash() && !run.is_unknown();
        if is_shown || run.by == run.rustc {
            return Ok(run);
        }
        self.run_by(edition, run.rustc.clone(), run.rustc)
    }

    fn run_by(&self, edition: Option<&'static str>, rustc: Rustc, by: Rustc) -> Result<Run, Unrecognised> {
        let result = self.result(&by)?;
        let failure = Failure::recognise(&result);
        match failure.as_ref().and_then(|failure| rustc.as_library(failure)) {
            Some(library) => self.run(edition, library),
            None => Ok(Run { rustc, by, edition, result, failure }),
        }
    }

    /// As a library, and with its intermediate code printed.
    fn elsewhere(&self, rustc: &Rustc) -> impl Iterator<Item = Rustc> + use<> {
        let library = rustc.of_type("lib").filter(|_| self.looks_elsewhere);
        let printed = library.as_ref().unwrap_or(rustc).with_mir().filter(|_| self.looks_elsewhere);
        library.into_iter().chain(printed)
    }

    /// Starts the runs of rustc that most likely come next, while the next one runs.
    fn expect(&self, next: impl Iterator<Item = Rustc>) {
        self.executor.expect(next.map(|rustc| rustc.job(self.program)).collect());
    }

    /// rustc for a library, if the program is one for sure: nothing in it is named `main`.
    fn with_type(&self, rustc: Rustc) -> Rustc {
        let is_library = !self.program.root().contains("main");
        rustc.of_type("lib").filter(|_| is_library).unwrap_or(rustc)
    }

    /// A crash that a program shows as a library, or when its intermediate code is printed.
    fn crash_elsewhere(&self, run: &Run) -> Result<Option<Run>, Unrecognised> {
        if run.is_unknown() {
            return Ok(None);
        }
        for way in self.elsewhere(&run.rustc) {
            let run = self.run_by(run.edition, way.clone(), way)?;
            if run.is_crash() {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// The first way of `rustc` in which the program shows the failure of `run`.
    fn cheapest(&self, rustc: &Rustc, run: &Run, failure: &Failure) -> Result<Option<Rustc>, Unrecognised> {
        for way in rustc.ways(failure) {
            if way == run.by || self.shows(&way, failure)? {
                return Ok(Some(way));
            }
        }
        Ok(None)
    }
}

/// The editions to try: only `said`, the edition of the nearest manifest, if there is one; else all, the newest first.
pub fn editions(said: Option<&str>) -> Vec<&'static str> {
    let known = EDITIONS.iter().copied().filter(|edition| said == Some(edition));
    let known: Vec<_> = known.collect();
    if known.is_empty() { EDITIONS.to_vec() } else { known }
}

#[cfg(test)]
mod tests;
