//! `mcve fuzz`: generates programs, or takes files, until some fail, and keeps the smallest one of each failure.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcve_transforms::{STACK, Transform};

use super::probe::{InstrumentedProgram, Key, Probe, Probed};
use super::reduce::{self, reduce};
use crate::check::baseline::Runs;
use crate::check::layers::Layers;
use crate::check::limits::{Limits, Stop};
use crate::check::refusal::Refusal;
use crate::check::watch::Watch;
use crate::event::{self, Observer, Summary};
use crate::exec::job::{ExecError, Executor};
use crate::oracle::{FailureId, Oracle};
use crate::output::{Output, put_aside_message};
use crate::program::Program;
use crate::search::by_generator::ByGenerator;
use crate::search::passes::schedule::Schedule;
use crate::state::journal::Journal;
use mcve_generate::choices::Halt;
use mcve_generate::file::ChoicesFile;
use mcve_generate::generator::{Execution, Generator, run};
use mcve_generate::reduction::Settings;

/// The programs that are tested.
pub enum Programs {
    /// Those of a generator, one for each seed.
    Generated(Arc<dyn Generator>, Range<u64>),
    /// These files.
    Files(Vec<PathBuf>),
}

/// Where a program comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A generator made it by this seed.
    Seed(u64),
    /// It is in this file.
    File(PathBuf),
}

impl Origin {
    /// The name of its result, without an extension.
    fn name(&self) -> String {
        match self {
            Self::Seed(seed) => format!("seed-{seed}"),
            Self::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed(seed) => write!(f, "seed {seed}"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}

/// The settings of a fuzzing run.
pub struct Config {
    /// The programs.
    pub programs: Programs,
    /// How the programs are tested.
    pub probe: Probe,
    /// Runs the jobs.
    pub executor: Arc<dyn Executor>,
    /// The number of concurrent jobs.
    pub jobs: usize,
    /// The limits that end the run early.
    pub limits: Limits,
    /// How the traces of failing programs are reduced, and the limit on their nodes.
    pub settings: Settings,
    /// The transforms that reduce the programs after that.
    pub transforms: Vec<&'static Transform>,
    /// The folder of the smallest programs.
    pub folder: PathBuf,
    /// The folder for other failures that candidates show, if they are to be reported.
    pub finds: Option<PathBuf>,
}

/// An event of fuzzing.
pub enum FuzzEvent<'a> {
    /// A program shows a new failure.
    Found {
        /// The program.
        origin: &'a Origin,
        /// The failure, in words.
        failure: &'a str,
        /// The failure in a form that is comparable across runs, if its cause is known.
        fingerprint: Option<String>,
    },
    /// A program shows the failure of an earlier one, or of one that an earlier run has kept.
    Again {
        /// The program.
        origin: &'a Origin,
        /// The earlier one.
        first: &'a Origin,
    },
    /// The program was reduced, and the result is kept.
    Kept(&'a Find),
    /// While a program was reduced, a candidate showed another failure.
    Other(&'a event::Find),
    /// A problem with a program that is not a failure.
    Warning {
        /// The program.
        origin: &'a Origin,
        /// The text.
        message: String,
    },
}

/// A failure that was found.
pub struct Find {
    /// What identifies it.
    key: Key,
    /// The first program that showed it.
    pub origin: Origin,
    /// The path of its result.
    pub path: PathBuf,
    /// The failure, in words.
    pub failure: String,
    /// How many programs of this run showed it.
    pub times: usize,
    /// The summary of the reduction of the first one; none if that was not possible.
    pub summary: Option<Summary>,
}

/// The result of fuzzing.
pub struct Report {
    /// The failures, in the order in which they were found, those of earlier runs first.
    pub finds: Vec<Find>,
    /// The number of programs that were made and tested.
    pub programs: usize,
    /// Whether the user interrupted it.
    pub interrupted: bool,
    /// Whether the time ran out before the seeds.
    pub out_of_time: bool,
}

/// Why there is no report.
#[derive(Debug)]
pub enum Trouble {
    /// The generator does not end, or cannot be run: the seed, and the reason.
    Generator(u64, Halt),
    /// A program cannot be compiled or run at all.
    Exec(ExecError),
    /// A result cannot be written.
    Output(std::io::Error),
}

/// Tests programs, reduces those with a new failure, and keeps the smallest ones in the folder: for a failure of the program of
/// seed 7 `seed-7.rs`, and its unreduced choices in `seed-7.choices`; for one of `a/b.rs` `b.rs`. What an earlier run has kept
/// there is known.
///
/// The results do not depend on the number of jobs, except after a spent budget or an interrupt.
///
/// # Errors
/// When the generator or a check cannot be run, or the folder cannot be written. An interrupt and a spent budget are not errors.
pub fn fuzz(config: &Config, tell: &mut dyn FnMut(&FuzzEvent<'_>)) -> Result<Report, Trouble> {
    std::fs::create_dir_all(&config.folder).map_err(Trouble::Output)?;
    let mut report = Report { finds: Vec::new(), programs: 0, interrupted: false, out_of_time: false };
    let mut kept = config.kept().map_err(Trouble::Output)?.into_iter();
    let mut origins = config.origins();
    loop {
        let batch: Vec<Origin> = kept.by_ref().take(config.jobs.max(1)).collect();
        if batch.is_empty() || config.is_over(&mut report) {
            break;
        }
        for (origin, _, probed) in config.probe_all(&batch)? {
            for (key, oracle) in probed.failures {
                let Origin::File(path) = &origin else { unreachable!("results are files") };
                let (path, failure) = (path.clone(), oracle.failure().words);
                report.finds.push(Find { key, origin: origin.clone(), path, failure, times: 0, summary: None });
            }
        }
    }
    loop {
        let batch: Vec<Origin> = origins.by_ref().take(config.jobs.max(1)).collect();
        if batch.is_empty() || config.is_over(&mut report) {
            return Ok(report);
        }
        for (origin, made, probed) in config.probe_all(&batch)? {
            if config.is_over(&mut report) {
                return Ok(report);
            }
            report.programs += 1;
            if let Some(message) = probed.trouble {
                tell(&FuzzEvent::Warning { origin: &origin, message });
            }
            for (key, oracle) in probed.failures {
                if let Some(known) = report.finds.iter_mut().find(|find| find.key.is_same(&key)) {
                    known.times += 1;
                    tell(&FuzzEvent::Again { origin: &origin, first: &known.origin });
                    continue;
                }
                let FailureId { words: failure, fingerprint } = oracle.failure();
                tell(&FuzzEvent::Found { origin: &origin, failure: &failure, fingerprint });
                let path = config.place(&origin, &report.finds);
                let summary = config.keep(&origin, &path, &made, oracle, tell)?;
                let find = Find { key, origin: origin.clone(), path, failure, times: 1, summary };
                if find.summary.is_some() {
                    tell(&FuzzEvent::Kept(&find));
                }
                report.finds.push(find);
            }
        }
    }
}

impl Config {
    /// Whether to end; records the reason in the report.
    fn is_over(&self, report: &mut Report) -> bool {
        let stop = self.limits.proceed().err();
        report.interrupted |= matches!(stop, Some(Stop::Interrupted));
        report.out_of_time |= matches!(stop, Some(Stop::Budget));
        stop.is_some()
    }

    /// The programs that an earlier run has kept, and that are not among those to test.
    fn kept(&self) -> std::io::Result<Vec<Origin>> {
        let tested: &[PathBuf] = if let Programs::Files(files) = &self.programs { files } else { &[] };
        let is_tested = |path: &PathBuf| tested.iter().any(|file| is_same_file(file, path));
        let entries = std::fs::read_dir(&self.folder)?.map(|entry| entry.map(|entry| entry.path()));
        let mut paths = entries.collect::<std::io::Result<Vec<PathBuf>>>()?;
        paths.retain(|path| path.extension().is_some_and(|name| name == "rs") && path.is_file() && !is_tested(path));
        paths.sort();
        Ok(paths.into_iter().map(Origin::File).collect())
    }

    fn origins(&self) -> Box<dyn Iterator<Item = Origin> + '_> {
        match &self.programs {
            Programs::Generated(_, seeds) => Box::new(seeds.clone().map(Origin::Seed)),
            Programs::Files(files) => Box::new(files.iter().cloned().map(Origin::File)),
        }
    }

    /// The place of the result: a name that no earlier result has.
    fn place(&self, origin: &Origin, finds: &[Find]) -> PathBuf {
        let name = origin.name();
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut places = std::iter::once(name.clone()).chain(numbered).map(|name| self.folder.join(name + ".rs"));
        places.find(|place| finds.iter().all(|find| find.path != *place)).expect("there is a number for each")
    }

    /// Makes or reads the programs and tries them, each on a thread of its own.
    fn probe_all(&self, origins: &[Origin]) -> Result<Vec<(Origin, Made, Probed)>, Trouble> {
        let watch = Watch::begin(&self.limits).map_err(no_thread)?;
        let one = |origin: &Origin| {
            let made = match (&self.programs, origin) {
                (Programs::Generated(generator, _), Origin::Seed(seed)) => {
                    run(&**generator, *seed, self.settings.limit)
                        .map(Made::Generated)
                        .map_err(|halt| Trouble::Generator(*seed, halt))?
                }
                (_, Origin::File(path)) => match std::fs::read_to_string(path) {
                    Ok(text) => Made::Read(text),
                    Err(error) => {
                        let probed = Probed { trouble: Some(format!("cannot be read: {error}")), ..Probed::default() };
                        return Ok((origin.clone(), Made::Read(String::new()), probed));
                    }
                },
                (Programs::Files(_), Origin::Seed(_)) => unreachable!("no program has a seed"),
            };
            let program = Program::new(format!("{}.rs", origin.name()), made.text());
            let trial = InstrumentedProgram {
                program: &program,
                executor: &*self.executor,
                timeout: self.limits.timeout,
                cancel: &watch.cancel,
                found: Probed::default(),
            };
            let probed = trial.run(&self.probe).map_err(Trouble::Exec)?;
            Ok((origin.clone(), made, probed))
        };
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for origin in origins {
                // Deeply nested programs are parsed there.
                let builder = std::thread::Builder::new().name(origin.name()).stack_size(STACK);
                threads.push(builder.spawn_scoped(scope, move || one(origin)).map_err(no_thread)?);
            }
            threads.into_iter().map(|thread| thread.join().expect("what panics there has said so")).collect()
        })
    }

    /// Reduces a failing program, and writes the result to `path`, with its unreduced choices.
    fn keep(
        &self,
        origin: &Origin,
        path: &Path,
        made: &Made,
        oracle: Arc<dyn Oracle>,
        tell: &mut dyn FnMut(&FuzzEvent<'_>),
    ) -> Result<Option<Summary>, Trouble> {
        let mut input = path.to_owned();
        let mut by_generator = None;
        match (made, &self.programs, origin) {
            (Made::Generated(execution), Programs::Generated(generator, _), _) => {
                input = path.with_extension("choices");
                let choices = ChoicesFile::new(&**generator, (*execution.trace).clone()).to_string();
                let written = Output::at_default(&input).and_then(|output| output.write(choices.as_bytes()));
                if let Some(aside) = written.map_err(Trouble::Output)? {
                    tell(&FuzzEvent::Warning { origin, message: put_aside_message(&input, &aside) });
                }
                by_generator = Some(ByGenerator::new(Arc::clone(generator), execution.clone(), self.settings));
            }
            (_, _, Origin::File(file)) => input = file.clone(),
            _ => {}
        }
        let config = reduce::Config {
            input,
            program: Program::new(path.file_name().unwrap_or_default(), made.text()),
            made: by_generator,
            output: Output::at_default(path).map_err(Trouble::Output)?,
            in_place: false,
            oracle,
            executor: Arc::clone(&self.executor),
            // Any failure that is found is kept.
            runs: Runs { accept_trivial: true, ..Runs::default() },
            jobs: self.jobs,
            schedule: Schedule::default(),
            limits: self.limits.clone(),
            transforms: self.transforms.clone(),
            layers: Layers::default(),
            journal: Journal::nowhere(None),
            place: PathBuf::new(),
            finds: self.finds.clone(),
            holds_pair: false,
            fixed: None,
            as_ui_test: None,
        };
        let reduced = reduce(config, &mut Telling { origin, tell });
        let message = match reduced {
            Ok(summary) => return Ok(Some(summary)),
            Err(Refusal::Stop(Stop::Exec(error))) => return Err(Trouble::Exec(error)),
            Err(Refusal::Stop(Stop::Output(error))) => return Err(Trouble::Output(error)),
            Err(Refusal::NotFailing(reason, _) | Refusal::FixedFails(reason)) => format!("it fails no more: {reason}"),
            Err(Refusal::TimedOut(limit)) => format!("it did not end in {} s", limit.as_secs()),
            Err(Refusal::Trivial(..)) => "a program that holds nothing shows it as well".to_owned(),
            Err(Refusal::Flaky { times, runs, reason }) => format!("it fails in {times} of {runs} runs only: {reason}"),
            Err(Refusal::Stop(Stop::Interrupted | Stop::Budget | Stop::Refuted)) => {
                "there was no time to reduce it".to_owned()
            }
        };
        tell(&FuzzEvent::Warning { origin, message });
        Ok(None)
    }
}

/// Reports the warnings and the finds of a reduction.
struct Telling<'a> {
    origin: &'a Origin,
    tell: &'a mut dyn FnMut(&FuzzEvent<'_>),
}

impl Observer for Telling<'_> {
    fn event(&mut self, event: &event::Event) {
        match event {
            event::Event::Warning { message } => {
                (self.tell)(&FuzzEvent::Warning { origin: self.origin, message: message.clone() });
            }
            event::Event::Found(find) => (self.tell)(&FuzzEvent::Other(find)),
            _ => {}
        }
    }
}

/// A program that is tested.
enum Made {
    /// By a generator.
    Generated(Execution),
    /// The text of a file.
    Read(String),
}

impl Made {
    fn text(&self) -> &str {
        match self {
            Self::Generated(execution) => &execution.output,
            Self::Read(text) => text,
        }
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

fn no_thread(source: std::io::Error) -> Trouble {
    Trouble::Exec(ExecError { doing: "cannot start a thread".to_owned(), source })
}
