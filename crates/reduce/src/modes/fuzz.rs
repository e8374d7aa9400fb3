//! `mcve fuzz`: generates programs until some fail, and keeps the smallest one of each failure.

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

/// The settings of a fuzzing run.
pub struct Config {
    /// Makes the programs.
    pub generator: Arc<dyn Generator>,
    /// The seeds, each of which gives one program.
    pub seeds: Range<u64>,
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
    /// The program of a seed shows a new failure.
    Found {
        /// The seed.
        seed: u64,
        /// The failure, in words.
        failure: &'a str,
        /// The failure in a form that is comparable across runs, if its cause is known.
        fingerprint: Option<String>,
    },
    /// The program of a seed shows the failure of an earlier one.
    Again {
        /// The seed.
        seed: u64,
        /// The seed of the earlier one.
        first: u64,
    },
    /// The program was reduced, and the result is kept.
    Kept(&'a Find),
    /// While a program was reduced, a candidate showed another failure.
    Other(&'a event::Find),
    /// A problem with the program of a seed that is not a failure.
    Warning {
        /// The seed.
        seed: u64,
        /// The text.
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
    /// The summary of the reduction of the first one; none if that was not possible.
    pub summary: Option<Summary>,
}

/// The result of fuzzing.
pub struct Report {
    /// The failures, in the order in which they were found.
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

/// Generates programs, tests them, reduces those with a new failure, and keeps the smallest ones in the folder: for a failure
/// of the program of seed 7 `seed-7.rs`, and its unreduced choices in `seed-7.choices`.
///
/// The results do not depend on the number of jobs, except after a spent budget or an interrupt.
///
/// # Errors
/// When the generator or a check cannot be run, or the folder cannot be written. An interrupt and a spent budget are not errors.
pub fn fuzz(config: &Config, tell: &mut dyn FnMut(&FuzzEvent<'_>)) -> Result<Report, Trouble> {
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
                tell(&FuzzEvent::Warning { seed, message });
            }
            for (key, oracle) in probed.failures {
                if let Some(known) = report.finds.iter_mut().find(|find| find.key.is_same(&key)) {
                    known.times += 1;
                    tell(&FuzzEvent::Again { seed, first: known.seed });
                    continue;
                }
                let FailureId { words: failure, fingerprint } = oracle.failure();
                tell(&FuzzEvent::Found { seed, failure: &failure, fingerprint });
                let summary = config.keep(seed, &execution, oracle, tell)?;
                let find = Find { key, seed, failure, times: 1, summary };
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

    fn name(seed: u64, extension: &str) -> PathBuf {
        Path::new(&format!("seed-{seed}")).with_extension(extension)
    }

    /// Makes the programs of all seeds and tries them, each on a thread of its own.
    fn probe_all(&self, seeds: &[u64]) -> Result<Vec<(u64, Execution, Probed)>, Trouble> {
        let watch = Watch::begin(&self.limits).map_err(no_thread)?;
        let one = |seed: u64| {
            let execution =
                run(&*self.generator, seed, self.settings.limit).map_err(|halt| Trouble::Generator(seed, halt))?;
            let program = Program::new(Self::name(seed, "rs"), &*execution.output);
            let trial = InstrumentedProgram {
                program: &program,
                executor: &*self.executor,
                timeout: self.limits.timeout,
                cancel: &watch.cancel,
                found: Probed::default(),
            };
            let probed = trial.run(&self.probe).map_err(Trouble::Exec)?;
            Ok((seed, execution, probed))
        };
        std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for &seed in seeds {
                // Deeply nested programs are parsed there.
                let builder = std::thread::Builder::new().name(format!("seed-{seed}")).stack_size(STACK);
                threads.push(builder.spawn_scoped(scope, move || one(seed)).map_err(no_thread)?);
            }
            threads.into_iter().map(|thread| thread.join().expect("what panics there has said so")).collect()
        })
    }

    /// Reduces a failing program, and writes the result, with its unreduced choices.
    fn keep(
        &self,
        seed: u64,
        execution: &Execution,
        oracle: Arc<dyn Oracle>,
        tell: &mut dyn FnMut(&FuzzEvent<'_>),
    ) -> Result<Option<Summary>, Trouble> {
        let (name, input) = (Self::name(seed, "rs"), self.folder.join(Self::name(seed, "choices")));
        let choices = ChoicesFile::new(&*self.generator, (*execution.trace).clone()).to_string();
        let aside =
            Output::at_default(&input).and_then(|output| output.write(choices.as_bytes())).map_err(Trouble::Output)?;
        if let Some(aside) = aside {
            tell(&FuzzEvent::Warning { seed, message: put_aside_message(&input, &aside) });
        }
        let made = ByGenerator::new(Arc::clone(&self.generator), execution.clone(), self.settings);
        let config = reduce::Config {
            input,
            program: Program::new(&name, &*execution.output),
            made: Some(made),
            output: Output::at_default(&self.folder.join(&name)).map_err(Trouble::Output)?,
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
        let reduced = reduce(config, &mut Telling { seed, tell });
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
        tell(&FuzzEvent::Warning { seed, message });
        Ok(None)
    }
}

/// Reports the warnings and the finds of a reduction.
struct Telling<'a> {
    seed: u64,
    tell: &'a mut dyn FnMut(&FuzzEvent<'_>),
}

impl Observer for Telling<'_> {
    fn event(&mut self, event: &event::Event) {
        match event {
            event::Event::Warning { message } => {
                (self.tell)(&FuzzEvent::Warning { seed: self.seed, message: message.clone() });
            }
            event::Event::Found(find) => (self.tell)(&FuzzEvent::Other(find)),
            _ => {}
        }
    }
}

fn no_thread(source: std::io::Error) -> Trouble {
    Trouble::Exec(ExecError { doing: "cannot start a thread".to_owned(), source })
}
