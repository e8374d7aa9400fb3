//! `mcve fuzz`: generates programs until some fail, and keeps the smallest one of each failure.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use mcve_transforms::{STACK, Transform};

use super::recognise::recognise;
use super::reduce::{self, reduce};
use crate::dd::outcome::Outcome;
use crate::event::{self, Observer, Summary};
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::exec::process::Cancel;
use crate::generate::choices::Halt;
use crate::generate::file::ChoicesFile;
use crate::generate::generator::{Execution, Generator, run};
use crate::generate::reduction::Settings;
use crate::oracle::Oracle;
use crate::oracle::compare::{Compare, Comparison};
use crate::oracle::failure::Failure;
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use crate::oracle::script::ScriptOracle;
use crate::output::Output;
use crate::program::Program;
use crate::search::baseline::Refusal;
use crate::search::by_generator::ByGenerator;
use crate::search::checker::{Limits, Stop};
use crate::state::journal::Journal;

/// How long a program may be compiled and run where nobody says otherwise.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often it is looked whether the run is to end.
const GLANCE: Duration = Duration::from_millis(20);

/// What is done with programs so that some may fail.
pub enum Probe {
    /// They are compiled in each of these ways.
    Compile(Ways),
    /// They are compiled and run in each way, and what they do is compared.
    Run(Ways),
    /// Each of these scripts is asked.
    Test(Vec<ScriptOracle>),
}

/// Ways of running rustc.
pub struct Ways {
    /// The compiler.
    pub rustc: PathBuf,
    /// The arguments of each way.
    pub args: Vec<Vec<OsString>>,
    /// The folder that arguments are relative to.
    pub folder: PathBuf,
    /// Errors in the program are no failures: the generator makes some that are not valid.
    pub crashes_only: bool,
}

impl Ways {
    /// The ways for a program, whose headers may ask for more.
    fn of(&self, program: &Program) -> Vec<Rustc> {
        let headers = Headers::parse(&program.text);
        let way = |args: &Vec<OsString>| Rustc::new(self.rustc.clone(), &headers, args, &self.folder).naming(program);
        self.args.iter().map(way).collect()
    }
}

/// What is generated, and what is done with it.
pub struct Config {
    /// Makes the programs.
    pub generator: Arc<dyn Generator>,
    /// One program for each.
    pub seeds: Range<u64>,
    /// What is done with them.
    pub probe: Probe,
    /// Runs all that.
    pub executor: Arc<dyn Executor>,
    /// How much of it at once.
    pub jobs: usize,
    /// When it ends before its end.
    pub limits: Limits,
    /// How the traces of programs that fail are reduced, and how many nodes they may have.
    pub settings: Settings,
    /// With which transforms the programs are reduced after that.
    pub transforms: Vec<&'static Transform>,
    /// Where the smallest programs are kept.
    pub folder: PathBuf,
}

/// Something that happened.
pub enum Event<'a> {
    /// The program of a seed fails as none before it.
    Found {
        /// The seed.
        seed: u64,
        /// The failure, in words.
        failure: &'a str,
    },
    /// The program of a seed fails as an earlier one did.
    Again {
        /// The seed.
        seed: u64,
        /// The seed of the earlier one.
        first: u64,
    },
    /// The program was reduced, and the result is kept.
    Kept(&'a Find),
    /// Something is wrong with the program of a seed, but it is no failure.
    Warning {
        /// The seed.
        seed: u64,
        /// What.
        message: String,
    },
}

/// A failure that was found.
pub struct Find {
    /// What identifies it.
    key: Key,
    /// The seed of the first program that showed it.
    pub seed: u64,
    /// The failure, in words.
    pub failure: String,
    /// How many programs showed it.
    pub times: usize,
    /// How the first one was reduced; nothing if that was not possible.
    pub summary: Option<Summary>,
}

/// What came of it.
pub struct Report {
    /// The failures, in the order in which they were found.
    pub finds: Vec<Find>,
    /// How many programs were made and tried.
    pub programs: usize,
    /// Whether the user interrupted it.
    pub interrupted: bool,
    /// Whether the time was over before the seeds.
    pub out_of_time: bool,
}

/// What identifies a failure.
enum Key {
    Compiler(Failure),
    /// The way that differs from the first one.
    Difference(usize),
    /// The script that says so.
    Script(usize),
}

impl Key {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Compiler(failure), Self::Compiler(other)) => failure.is_same(other),
            (Self::Difference(way), Self::Difference(other)) | (Self::Script(way), Self::Script(other)) => way == other,
            _ => false,
        }
    }
}

/// What a program was found to do.
struct Probed {
    /// The failures that it shows, each with the oracle of that.
    failures: Vec<(Key, Arc<dyn Oracle>)>,
    /// What was not as it should be, but is no failure.
    trouble: Option<String>,
}

/// Why there is no report.
#[derive(Debug)]
pub enum Trouble {
    /// The generator does not end, or cannot be run: the seed, and why.
    Generator(u64, Halt),
    /// A program cannot be compiled or run at all.
    Exec(ExecError),
    /// A result cannot be written.
    Output(std::io::Error),
}

/// Generates programs, tries them, reduces those that fail in a new way, and keeps the smallest ones in the folder: for a
/// failure that the program of seed 7 shows `seed-7.rs`, and its unreduced choices in `seed-7.choices`.
///
/// What is found and written does not depend on the number of jobs, but for a budget or an interrupt.
///
/// # Errors
/// When the generator or a check cannot be run, or the folder cannot be written. An interrupt and a spent budget are none.
pub fn fuzz(config: &Config, tell: &mut dyn FnMut(&Event<'_>)) -> Result<Report, Trouble> {
    std::fs::create_dir_all(&config.folder).map_err(Trouble::Output)?;
    let mut report = Report { finds: Vec::new(), programs: 0, interrupted: false, out_of_time: false };
    let mut seeds = config.seeds.clone();
    loop {
        let batch: Vec<u64> = seeds.by_ref().take(config.jobs.max(1)).collect();
        if batch.is_empty() || config.is_over(&mut report) {
            return Ok(report);
        }
        for (seed, execution, probed) in config.probe_all(&batch)? {
            if config.is_over(&mut report) {
                return Ok(report);
            }
            report.programs += 1;
            if let Some(message) = probed.trouble {
                tell(&Event::Warning { seed, message });
            }
            for (key, oracle) in probed.failures {
                if let Some(known) = report.finds.iter_mut().find(|find| find.key.is_same(&key)) {
                    known.times += 1;
                    tell(&Event::Again { seed, first: known.seed });
                    continue;
                }
                let failure = oracle.failure();
                tell(&Event::Found { seed, failure: &failure });
                let summary = config.keep(seed, &execution, oracle, tell)?;
                let find = Find { key, seed, failure, times: 1, summary };
                if find.summary.is_some() {
                    tell(&Event::Kept(&find));
                }
                report.finds.push(find);
            }
        }
    }
}

impl Config {
    /// Whether to end, which the report is told.
    fn is_over(&self, report: &mut Report) -> bool {
        report.interrupted |= self.limits.interrupt.load(Ordering::Relaxed);
        report.out_of_time |= self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        report.interrupted || report.out_of_time
    }

    fn name(seed: u64, extension: &str) -> PathBuf {
        Path::new(&format!("seed-{seed}")).with_extension(extension)
    }

    /// Makes the programs of all seeds and tries them, each on a thread of its own.
    fn probe_all(&self, seeds: &[u64]) -> Result<Vec<(u64, Execution, Probed)>, Trouble> {
        let cancel = Cancel::default();
        let one = |seed: u64| {
            let execution =
                run(&*self.generator, seed, self.settings.limit).map_err(|halt| Trouble::Generator(seed, halt))?;
            let program = Program::new(Self::name(seed, "rs"), &*execution.output);
            let probed = self.probe(&program, &cancel).map_err(Trouble::Exec)?;
            Ok((seed, execution, probed))
        };
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for &seed in seeds {
                // Deeply nested programs are parsed there.
                let builder = std::thread::Builder::new().name(format!("seed-{seed}")).stack_size(STACK);
                threads.push(builder.spawn_scoped(scope, move || one(seed)).map_err(no_thread)?);
            }
            while threads.iter().any(|thread| !thread.is_finished()) {
                if self.is_over(&mut Report { finds: vec![], programs: 0, interrupted: false, out_of_time: false }) {
                    cancel.cancel();
                }
                std::thread::park_timeout(GLANCE);
            }
            threads.into_iter().map(|thread| thread.join().expect("what panics there has said so")).collect()
        })
    }

    /// Tries a program.
    fn probe(&self, program: &Program, cancel: &Cancel) -> Result<Probed, ExecError> {
        let mut probed = Probed { failures: Vec::new(), trouble: None };
        let timeout = self.limits.timeout.unwrap_or(PATIENCE);
        let mut ask = |job: &Job, quickly: bool| {
            let run = if quickly { Executor::run_quickly } else { Executor::run };
            let result = run(&*self.executor, job, timeout, cancel)?;
            if result.end == End::TimedOut {
                probed.trouble = Some(format!("it took longer than {} s", timeout.as_secs()));
            }
            Ok::<JobResult, ExecError>(result)
        };
        let mut failures: Vec<(Key, Arc<dyn Oracle>)> = Vec::new();
        match &self.probe {
            Probe::Compile(ways) => self.compile(ways, program, &mut ask, &mut failures)?,
            Probe::Run(ways) => {
                let compare = Compare { ways: ways.of(program) };
                match compare.read(&ask(&compare.job(program), false)?) {
                    Comparison::Different(way) => failures.push((Key::Difference(way), Arc::new(compare.with(way)))),
                    Comparison::NotCompiled => self.compile(ways, program, &mut ask, &mut failures)?,
                    Comparison::Same | Comparison::Unknown(_) => {}
                }
            }
            Probe::Test(scripts) => {
                for (number, script) in scripts.iter().enumerate() {
                    let oracle = ScriptOracle { name: program.name.clone(), ..script.clone() };
                    if oracle.verdict(&ask(&oracle.job(program), false)?).outcome == Outcome::Fail {
                        failures.push((Key::Script(number), Arc::new(oracle)));
                    }
                }
            }
        }
        probed.failures = failures;
        Ok(probed)
    }

    /// Compiles a program in all ways. What a shortcut shows is held against a run without it.
    fn compile(
        &self,
        ways: &Ways,
        program: &Program,
        ask: &mut dyn FnMut(&Job, bool) -> Result<JobResult, ExecError>,
        failures: &mut Vec<(Key, Arc<dyn Oracle>)>,
    ) -> Result<(), ExecError> {
        for rustc in &ways.of(program) {
            let mut fails = |quickly: bool| {
                let failure = Failure::recognise(&ask(&rustc.job(program), quickly)?);
                Ok(failure.is_some_and(|failure| !(ways.crashes_only && failure.is_in_program())))
            };
            if !fails(true)? || !fails(false)? {
                continue;
            }
            let found = recognise(rustc, program, &*self.executor, self.limits.timeout, false)?;
            let Some(oracle) = found.filter(|oracle| !(ways.crashes_only && oracle.failure.is_in_program())) else {
                continue;
            };
            let key = Key::Compiler(oracle.failure.clone());
            if !failures.iter().any(|(known, _)| known.is_same(&key)) {
                failures.push((key, oracle));
            }
        }
        Ok(())
    }

    /// Reduces a program that fails, and writes what is left of it, with the choices that it began with.
    fn keep(
        &self,
        seed: u64,
        execution: &Execution,
        oracle: Arc<dyn Oracle>,
        tell: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<Summary>, Trouble> {
        let (name, input) = (Self::name(seed, "rs"), self.folder.join(Self::name(seed, "choices")));
        let choices = ChoicesFile::new(&*self.generator, (*execution.trace).clone()).to_string();
        Output::File(input.clone()).write(&choices).map_err(Trouble::Output)?;
        let made = ByGenerator::new(Arc::clone(&self.generator), execution.clone(), self.settings);
        let config = reduce::Config {
            input,
            program: Program::new(&name, &*execution.output),
            made: Some(made),
            output: Output::File(self.folder.join(&name)),
            oracle,
            executor: Arc::clone(&self.executor),
            jobs: self.jobs,
            limits: self.limits.clone(),
            transforms: self.transforms.clone(),
            journal: Journal::nowhere(None),
            place: PathBuf::new(),
        };
        let message = match reduce(config, &mut Nobody) {
            Ok(summary) => return Ok(Some(summary)),
            Err(Refusal::Stop(Stop::Exec(error))) => return Err(Trouble::Exec(error)),
            Err(Refusal::Stop(Stop::Output(error))) => return Err(Trouble::Output(error)),
            Err(Refusal::NotFailing(reason)) => format!("it fails no more: {reason}"),
            Err(Refusal::Flaky(times, reason)) => format!("it fails in {times} runs of several only: {reason}"),
            Err(Refusal::Stop(Stop::Interrupted | Stop::Budget | Stop::Refuted)) => {
                "there was no time to reduce it".to_owned()
            }
        };
        tell(&Event::Warning { seed, message });
        Ok(None)
    }
}

fn no_thread(source: std::io::Error) -> Trouble {
    Trouble::Exec(ExecError { doing: "cannot start a thread".to_owned(), source })
}

/// Hears what happens in a reduction, which nobody asked for.
struct Nobody;

impl Observer for Nobody {
    fn event(&mut self, _: &event::Event) {}
}
