//! What becomes of a shortcut, with closures in the place of rustc.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mcve_transforms::transforms;

use super::*;
use crate::check::baseline::{Runs, baseline};
use crate::check::checks::Checks;
use crate::check::confirm::{is_certain, try_fork_server};
use crate::check::limits::Limits;
use crate::check::testing::{Events, checker, limited_shortcut, shortcut};
use crate::event::Observer;
use crate::exec::job::Trust;
use crate::search::engine::Search;
use crate::search::passes::schedule::COARSE_TO_FINE;
use crate::search::passes::{format, runner};
use crate::state::invocation::Invocation;
use crate::state::journal::Journal;
use mcve_dd::outcome::Outcome;

const INPUT: &str = "fn needle() {} fn a() { b(); c() } fn b() { 1; 2; 3; } fn c() {} fn d() { needle() }";

fn has_needle(text: &str) -> Outcome {
    if text.contains("needle") { Outcome::Fail } else { Outcome::Pass }
}

/// Finds the failure in smaller programs, too, where it is not.
fn lies(text: &str) -> Outcome {
    if text.len() < INPUT.len() / 2 { Outcome::Fail } else { has_needle(text) }
}

/// What the passes make of the input, with the number of checks, how often it was told that there is no shortcut any more,
/// and the programs that were kept.
fn reduce(checks: Checks) -> (String, usize, usize, Vec<String>) {
    let (mut events, mut kept) = (Events::default(), Vec::new());
    let mut keep = |program: &Program| {
        kept.push(program.text.to_string());
        Ok(())
    };
    let mut search = Search::new(Program::new("a.rs", INPUT), transforms().collect(), checks, &mut events, &mut keep);
    let run = |search: &mut Search<'_>| {
        runner::run(search, COARSE_TO_FINE.into());
        search.run_steps().and_then(|()| search.confirm())
    };
    while let Err(stop) = run(&mut search) {
        assert!(matches!(stop, Stop::Refuted), "{stop:?}");
        search.fall_back();
    }
    let (text, count) = (search.best().text.to_string(), search.checks.tally.checks);
    let told = events.0.iter().filter(|event| matches!(event, Event::ShortcutClosed { .. })).count();
    (text, count, told, kept)
}

#[test]
fn a_search_with_a_shortcut_is_the_same_and_seldom_goes_without_it() {
    let plain = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&plain);
    let (text, checks, told, kept) = reduce(shortcut(
        1,
        move |text| {
            counted.fetch_add(1, Ordering::Relaxed);
            has_needle(text)
        },
        has_needle,
    ));
    let (plain_text, plain_checks, _, plain_kept) = reduce(checker(1, Limits::default(), has_needle));
    assert_eq!((text, checks, told), (plain_text, plain_checks, 0));
    assert!(plain.load(Ordering::Relaxed) == kept.len() && kept.len() < plain_kept.len());
    assert_eq!(kept.last(), plain_kept.last());
}

#[test]
fn what_fails_by_a_shortcut_only_is_never_kept_and_taken_back() {
    let (plain_text, ..) = reduce(checker(1, Limits::default(), has_needle));
    for jobs in 1..4 {
        let (text, _, told, kept) = reduce(shortcut(jobs, has_needle, lies));
        assert_eq!((text, told), (plain_text.clone(), 1));
        assert!(kept.iter().all(|text| has_needle(text) == Outcome::Fail), "{kept:?}");
    }
}

#[test]
fn the_check_of_the_layout_makes_certain_what_was_found_before() {
    let runs = [0; 2].map(|_| Arc::new(AtomicUsize::new(0)));
    let [plain, quick] = runs.clone().map(|runs| {
        move |text: &str| {
            runs.fetch_add(1, Ordering::Relaxed);
            has_needle(text)
        }
    });
    let count = || runs.each_ref().map(|runs| runs.load(Ordering::Relaxed));
    let checks = shortcut(1, plain, quick);
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let mut search = Search::new(Program::new("a.rs", INPUT), transforms().collect(), checks, &mut events, &mut keep);
    runner::run(&mut search, COARSE_TO_FINE.into());
    search.run_steps().expect("nothing stops it");
    assert!(!is_certain(&search.checks, search.best()), "{}", search.best().text);
    let [plain, quick] = count();
    assert!(format::format(&mut search, false).expect("nothing stops it"));
    search.confirm().expect("nothing stops it");
    assert_eq!((count(), search.unconfirmed.events.len()), ([plain + 1, quick], 0));
}

/// Interrupts the search when something has failed.
struct Interrupts(Arc<AtomicBool>);

impl Observer for Interrupts {
    fn event(&mut self, event: &Event) {
        let fails = matches!(event, Event::Checked { outcome: Outcome::Fail, .. });
        self.0.fetch_or(fails, Ordering::Relaxed);
    }
}

#[test]
fn what_was_found_before_an_interrupt_is_confirmed_and_kept() {
    // Of an empty program nothing would be left to ask.
    let only_without = |text: &str| match has_needle(text) {
        Outcome::Pass if !text.is_empty() => Outcome::Fail,
        _ => Outcome::Pass,
    };
    for (quick, kept) in [(has_needle as fn(&str) -> Outcome, true), (only_without, false)] {
        let interrupt = Arc::default();
        let limits = Limits { interrupt: Arc::clone(&interrupt), ..Limits::default() };
        let checks = limited_shortcut(1, limits, has_needle, quick);
        let mut observer = Interrupts(Arc::clone(&interrupt));
        let mut keep = |_: &Program| Ok(());
        let program = Program::new("a.rs", INPUT);
        let mut search = Search::new(program, transforms().collect(), checks, &mut observer, &mut keep);
        runner::run(&mut search, COARSE_TO_FINE.into());
        let stop = search.run_steps();
        assert!(matches!(stop, Err(Stop::Interrupted)));
        search.conclude();
        assert_eq!((search.best().text.len() < INPUT.len(), has_needle(&search.best().text)), (kept, Outcome::Fail));
    }
}

#[test]
fn a_shortcut_by_which_the_failure_does_not_show_is_closed() {
    let program = Program::new("a.rs", INPUT);
    for (quick, open) in [(has_needle as fn(&str) -> Outcome, true), (|_| Outcome::Pass, false)] {
        let (mut checks, mut events) = (shortcut(2, has_needle, quick), Events::default());
        try_fork_server(&mut checks, &program, &mut events).expect("nothing stops it");
        assert_eq!((checks.least_trust() == Trust::Likely, checks.tally.checks, events.0.is_empty()), (open, 0, open));
    }
}

/// The result of a search with a journal whose fork server lies, the programs that were kept, and the checks.
fn refuted(journal: &Journal, jobs: usize) -> (String, Vec<String>, usize) {
    let (text, count, closed, kept) = reduce(shortcut(jobs, has_needle, lies).with_journal(journal.clone()));
    assert_eq!(closed, 1);
    (text, kept, count)
}

#[test]
fn a_refuted_search_that_is_cut_short_anywhere_takes_the_same_course_again() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a.journal");
    let question = Invocation::new(&["mcve".into()], "/".into(), "/r.rs".into(), Program::new("a.rs", INPUT).hash());
    let journal = Journal::begin(&path, question, &|_| false).expect("it can be made");
    let (text, kept, checks) = refuted(&journal, 1);
    drop(journal);
    let lines = std::fs::read_to_string(&path).expect("it is there");
    let lines: Vec<&str> = lines.split_inclusive('\n').collect();
    assert!(lines.iter().any(|line| line.contains("likely")) && lines.iter().any(|line| line.contains("certain")));
    for cut in (1..=lines.len()).step_by(5) {
        for jobs in [1, 3] {
            std::fs::write(&path, lines[..cut].concat()).expect("it can be written");
            let (journal, _) = Journal::resume(&path).expect("it is there");
            let (again, all, more) = refuted(&journal, jobs);
            assert_eq!((&again, all), (&text, kept.clone()), "cut behind line {cut}");
            assert!(more <= checks, "{more}, {checks}");
        }
    }
}

#[test]
fn what_failed_by_luck_is_never_kept_and_taken_back() {
    let (plain_text, ..) = reduce(checker(1, Limits::default(), has_needle));
    for jobs in 1..3 {
        let runs: Mutex<HashMap<String, usize>> = Mutex::default();
        // Four of five runs fail; those of small programs that do not fail do so at first.
        let outcome = move |text: &str| {
            let mut runs = runs.lock().expect("nobody panics");
            let run = runs.entry(text.to_owned()).or_default();
            *run += 1;
            let is_lucky = text.len() < INPUT.len() / 2 && *run <= 4;
            match has_needle(text) {
                Outcome::Fail if *run % 5 == 2 => Outcome::Pass,
                Outcome::Pass if is_lucky => Outcome::Fail,
                outcome => outcome,
            }
        };
        let mut checks = checker(jobs, Limits::default(), outcome);
        let input = Program::new("a.rs", INPUT);
        baseline(&mut checks, &input, Runs::default(), None, &mut Events::default()).expect("it fails often enough");
        let (text, _, _, kept) = reduce(checks);
        assert_eq!(text, plain_text);
        assert!(kept.iter().all(|text| has_needle(text) == Outcome::Fail), "{kept:?}");
    }
}
