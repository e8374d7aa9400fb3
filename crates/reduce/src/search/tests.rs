//! Whole searches with oracles in the process.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use mcve_transforms::{LikelyError, LikelyErrors, Source, transforms};

use super::engine::Search;
use super::filters::Filters;
use super::passes::schedule::{COARSE_TO_FINE, LAST, Pass, Schedule, Strategy};
use super::passes::{growing, minimality, pipeline, runner};
use crate::check::layers::Layers;
use crate::check::limits::{Limits, Skip, Stop};
use crate::check::testing::{Events, HANGS, advised, asking, checker, runner as hanging_checks, shortcut};
use crate::event::{Event, Observer};
use crate::program::Program;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;

const INPUT: &str = "
mod a { pub fn f(x: u8, y: u8) -> u8 { let z = x + y; if z > 1 { z * 2 } else { 0 } } pub struct S { a: u8, b: u8 } }
mod b { use super::a::f; pub fn g() -> u8 { println!(\"{}\", f(1, 2)); needle(3, 4) } fn needle(a: u8, b: u8) -> u8 { a } }
fn main() { match b::g() { 0 => {}, _ => panic!() } }
";

/// The result of a whole search, and all that it told.
fn reduce(jobs: usize, fails: impl Fn(&str) -> Outcome + Clone + Send + Sync + 'static) -> (String, Vec<String>) {
    let checker = checker(jobs, Limits::default(), fails.clone());
    let all: Vec<Pass> = COARSE_TO_FINE.iter().chain(LAST).copied().collect();
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let mut search = Search::new(Program::new("a.rs", INPUT), transforms().collect(), checker, &mut events, &mut keep);
    runner::run(&mut search, COARSE_TO_FINE.into());
    search.run_steps().expect("nothing stops it");
    growing::run(&mut search, COARSE_TO_FINE.into()).expect("nothing stops it");
    search.run_steps().expect("nothing stops it");
    runner::run(&mut search, LAST.into());
    search.run_steps().expect("nothing stops it");
    minimality::prove(&mut search, all.clone().into());
    search.run_steps().expect("nothing stops it");
    let transforms: Vec<_> = all.iter().flat_map(Pass::transforms).collect();
    let reductions = search.reductions(&transforms).expect("nothing stops it");
    for index in 0..reductions.len() {
        let keep = KeepList::full(reductions.len()).without(index..index + 1);
        let text = mcve_transforms::apply(&search.best().text, keep.removed().map(|index| &reductions[index]));
        assert_ne!(fails(&text), Outcome::Fail, "not 1-minimal: {text}");
    }
    let text = search.best().text.to_string();
    (text, events.0.iter().map(|event| format!("{event:?}")).collect())
}

/// Asks to skip the pass under way at each check in those of these names.
struct Skipping<'a> {
    passes: &'a [&'static str],
    skip: Skip,
    /// The passes, each with the number of its checks.
    checks: Vec<(&'static str, usize)>,
}

impl Observer for Skipping<'_> {
    fn event(&mut self, event: &Event) {
        match (event, self.checks.last_mut()) {
            (Event::PassStarted { pass, .. }, _) => self.checks.push((pass, 0)),
            (Event::Checked { .. }, Some((pass, count))) => {
                *count += 1;
                if self.passes.contains(pass) {
                    self.skip.ask();
                }
            }
            _ => {}
        }
    }
}

/// The result where each check in these passes asks to skip it, and the most checks that one of them makes.
fn skipping(passes: &[&'static str], jobs: usize) -> (String, usize) {
    let limits = Limits::default();
    let mut observer = Skipping { passes, skip: limits.skip.clone(), checks: Vec::new() };
    let (checker, mut keep) = (checker(jobs, limits, calls_needle), |_: &Program| Ok(()));
    let program = Program::new("a.rs", INPUT);
    let mut search = Search::new(program, transforms().collect(), checker, &mut observer, &mut keep);
    pipeline::run(&mut search, None, &Schedule::default()).expect("nothing stops it");
    let result = search.best().text.to_string();
    let own = observer.checks.iter().filter(|(pass, _)| passes.contains(pass));
    (result, own.map(|(_, count)| *count).max().unwrap_or_default())
}

#[test]
fn a_pass_that_is_skipped_ends_and_the_proof_makes_up_for_it() {
    let tokens = |text: &str| Program::new("a.rs", text).measure().tokens;
    let (result, _) = skipping(&[], 2);
    let schedule = Schedule::default();
    let all: Vec<&str> = schedule.all().iter().map(|pass| pass.name).chain([growing::NAME]).collect();
    for jobs in [1, 3] {
        for passes in [&["items"][..], &["bodies"], &["expressions"], &all] {
            let (own, checks) = skipping(passes, jobs);
            // The check under way, and one that confirms.
            assert!(checks <= 2, "{passes:?}: {checks} checks");
            assert_eq!(tokens(&own), tokens(&result), "the proof finds what {passes:?} left: {own}");
        }
    }
}

#[test]
fn the_proof_cannot_be_skipped() {
    let proven = |passes| {
        let limits = Limits::default();
        let mut observer = Skipping { passes, skip: limits.skip.clone(), checks: Vec::new() };
        let (checker, mut keep) = (checker(1, limits, calls_needle), |_: &Program| Ok(()));
        let program = Program::new("a.rs", INPUT);
        let mut search = Search::new(program, transforms().collect(), checker, &mut observer, &mut keep);
        minimality::prove(&mut search, Schedule::default().all().into());
        search.run_steps().expect("nothing stops it");
        let result = search.best().text.to_string();
        (result, observer.checks)
    };
    let (result, checks) = proven(&[minimality::NAME]);
    assert!(checks[0].1 > 10, "{checks:?}");
    assert_eq!((result, checks), proven(&[]));
}

fn calls_needle(text: &str) -> Outcome {
    match (Source::is_valid(text), text.contains("needle(3")) {
        (false, _) => Outcome::Unresolved,
        (true, true) => Outcome::Fail,
        (true, false) => Outcome::Pass,
    }
}

/// As [`calls_needle`], but it says `Unresolved` for every third text, chosen by its hash.
fn at_random(text: &str) -> Outcome {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    if hasher.finish().is_multiple_of(3) && text != INPUT { Outcome::Unresolved } else { calls_needle(text) }
}

#[test]
fn the_whole_course_does_not_depend_on_the_number_of_workers() {
    for fails in [calls_needle, at_random, |_: &str| Outcome::Fail] {
        let alone = reduce(1, fails);
        for jobs in [2, 3, 8] {
            assert_eq!(reduce(jobs, fails), alone, "{jobs} workers");
        }
    }
}

#[test]
fn the_next_check_is_under_way_while_one_runs() {
    for jobs in [2, 3] {
        let (all, turn) = (Arc::new((Mutex::new(0), Condvar::new())), Arc::new(AtomicUsize::new(0)));
        let (text, _) = reduce(jobs, move |text| {
            // The first check ends when there are as many as there are workers: which of them are asked for is not known yet.
            let (begun, changed) = &*all;
            *begun.lock().expect("nobody panics") += 1;
            changed.notify_all();
            if turn.fetch_add(1, Ordering::Relaxed) == 0 {
                let begun = begun.lock().expect("nobody panics");
                drop(changed.wait_while(begun, |begun| *begun < jobs).expect("nobody panics"));
            }
            calls_needle(text)
        });
        assert_eq!(text, reduce(1, calls_needle).0);
    }
}

#[test]
fn random_unresolved_verdicts_still_end_one_minimal() {
    let (text, _) = reduce(2, at_random);
    assert_eq!(calls_needle(&text), Outcome::Fail);
}

#[test]
fn a_failure_that_needs_no_program_leaves_none() {
    assert_eq!(reduce(1, |_| Outcome::Fail).0.trim(), "");
}

/// As [`calls_needle`], by a check that runs the program and never ends where there is an endless loop.
fn runs_into_needle(text: &str) -> Option<Outcome> {
    (!text.contains("loop {}")).then(|| calls_needle(text))
}

/// How many checks hang before the proof, and in all, for `text`.
fn hanging(text: &str) -> (usize, usize, String) {
    let all: Vec<Pass> = COARSE_TO_FINE.iter().chain(LAST).copied().collect();
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let program = Program::new("a.rs", text);
    let mut search =
        Search::new(program, transforms().collect(), hanging_checks(runs_into_needle), &mut events, &mut keep);
    runner::run(&mut search, all.clone().into());
    search.run_steps().expect("nothing stops it");
    minimality::prove(&mut search, all.into());
    search.run_steps().expect("nothing stops it");
    let result = search.best().text.to_string();
    let hangs = |event: &&Event| matches!(event, Event::Checked { reason, .. } if reason == HANGS);
    let proof = events.0.iter().position(|event| matches!(event, Event::PassStarted { pass: minimality::NAME, .. }));
    let (passes, _) = events.0.split_at(proof.expect("there is a proof"));
    (passes.iter().filter(hangs).count(), events.0.iter().filter(hangs).count(), result)
}

#[test]
fn what_makes_a_check_hang_is_put_off_to_the_proof() {
    let (early, _, result) = hanging(INPUT);
    assert_eq!(early, 0);
    assert!(result.contains("needle") && result.len() < 30, "{result}");
}

#[test]
fn without_a_prelude_there_is_no_panic() {
    let (early, all, _) = hanging(&format!("#![no_implicit_prelude]{INPUT}"));
    assert!(early > 0, "of {all}");
}

/// A warning of a compiler that the function whose name begins with `idle` is never used, for each.
fn dead(text: &str) -> String {
    let warning = |(start, name): (usize, &str)| {
        format!(
            r#"{{"message":"m","code":{{"code":"dead_code"}},"level":"warning","spans":[{{"file_name":"a.rs","byte_start":{start},"byte_end":{},"line_start":1,"column_start":1,"is_primary":true}}]}}"#,
            start + name.len()
        )
    };
    text.match_indices("idle").map(warning).collect::<Vec<_>>().join("\n")
}

/// What the pass of hints leaves of a program with three idle functions, and how many programs it has run for that.
fn follow_hints(jobs: usize, fails: fn(&str) -> Outcome, advice: fn(&str) -> String) -> (String, usize) {
    let text = "fn idle() {} fn idle2() {} fn needle() {} fn idle3() {}";
    let pass = COARSE_TO_FINE.iter().find(|pass| pass.strategy == Strategy::Hints).expect("there is one");
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let checker = advised(jobs, Limits::default(), fails, advice);
    let mut search = Search::new(Program::new("a.rs", text), transforms().collect(), checker, &mut events, &mut keep);
    runner::run_pass(&mut search, pass).expect("nothing stops it");
    (search.best().text.trim().to_owned(), search.checks.tally.outputs + search.checks.tally.checks)
}

#[test]
fn what_a_compiler_calls_idle_goes_in_one_check() {
    let fails = |text: &str| if text.contains("needle") { Outcome::Fail } else { Outcome::Pass };
    for jobs in [1, 4] {
        assert_eq!(follow_hints(jobs, fails, dead), ("fn needle() {}".to_owned(), 2));
    }
}

#[test]
fn a_compiler_that_is_wrong_costs_a_few_checks() {
    let fails = |text: &str| if text.contains("idle2") { Outcome::Fail } else { Outcome::Pass };
    assert_eq!(follow_hints(1, fails, dead), ("fn idle2() {} fn needle() {}".to_owned(), 5));
}

#[test]
fn without_hints_nothing_happens() {
    let text = follow_hints(1, |_| Outcome::Fail, |_| String::new());
    assert_eq!(text, follow_hints(1, |_| Outcome::Fail, |_| "{ no JSON".to_owned()));
    assert_eq!(text.1, 1);
}

/// What is wrong with `text` and not with the input, as far as its syntax tells.
fn errors(text: &str) -> BTreeSet<LikelyError> {
    LikelyErrors::of(&Source::parse(text)).beyond(&LikelyErrors::of(&Source::parse(INPUT)))
}

/// What the passes leave, and of which candidates they ask, by a check like [`calls_needle`] that may refuse likely errors.
fn asked(jobs: usize, minds: bool, schedule: &Schedule) -> (String, Vec<String>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let asking = Arc::clone(&asked);
    let fails = move |text: &str| {
        asking.lock().expect("nobody panics").push(text.to_owned());
        if minds && !errors(text).is_empty() { Outcome::Unresolved } else { calls_needle(text) }
    };
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let checker = checker(jobs, Limits::default(), fails);
    let mut search = Search::new(Program::new("a.rs", INPUT), transforms().collect(), checker, &mut events, &mut keep);
    search = search.with_schedule(schedule);
    runner::run(&mut search, COARSE_TO_FINE.into());
    search.run_steps().expect("nothing stops it");
    let text = search.best().text.to_string();
    drop(search);
    let asked = asked.lock().expect("nobody panics").clone();
    (text, asked)
}

#[test]
fn of_each_kind_of_flaw_that_the_failure_minds_one_candidate_is_asked() {
    let (text, asked_of) = asked(1, true, &Schedule::default());
    let mut seen = BTreeSet::new();
    for kinds in asked_of.iter().map(|text| errors(text)).filter(|kinds| kinds.len() == 1) {
        assert!(seen.is_disjoint(&kinds), "{kinds:?} again");
        seen.extend(kinds);
    }
    assert!(seen.len() > 2, "{seen:?}");
    let (without, more) =
        asked(1, true, &Schedule { filters: Filters::default().without("likely-errors"), ..Schedule::default() });
    assert_eq!(text, without);
    assert!(asked_of.len() * 10 < more.len() * 9, "{} of {}", asked_of.len(), more.len());
}

#[test]
fn a_failure_that_does_not_mind_flaws_is_reduced_through_them() {
    let (_, asked) = asked(1, false, &Schedule::default());
    let is_taken = |text: &&String| !errors(text).is_empty() && calls_needle(text) == Outcome::Fail;
    let taken = asked.iter().filter(is_taken).count();
    assert!(taken > 3, "{taken} of {}", asked.len());
}

#[test]
fn what_comes_behind_a_part_of_a_search_is_begun_before_that_ends() {
    fn ask(search: &mut Search<'_>, text: &str) -> Result<(), Stop> {
        let mut candidates = std::iter::once(Some((Program::new("a.rs", text), ())));
        search.checks.first(&mut candidates, &mut Events::default()).map(drop)
    }
    let (outcome, questions) = asking();
    let search = std::thread::spawn(move || {
        let checks = checker(3, Limits::default(), outcome);
        let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
        let mut search = Search::new(Program::new("a.rs", "x"), Vec::new(), checks, &mut events, &mut keep);
        search.then(|search| ask(search, "c"));
        search.then(|search| {
            search.then(|search| ask(search, "b"));
            ask(search, "a")
        });
        search.run_steps().expect("nothing stops it");
        search.checks.tally.checks
    });
    let mut begun: Vec<_> = questions.iter().take(3).collect();
    begun.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert_eq!(begun.iter().map(|(text, _)| &**text).collect::<Vec<_>>(), ["a", "b", "c"]);
    for (_, answer) in &begun {
        answer.send(Outcome::Pass).expect("it waits for that");
    }
    assert_eq!(search.join().expect("it waits for nothing else"), 3);
}

/// The result of the passes with these layers and filters, and how many checks they made.
fn reduce_with(layers: Layers, filters: Filters) -> (String, usize) {
    let checks = shortcut(2, calls_needle, calls_needle).with_layers(layers);
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let program = Program::new("a.rs", INPUT);
    let mut search = Search::new(program, transforms().collect(), checks, &mut events, &mut keep);
    search = search.with_schedule(&Schedule { filters, ..Schedule::default() });
    runner::run(&mut search, COARSE_TO_FINE.into());
    search.run_steps().expect("nothing stops it");
    search.confirm().expect("nothing stops it");
    (search.best().text.to_string(), search.checks.tally.checks)
}

#[test]
fn each_layer_can_be_left_out_and_the_result_is_the_same() {
    let all = Layers::default();
    let (text, checks) = reduce_with(all, Filters::default());
    for layers in [
        Layers { limits: false, ..all },
        Layers { journal: false, ..all },
        Layers { speculation: false, ..all },
        Layers { fork_server: false, ..all },
    ] {
        assert_eq!(reduce_with(layers, Filters::default()), (text.clone(), checks), "{layers:?}");
    }
    let (without, more) = reduce_with(Layers { cache: false, ..all }, Filters::default());
    assert_eq!(without, text);
    assert!(more > checks, "what is not known is asked again: {more}, {checks}");
}

#[test]
fn each_filter_can_be_left_out_and_the_result_fails_all_the_same() {
    let (_, checks) = reduce_with(Layers::default(), Filters::default());
    for name in Filters::default().names() {
        let (text, more) = reduce_with(Layers::default(), Filters::default().without(name));
        assert_eq!(calls_needle(&text), Outcome::Fail, "without {name}");
        // The others have nothing to refuse here.
        assert_eq!(more != checks, ["rejected-before", "likely-errors"].contains(&name), "without {name}: {more}");
    }
}
