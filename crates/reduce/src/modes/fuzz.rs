//! `mcve fuzz`: generates programs, mutates files or takes them as they are until some fail, and keeps the smallest one of each failure.

mod programs;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcve_transforms::{STACK, Transform};

use programs::{Made, Purpose, Queue, Task, Unmade, kept};
pub use programs::{Origin, Programs};

use super::probe::{InstrumentedProgram, Key, Probe, Probed};
use super::reduce::{Plan, reduce};
use crate::check::baseline::Runs;
use crate::check::limits::Stop;
use crate::check::refusal::Refusal;
use crate::event::{self, Observer, Summary};
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
    let kept = kept(&config.folder, &config.programs).map_err(Trouble::Output)?;
    let mut queue = Queue::new(&config.programs, kept);
    loop {
        let batch = queue.batch(config.session.jobs.max(1));
        if batch.is_empty() || config.is_over(&mut report) {
            return Ok(report);
        }
        for (task, (made, mut probed)) in batch.iter().zip(config.probe_all(&batch, &queue)?) {
            queue.learn(task, made.text(), &mut probed.diagnostics, !probed.failures.is_empty());
            let origin = &task.origin;
            if let (Origin::File(path), Purpose::Kept | Purpose::Mutate) = (origin, task.purpose) {
                for (key, _) in probed.failures {
                    let path = path.clone();
                    report.finds.push(Find { key, origin: origin.clone(), path, times: 0, summary: None });
                }
                continue;
            }
            if config.is_over(&mut report) {
                return Ok(report);
            }
            report.programs += 1;
            if let Some(message) = probed.trouble {
                tell(&FuzzEvent::Warning { origin, message });
            }
            for (key, oracle) in probed.failures {
                if let Some(known) = report.finds.iter_mut().find(|find| find.key.is_same(&key)) {
                    known.times += 1;
                    tell(&FuzzEvent::Again { origin, first: &known.origin });
                    continue;
                }
                let FailureId { words: failure, fingerprint } = oracle.failure();
                tell(&FuzzEvent::Found { origin, failure: &failure, fingerprint });
                let path = config.place(origin, &report.finds);
                let summary = config.keep(origin, &path, &made, oracle, tell)?;
                let find = Find { key, origin: origin.clone(), path, times: 1, summary };
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
        let stop = self.session.limits.proceed().err();
        report.interrupted |= matches!(stop, Some(Stop::Interrupted));
        report.out_of_time |= matches!(stop, Some(Stop::Budget));
        stop.is_some()
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

    /// Makes or reads the programs and tests them, as many at once as there are jobs. An error is that of the first program that
    /// has one.
    fn probe_all(&self, tasks: &[Task], queue: &Queue<'_>) -> Result<Vec<(Made, Probed)>, Trouble> {
        let cancel = self.session.limits.cancel();
        let next = AtomicUsize::new(0);
        let work = || {
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let tasks = numbers.map_while(|number| Some((number, tasks.get(number)?)));
            tasks.map(|(number, task)| (number, self.probe(&task.origin, queue, &cancel))).collect()
        };
        let done: Result<Vec<Vec<_>>, Trouble> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for _ in 0..self.session.jobs.clamp(1, tasks.len()) {
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
        let made = match queue.make(origin, self.settings.limit) {
            Ok(made) => made,
            Err(Unmade::Halt(seed, halt)) => return Err(Trouble::Generator(seed, halt)),
            Err(Unmade::Unreadable(error)) => {
                let probed = Probed { trouble: Some(format!("cannot be read: {error}")), ..Probed::default() };
                return Ok((Made::Text(String::new()), probed));
            }
        };
        let probe = |text: &str| {
            let program = self.programs.program(format!("{}.{}", origin.name(), self.programs.extension()), text);
            let trial = InstrumentedProgram {
                program: &program,
                executor: &*self.executor,
                timeout: self.session.limits.timeout,
                cancel,
                found: Probed::default(),
            };
            trial.run(&self.probe)
        };
        let probed = probe(made.text()).map_err(Trouble::Exec)?;
        let news = queue.news(origin, &probed.diagnostics);
        if news.is_empty() || !probed.failures.is_empty() {
            return Ok((made, probed));
        }
        // Its descendants are shorter, too.
        let (unknown, sentences) = (Grammar::unknown(), self.programs.sentences());
        let grammar = sentences.map_or(&unknown, |sentences| sentences.grammar());
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
        tell: &mut dyn FnMut(&FuzzEvent<'_>),
    ) -> Result<Option<Summary>, Trouble> {
        let mut input = path.to_owned();
        let mut by_generator = None;
        match (made, &self.programs, origin) {
            (Made::Generated(execution), Programs::Generated(generator, _), _) => {
                input = path.with_extension("choices");
                let choices = ChoicesFile::new(&**generator, (*execution.trace).clone()).to_string();
                self.write(origin, &input, choices.as_bytes(), tell)?;
                by_generator = Some(ByGenerator::new(Arc::clone(generator), execution.clone(), self.settings));
            }
            (_, _, Origin::File(file)) => input = file.clone(),
            (_, _, Origin::Mutant(_)) => {
                input = self.folder.join("unreduced").join(path.file_name().unwrap_or_default());
                self.write(origin, &input, made.text().as_bytes(), tell)?;
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
        let reduced = reduce(&problem, &self.session, &plan, &mut Telling { origin, tell });
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

    /// Writes what a reduction begins with.
    fn write(
        &self,
        origin: &Origin,
        path: &Path,
        bytes: &[u8],
        tell: &mut dyn FnMut(&FuzzEvent<'_>),
    ) -> Result<(), Trouble> {
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(Trouble::Output)?;
        let written = Output::at_default(path).and_then(|output| output.write(bytes));
        if let Some(aside) = written.map_err(Trouble::Output)? {
            tell(&FuzzEvent::Warning { origin, message: put_aside_message(path, &aside) });
        }
        Ok(())
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

fn no_thread(source: std::io::Error) -> Trouble {
    Trouble::Exec(ExecError { doing: "cannot start a thread".to_owned(), source })
}
