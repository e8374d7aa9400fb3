//! Reductions that make the program larger at first: applied as a trial, reduced further where the program changed, and
//! kept only if that makes the program smaller than it was.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use mcve_transforms::{Reduction, Transform};

use super::runner::{self, reduce_by};
use super::schedule::Pass;
use crate::check::limits::Stop;
use crate::event::{Event, Rejection};
use crate::program::Program;
use crate::search::best::name;
use crate::search::engine::Search;
use crate::search::transaction::{Scope, Transaction};
use mcve_dd::outcome::Outcome;

/// The name of the pass.
pub const NAME: &str = "trials";

/// How many trials a run makes at most.
const TRIALS: usize = 48;

/// How many tests one trial may take.
const TESTS: usize = 250;

/// Tries what the transforms of `schedule` propose as trials, the least growth first; if some paid, all passes run again.
pub(crate) fn run(search: &mut Search<'_>, schedule: Arc<[Pass]>) -> Result<(), Stop> {
    Trials::default().begin(search, &schedule)
}

#[derive(Clone, Default)]
struct Trials {
    /// How many were made.
    made: usize,
    /// Those that did not pay, since one last paid: it may have made others worth their growth.
    tried: HashSet<Key>,
    /// Whether any of them paid since the schedule was run.
    paid: bool,
}

impl Trials {
    /// Makes the trials that were not made, if there are any.
    fn begin(self, search: &mut Search<'_>, schedule: &Arc<[Pass]>) -> Result<(), Stop> {
        if self.made < TRIALS && self.next(search, schedule)?.is_some() {
            search.observer.event(&Event::PassStarted { pass: NAME, doing: "trying what makes it larger first" });
            search.checks.begin_pass(NAME);
            self.then(search, schedule);
        }
        Ok(())
    }

    /// Makes the next trial the next step.
    fn then(self, search: &mut Search<'_>, schedule: &Arc<[Pass]>) {
        let schedule = Arc::clone(schedule);
        search.then(move |search| self.clone().step(search, &schedule));
    }

    /// Makes one trial. Behind the last one the schedule runs again if any of them paid, and then there may be new ones.
    fn step(mut self, search: &mut Search<'_>, schedule: &Arc<[Pass]>) -> Result<(), Stop> {
        let goes_on = self.made < TRIALS && !search.gives_way();
        let trial = if goes_on { self.next(search, schedule)? } else { None };
        if let Some(trial) = trial {
            let key = key(search, &trial);
            let pays = attempt(search, &trial, schedule)?;
            self.record(key, pays);
            self.then(search, schedule);
            return Ok(());
        }
        search.end_pass(NAME)?;
        if std::mem::take(&mut self.paid) {
            let later = Arc::clone(schedule);
            search.then(move |search| self.clone().begin(search, &later));
            runner::run(search, Arc::clone(schedule));
        }
        Ok(())
    }

    fn record(&mut self, key: Key, pays: bool) {
        self.made += 1;
        if pays {
            self.paid = true;
            self.tried.clear();
        }
        self.tried.insert(key);
    }

    /// The first of the trials that grow least, among those that were not made.
    fn next(&self, search: &mut Search<'_>, schedule: &[Pass]) -> Result<Option<Reduction>, Stop> {
        let transforms: Vec<&'static Transform> = schedule.iter().flat_map(|pass| search.transforms_of(pass)).collect();
        let trials = search.proposed(&transforms, false)?;
        let new = trials.into_iter().filter(|trial| !self.tried.contains(&key(search, trial)));
        // Of equals, `min_by_key` takes the first.
        Ok(new.min_by_key(|trial| Reverse(trial.gain)))
    }
}

/// Identifies a trial although the program around it changes: the transform, the text that is replaced, and the new texts.
type Key = (&'static str, String, Vec<String>);

fn key(search: &Search<'_>, trial: &Reduction) -> Key {
    let site = search.best().text[trial.site.clone()].to_owned();
    (trial.transform.name, site, trial.edits.iter().map(|edit| edit.text.clone()).collect())
}

/// Makes one trial. Returns whether it paid.
fn attempt(search: &mut Search<'_>, trial: &Reduction, schedule: &[Pass]) -> Result<bool, Stop> {
    let base = search.best().clone();
    let (program, steps) = (base.reduced_by([trial]), vec![name(&base, trial)]);
    let reply = search.checks.reply(&program, search.observer)?;
    let fails = reply.as_ref().is_some_and(|reply| reply.outcome() == Outcome::Fail);
    let reduce = |search: &mut Search<'_>| schedule.iter().try_for_each(|pass| reduce_by(search, pass));
    let hash = program.hash();
    let pays = fails && transact(search, program, steps, reduce)?;
    if search.is_watched() {
        let refused = if fails { Rejection::by("trial") } else { search.rejection(hash, reply.as_ref()) };
        search.report(&base, trial, (!pays).then_some(refused));
    }
    Ok(pays)
}

/// Reduces `program`, which fails and may be larger than the best one, with at most [`TESTS`] tests. Replaces the best program if the
/// result is smaller, and returns whether it did.
fn transact(
    search: &mut Search<'_>,
    program: Program,
    steps: Vec<String>,
    reduce: impl Fn(&mut Search<'_>) -> Result<(), Stop>,
) -> Result<bool, Stop> {
    let (before, measure) = (search.best().clone(), search.measure());
    search.replace(program);
    let mut reduced = Ok(());
    // Half of the tests are for each scope: a change in many places would leave none for what is around them.
    let mut left = 0;
    for scope in [Scope::Changed, Scope::Related] {
        left += TESTS / 2;
        search.course.transaction = Some(Transaction { before: before.clone(), tests: left, scope });
        reduced = reduce(search);
        left = search.course.transaction.take().map_or(0, |transaction| transaction.tests);
        if reduced.is_err() || search.measure() < measure {
            break;
        }
    }
    let (after, pays) = (search.best().clone(), search.measure() < measure);
    search.replace(before);
    if pays {
        search.accept(after, steps)?;
    }
    // The gain of an interrupted transaction is kept, too.
    reduced.map(|()| pays)
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Measure, Source, transforms};

    use super::super::schedule::COARSE_TO_FINE;
    use super::*;
    use crate::check::limits::Limits;
    use crate::check::testing::{Events, checker};

    /// A program whose macro is called twice, so that its expansion is larger.
    const INPUT: &str = "macro_rules! m { ($a:ident) => { fn $a() { needle(); one(); two(); three(); four(); five(); six(); } } }\nm!(a);\nm!(b);\n";

    /// The results of trials on `INPUT`, with the texts that were kept and the number of checks.
    fn run(jobs: usize, fails: fn(&str) -> bool) -> (Vec<String>, usize) {
        let outcome = move |text: &str| match (Source::is_valid(text), fails(text)) {
            (true, true) => Outcome::Fail,
            _ => Outcome::Unresolved,
        };
        let mut kept = vec![INPUT.to_owned()];
        let mut events = Events::default();
        let checker = checker(jobs, Limits::default(), outcome);
        let mut keep = |program: &Program| {
            kept.push(program.text.to_string());
            Ok(())
        };
        let program = Program::new("a.rs", INPUT);
        let mut search = Search::new(program, transforms().collect(), checker, &mut events, &mut keep);
        super::run(&mut search, COARSE_TO_FINE.into()).expect("nothing stops it");
        search.run_steps().expect("nothing stops it");
        let (text, checks) = (search.best().text.to_string(), search.checks.tally.checks);
        drop(search);
        assert_eq!(kept.last(), Some(&text), "the best program is the one that was kept last");
        (kept, checks)
    }

    /// Fails while both functions call the needle, whether a macro makes them or not.
    fn needs_both(text: &str) -> bool {
        let made = text.contains("fn $a") && text.contains("needle();");
        let has = |name: &str| match text.find(&format!("fn {name}")) {
            Some(at) => text[at..].split('}').next().is_some_and(|body| body.contains("needle();")),
            None => made && text.contains(&format!("m!({name})")),
        };
        has("a") && has("b")
    }

    #[test]
    fn a_trial_that_pays_is_kept_and_nothing_larger_is_ever_written() {
        let (kept, _) = run(1, needs_both);
        let sizes: Vec<_> = kept.iter().map(|text| Program::new("a.rs", &**text).measure()).collect();
        assert!(sizes.is_sorted_by(|before, after| after < before), "{sizes:?}");
        let last = kept.last().expect("the first is there");
        assert!(!last.contains("macro_rules"), "{last}");
    }

    #[test]
    fn a_trial_that_does_not_pay_is_undone() {
        let (kept, checks) = run(1, |text| Measure::of(text) >= Measure::of(INPUT));
        assert_eq!(kept, [INPUT]);
        assert!(checks > 1, "trials are checked");
    }

    #[test]
    fn what_did_not_pay_is_tried_again_after_another_trial_paid() {
        let (mut trials, key) = (Trials::default(), |name| (name, String::new(), Vec::new()));
        for (name, pays) in [("one", false), ("two", true), ("three", false)] {
            trials.record(key(name), pays);
        }
        let is_tried = |name| trials.tried.contains(&key(name));
        assert_eq!((trials.made, ["one", "two", "three"].map(is_tried)), (3, [false, true, true]));
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_workers() {
        assert_eq!(run(1, needs_both), run(4, needs_both));
    }
}
