//! `mcve fuzz`: generates programs or mutates files until some fail, and keeps the smallest one of each failure.

mod programs;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use mcve_transforms::{STACK, Transform};

pub use programs::Programs;
use programs::{Made, Origin, Queue, kept};

use super::probe::{InstrumentedProgram, Key, Probe, Probed};
use super::reduce::{Plan, reduce};
use crate::check::baseline::Runs;
use crate::check::limits::Stop;
use crate::check::refusal::Refusal;
use crate::event::{Ending, Event, Fuzzed, Observer, Summary};
use crate::exec::cancel::Cancel;
use crate::exec::job::{ExecError, Executor};
use crate::failure::problem::Problem;
use crate::oracle::{FailureId, Oracle};
use crate::output::{Output, put_aside_message};
use crate::search::by_generator::ByGenerator;
use crate::search::passes::schedule::Schedule;
use crate::session::Session;
use mcve_dd::grammar::productions::Grammar;
use mcve_generate::choices::Halt;
use mcve_generate::file::ChoicesFile;
use mcve_generate::reduction::Settings;

/// The settings of a fuzzing run.
pub struct Config {
    /// The programs.
    pub programs: Programs,
    /// How the programs are tested.
    pub probe: Probe,
    /// Runs the jobs.
    pub executor: Arc<dyn Executor>,
    /// The number of concurrent jobs, and the limits that end the run early.
    pub session: Session,
    /// How the traces of failing programs are reduced, and the limit on their nodes.
    pub settings: Settings,
    /// The transforms that reduce the programs after that.
    pub transforms: Vec<&'static Transform>,
    /// The folder of the smallest programs.
    pub folder: PathBuf,
    /// The folder for other failures that candidates show, if they are to be reported.
    pub finds: Option<PathBuf>,
}

/// A failure that was found.
struct Find {
    /// What identifies it.
    key: Key,
    /// The first program that showed it.
    origin: Origin,
    /// The path of its result.
    path: PathBuf,
    /// How many programs of this run showed it.
    times: usize,
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
/// seed 7 `seed-7.rs`, and its unreduced choices in `seed-7.choices`. What an earlier run has kept
/// there is known.
///
/// The results do not depend on the number of jobs, except after a spent budget or an interrupt.
///
/// # Errors
/// When the generator or a check cannot be run, or the folder cannot be written. An interrupt and a spent budget are not errors.
pub fn fuzz(config: &Config, observer: &mut dyn Observer) -> Result<Ending, Trouble> {
    let start = Instant::now();
    std::fs::create_dir_all(&config.folder).map_err(Trouble::Output)?;
    let (mut finds, mut programs) = (Vec::<Find>::new(), 0);
    let kept = kept(&config.folder, &config.programs).map_err(Trouble::Output)?;
    let mut queue = Queue::new(&config.programs, kept);
    let ending = 'run: loop {
        let batch = queue.batch(config.session.jobs.max(1));
        if batch.is_empty() {
            break Ending::Complete;
        }
        if let Some(ending) = config.ending() {
            break ending;
        }
        for (origin, (made, mut probed)) in batch.iter().zip(config.probe_all(&batch, &queue)?) {
            queue.learn(origin, made.text(), &mut probed.diagnostics, !probed.failures.is_empty());
            if let Origin::Kept(path) | Origin::File(path) = origin {
                let find = |(key, _)| Find { key, origin: origin.clone(), path: path.clone(), times: 0 };
                finds.extend(probed.failures.into_iter().map(find));
                continue;
            }
            if let Some(ending) = config.ending() {
                break 'run ending;
            }
            programs += 1;
            if let Some(message) = probed.trouble {
                warn(origin, message, observer);
            }
            for (key, oracle) in probed.failures {
                if let Some(known) = finds.iter_mut().find(|find| find.key.is_same(&key)) {
                    known.times += 1;
                    if !origin.is_mutant() {
                        let (origin, first) = (origin.to_string(), known.origin.to_string());
                        observer.event(&Event::Fuzz(Fuzzed::Again { origin, first }));
                    }
                    continue;
                }
                let FailureId { words: failure, fingerprint } = oracle.failure();
                observer.event(&Event::Fuzz(Fuzzed::New { origin: origin.to_string(), failure, fingerprint }));
                let path = config.place(origin, &finds);
                if let Some(summary) = config.keep(origin, &path, &made, oracle, observer)? {
                    observer.event(&Event::Fuzz(Fuzzed::Kept(Box::new(summary))));
                }
                finds.push(Find { key, origin: origin.clone(), path, times: 1 });
            }
        }
    };
    let failed = finds.iter().map(|find| find.times).sum();
    let ways = finds.iter().filter(|find| find.times > 0).count();
    let seconds = start.elapsed().as_secs_f64();
    observer.event(&Event::Fuzz(Fuzzed::Finished { ending, programs, failed, ways, seconds }));
    Ok(ending)
}

impl Config {
    /// How the run ends, if it is to end now.
    fn ending(&self) -> Option<Ending> {
        let stop = self.session.limits.proceed().err()?;
        Some(if matches!(stop, Stop::Interrupted) { Ending::Interrupted } else { Ending::Budget })
    }

    /// The place of the result: a name that no earlier result has.
    fn place(&self, origin: &Origin, finds: &[Find]) -> PathBuf {
        let name = origin.name();
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut places = std::iter::once(name.clone())
            .chain(numbered)
            .map(|name| self.folder.join(format!("{name}.{}", self.programs.extension())));
        places.find(|place| finds.iter().all(|find| find.path != *place)).expect("there is a number for each")
    }

    /// Makes or reads the programs and tests them, as many at once as there are jobs. Returns the first program's error.
    fn probe_all(&self, origins: &[Origin], queue: &Queue<'_>) -> Result<Vec<(Made, Probed)>, Trouble> {
        let cancel = self.session.limits.cancel();
        let next = AtomicUsize::new(0);
        let work = || {
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let origins = numbers.map_while(|number| Some((number, origins.get(number)?)));
            origins.map(|(number, origin)| (number, self.probe(origin, queue, &cancel))).collect()
        };
        let no_thread = |source| Trouble::Exec(ExecError { doing: "cannot start a thread".to_owned(), source });
        let done: Result<Vec<Vec<_>>, Trouble> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for _ in 0..self.session.jobs.clamp(1, origins.len()) {
                // Deeply nested programs are parsed there.
                let builder = std::thread::Builder::new().stack_size(STACK);
                threads.push(builder.spawn_scoped(scope, work).map_err(no_thread)?);
            }
            Ok(threads.into_iter().map(|thread| thread.join().expect("what panics there has said so")).collect())
        });
        let mut done: Vec<(usize, Result<_, Trouble>)> = done?.into_iter().flatten().collect();
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, done)| done).collect()
    }

    /// Makes or reads a program and tests it.
    fn probe(&self, origin: &Origin, queue: &Queue<'_>, cancel: &Cancel) -> Result<(Made, Probed), Trouble> {
        let made = queue.make(origin, self.settings.limit);
        let Some(made) = made.map_err(|(seed, halt)| Trouble::Generator(seed, halt))? else {
            return Ok((Made::Text(String::new()), Probed::default()));
        };
        let probe = |text: &str| {
            let program = self.programs.program(format!("{}.{}", origin.name(), self.programs.extension()), text);
            let (executor, timeout) = (&*self.executor, self.session.limits.timeout);
            let trial = InstrumentedProgram { program: &program, executor, timeout, cancel, found: Probed::default() };
            trial.run(&self.probe)
        };
        let probed = probe(made.text()).map_err(Trouble::Exec)?;
        let news = queue.news(origin, &probed.diagnostics);
        if news.is_empty() || !probed.failures.is_empty() {
            return Ok((made, probed));
        }
        // Its descendants are shorter, too.
        let (unknown, sentences) = (Grammar::unknown(), self.programs.sentences());
        let grammar = sentences.map_or(&unknown, |sentences| &sentences.grammar);
        let reduced = queue.population.reduced(made.text(), grammar, |text| {
            probe(text).is_ok_and(|found| found.failures.is_empty() && news.is_subset(&found.diagnostics))
        });
        Ok((Made::Text(reduced), probed))
    }

    /// Reduces a failing program, and writes the result to `path`, with its unreduced choices.
    fn keep(
        &self,
        origin: &Origin,
        path: &Path,
        made: &Made,
        oracle: Arc<dyn Oracle>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Summary>, Trouble> {
        let mut input = path.to_owned();
        let mut by_generator = None;
        match (made, &self.programs, origin) {
            (Made::Generated(execution), Programs::Generated(generator, _), _) => {
                input = path.with_extension("choices");
                let choices = ChoicesFile::new(&**generator, (*execution.trace).clone()).to_string();
                self.write(origin, &input, choices.as_bytes(), observer)?;
                by_generator = Some(ByGenerator::new(Arc::clone(generator), execution.clone(), self.settings));
            }
            (_, _, Origin::Mutant(_)) => {
                input = self.folder.join("unreduced").join(path.file_name().unwrap_or_default());
                self.write(origin, &input, made.text().as_bytes(), observer)?;
            }
            _ => {}
        }
        let problem = Problem {
            program: self.programs.program(path.file_name().unwrap_or_default(), made.text()),
            oracle,
            executor: Arc::clone(&self.executor),
            // Any failure that is found is kept.
            runs: Runs { accept_trivial: true, ..Runs::default() },
            notes: Vec::new(),
        };
        let plan = Plan {
            made: by_generator,
            schedule: Schedule { sentences: self.programs.sentences().cloned(), ..Schedule::default() },
            transforms: self.transforms.clone(),
            finds: self.finds.clone(),
            ..Plan::new(input, Output::at_default(path).map_err(Trouble::Output)?)
        };
        let reduced = reduce(&problem, &self.session, &plan, &mut OfReduction { origin, observer });
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
        warn(origin, message, observer);
        Ok(None)
    }

    /// Writes what a reduction begins with.
    fn write(&self, origin: &Origin, path: &Path, bytes: &[u8], observer: &mut dyn Observer) -> Result<(), Trouble> {
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(Trouble::Output)?;
        let written = Output::at_default(path).and_then(|output| output.write(bytes));
        if let Some(aside) = written.map_err(Trouble::Output)? {
            warn(origin, put_aside_message(path, &aside), observer);
        }
        Ok(())
    }
}

/// Reports a problem with a program, unless it is a mutant: there are many.
fn warn(origin: &Origin, message: String, observer: &mut dyn Observer) {
    if !origin.is_mutant() {
        observer.event(&Event::Fuzz(Fuzzed::Warning { origin: origin.to_string(), message }));
    }
}

/// Passes on the warnings and the finds of a reduction.
struct OfReduction<'a> {
    origin: &'a Origin,
    observer: &'a mut dyn Observer,
}

impl Observer for OfReduction<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Warning { message } => warn(self.origin, message.clone(), self.observer),
            Event::Found(_) => self.observer.event(event),
            _ => {}
        }
    }
}
