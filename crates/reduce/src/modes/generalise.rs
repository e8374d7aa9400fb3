//! `mcve generalise`: which parts of a failing program may be any of their kind.
//!
//! As in Gopinath, Kampmann, Havrikov, Soremekun and Zeller, *Abstracting Failure-Inducing Inputs* (2020): a part is irrelevant
//! if the failure stays with each sample of its kind; then all such parts are changed together, and one that does not stand with the
//! others is taken back.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use mcve_dd::keep_list::KeepList;
use mcve_dd::one_by_one::one_by_one;
use mcve_dd::outcome::Outcome;
use mcve_dd::random::Random;
use mcve_transforms::{Part, PartChoice, Source, Tree, parts};

use crate::check::baseline::baseline;
use crate::check::checks::Checks;
use crate::check::limits::{Stop, ending};
use crate::check::refusal::Refusal;
use crate::check::speculation::expect;
use crate::event::{Event, General, Generalised, Observer};
use crate::failure::problem::Problem;
use crate::program::Program;
use crate::session::Session;

/// How many times all irrelevant parts are changed together.
const TOGETHER: u64 = 8;

/// The parts of the program that may be any of their kind.
///
/// # Errors
/// When the program does not fail, or a check cannot be run. An interrupt and a spent budget are no errors: what is known by
/// then is returned.
pub fn generalise(problem: &Problem, session: &Session, observer: &mut dyn Observer) -> Result<Generalised, Refusal> {
    let start = Instant::now();
    let Problem { program, oracle, runs, .. } = problem;
    let mut checks = Checks::new(oracle.with_time_to_pass(), session.executor(), session.jobs, session.limits.clone())?;
    baseline(&mut checks, program, *runs, None, observer)?;
    problem.report(observer);
    observer.event(&Event::PassStarted { pass: "parts", doing: "trying others in the place of each part" });
    let mut search = Generaliser { program: program.clone(), checks, observer, found: Vec::new() };
    let ending = ending(search.run())?;
    let Generaliser { program, checks, found, observer } = search;
    let parts = found.into_iter().map(|found| General {
        text: program.text[found.range.clone()].to_owned(),
        start: found.range.start,
        end: found.range.end,
        kind: found.choice.kind,
        samples: found.choice.samples,
        together: found.together,
    });
    let done = Generalised {
        ending,
        parts: parts.collect(),
        program,
        checks: checks.tally.checks,
        seconds: start.elapsed().as_secs_f64(),
        failure: problem.oracle.failure().words,
    };
    observer.event(&Event::Generalised(Box::new(done.clone())));
    Ok(done)
}

struct Generaliser<'a> {
    program: Program,
    checks: Checks,
    observer: &'a mut dyn Observer,
    found: Vec<Found>,
}

/// A part that may be any of its kind.
struct Found {
    range: Range<usize>,
    choice: PartChoice,
    /// Whether it may be so while all others are.
    together: bool,
}

impl Generaliser<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        let text = Arc::clone(&self.program.text);
        let source = Source::parse(&*text);
        let mut end = 0;
        for Part { range, choices } in parts(&Tree::new(&source)) {
            // What is inside of an irrelevant part is irrelevant.
            if range.start < end {
                continue;
            }
            for choice in choices {
                if self.holds(&range, &choice.samples)? {
                    end = range.end;
                    self.found.push(Found { range, choice, together: true });
                    break;
                }
            }
        }
        self.combine()
    }

    /// Whether the failure stays with each of these texts in the place.
    fn holds(&mut self, range: &Range<usize>, samples: &[String]) -> Result<bool, Stop> {
        let candidates: Vec<Program> =
            samples.iter().map(|sample| self.with(std::iter::once((range, sample.as_str())))).collect();
        for (at, candidate) in candidates.iter().enumerate() {
            expect(&self.checks, &mut candidates[at..].iter().cloned());
            if self.checks.outcome(candidate, self.observer)? != Outcome::Fail {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Changes all parts together, and takes back some of those with which the failure is lost.
    fn combine(&mut self) -> Result<(), Stop> {
        let mut random = Random::new(0);
        for _ in 0..TOGETHER {
            let choose = |found: &Found| found.choice.samples[random.index(found.choice.samples.len())].clone();
            let chosen: Vec<String> = self.found.iter().map(choose).collect();
            loop {
                let together: Vec<usize> = (0..self.found.len()).filter(|&at| self.found[at].together).collect();
                let mut breaks = |keep: &KeepList| {
                    let changed =
                        keep.kept().iter().map(|&at| (&self.found[together[at]].range, &*chosen[together[at]]));
                    let outcome = self.checks.outcome(&replaced(&self.program, changed), self.observer)?;
                    Ok::<_, Stop>(Outcome::fail_if(outcome != Outcome::Fail))
                };
                let all = KeepList::full(together.len());
                if breaks(&all)? != Outcome::Fail {
                    break;
                }
                let fewest = one_by_one(all, &mut breaks)?;
                // A single part fails with each of its samples; it may be unlucky once.
                let Some(&last) = fewest.kept().last() else { break };
                self.found[together[last]].together = false;
            }
        }
        Ok(())
    }

    fn with<'p>(&self, parts: impl Iterator<Item = (&'p Range<usize>, &'p str)>) -> Program {
        replaced(&self.program, parts)
    }
}

/// The program with other texts in these places, which are in ascending order.
fn replaced<'p>(program: &Program, parts: impl Iterator<Item = (&'p Range<usize>, &'p str)>) -> Program {
    let (mut text, mut at) = (String::new(), 0);
    for (range, other) in parts {
        text += &program.text[at..range.start];
        text += other;
        at = range.end;
    }
    text += &program.text[at..];
    program.with_text(text)
}
