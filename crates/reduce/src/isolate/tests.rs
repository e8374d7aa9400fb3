//! Contrasts by closures that judge the text: what is found, in how many checks, and what is not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mcve_transforms::{apply, transforms};

use super::initial::NoPair;
use super::pair::IsolationPair;
use crate::check::checks::Checks;
use crate::check::limits::{Limits, Stop};
use crate::check::refusal::Refusal;
use crate::check::testing::{Events, checker, runner};
use crate::program::Program;
use mcve_dd::general::Mode;
use mcve_dd::outcome::Outcome;

const PROGRAM: &str = "\
fn first(x: u8) -> u8 {
    let y = x + 1;
    y * 2
}

struct Unused(u8);

fn second(x: u8) -> u8 {
    let z = bad(x, 3);
    z
}

fn bad(a: u8, b: u8) -> u8 {
    first(a) + b
}

fn third() {
    println!(\"{}\", second(4));
}
";

/// What came of a pair: the two texts, the words for what sets them apart, and the number of checks.
struct Found {
    failing: String,
    passing: String,
    causes: Vec<String>,
    checks: usize,
}

fn pair(text: &str, mode: Mode, checks: Checks) -> Result<Found, NoPair> {
    let (mut events, base) = (Events::default(), Program::new("a.rs", text));
    let mut pair = IsolationPair::new(base, mode, transforms().collect(), checks, &mut events);
    pair.begin()?;
    pair.refine()?;
    is_minimal(&mut pair);
    Ok(Found {
        failing: pair.failing().text.to_string(),
        passing: pair.passing().text.to_string(),
        causes: pair.causes(),
        checks: pair.checks(),
    })
}

/// Checks by brute force what is said of every result: it fails and passes, and no single reduction can be done without.
#[track_caller]
fn is_minimal(pair: &mut IsolationPair<'_>) {
    let (failing, passing) = (pair.failing(), pair.passing());
    let mut outcome = |program: &Program| pair.outcome(program).expect("nothing stops it");
    assert_eq!((outcome(&failing), outcome(&passing)), (Outcome::Fail, Outcome::Pass));
    for index in 0..pair.difference.len() {
        let mut others = pair.difference.clone();
        let one = others.remove(index);
        if others.is_empty() {
            break;
        }
        let more = pair.with(pair.shared.iter().chain(&others));
        assert_ne!(
            pair.outcome(&more).expect("nothing stops it"),
            Outcome::Pass,
            "{} is superfluous",
            one.transform.name
        );
        if pair.mode == Mode::Isolate {
            let less = pair.with(pair.shared.iter().chain([&one]));
            assert_ne!(
                pair.outcome(&less).expect("nothing stops it"),
                Outcome::Fail,
                "{} is superfluous",
                one.transform.name
            );
        }
    }
}

fn calls(word: &'static str) -> impl Fn(&str) -> Outcome {
    move |text| if text.contains(word) { Outcome::Fail } else { Outcome::Pass }
}

fn by(jobs: usize, outcome: impl Fn(&str) -> Outcome + Send + Sync + 'static) -> Checks {
    checker(jobs, Limits::default(), outcome)
}

#[test]
fn the_expression_that_makes_it_fail_is_isolated_and_named() {
    let found = pair(PROGRAM, Mode::Isolate, by(1, calls("= bad("))).expect("there is one");
    assert!(found.failing.contains("let z = bad(") && !found.passing.contains("= bad("));
    assert_eq!(found.causes, ["the expression `bad(x, 3)` in the function `second`, line 9"]);
    assert_eq!(found.checks, 10);
}

#[test]
fn the_largest_version_that_passes_lacks_nothing_else() {
    let found = pair(PROGRAM, Mode::Maximise, by(1, calls("= bad("))).expect("there is one");
    assert_eq!(found.failing, PROGRAM);
    assert_eq!(found.passing, PROGRAM.replace("bad(x, 3)", "x"));
    assert_eq!(found.checks, 12);
}

#[test]
fn what_stands_at_two_places_is_repaired_at_both_and_isolated_at_one() {
    let text = PROGRAM.replace("x + 1", "bad(x, 1)");
    let found = pair(&text, Mode::Maximise, by(1, calls("= bad("))).expect("there is one");
    assert_eq!(found.passing, text.replace("bad(x, 3)", "x").replace("bad(x, 1)", "x"));
    assert_eq!(found.causes.len(), 2);
    let found = pair(&text, Mode::Isolate, by(1, calls("= bad("))).expect("there is one");
    assert_eq!(found.causes.len(), 1);
    assert_eq!(found.failing.matches("= bad(").count(), 1);
}

#[test]
fn of_two_that_fail_together_one_is_isolated() {
    let both = |text: &str| match (text.contains("bad(x"), text.contains("y * 2")) {
        (true, true) => Outcome::Fail,
        _ => Outcome::Pass,
    };
    let found = pair(PROGRAM, Mode::Isolate, by(1, both)).expect("there is one");
    assert_eq!(found.causes.len(), 1);
    assert_eq!(both(&found.failing), Outcome::Fail);
}

#[test]
fn what_is_no_code_is_found_among_items_with_what_refers_to_it() {
    let text = "struct A;\nstruct B(A);\nstruct C;\nfn f(b: B) {}\nfn g() {}\n";
    // A type that is named has to be there.
    let dangling = |text: &str| {
        (text.contains("B(A)") && !text.contains("struct A")) || (text.contains("b: B") && !text.contains("struct B"))
    };
    let outcome = move |text: &str| match (dangling(text), text.contains("struct A")) {
        (true, _) => Outcome::Unresolved,
        (false, true) => Outcome::Fail,
        (false, false) => Outcome::Pass,
    };
    let found = pair(text, Mode::Isolate, by(1, outcome)).expect("there is one");
    assert_eq!(found.causes, ["the struct `A`, line 1"]);
    let found = pair(text, Mode::Maximise, by(1, outcome)).expect("there is one");
    assert_eq!(outcome(&found.passing), Outcome::Pass);
    assert!(found.passing.contains("struct C") && found.passing.contains("fn g"), "{}", found.passing);
}

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    for mode in [Mode::Isolate, Mode::Maximise] {
        let run = |jobs| pair(PROGRAM, mode, by(jobs, calls("bad("))).expect("there is one");
        let (one, four) = (run(1), run(4));
        assert_eq!((one.failing, one.passing, one.causes), (four.failing, four.passing, four.causes));
    }
}

#[test]
fn an_attribute_of_the_file_can_be_all_that_matters() {
    let text = "#![feature(bad)]\nfn f() {}\n";
    let found = pair(text, Mode::Isolate, by(1, calls("bad"))).expect("there is one");
    assert!(found.causes[0].contains("bad"), "{:?}", found.causes);
}

#[test]
fn the_main_function_stays_where_a_program_is_none_without_it() {
    let text = "static S: u8 = S + 1;\nfn main() { f() }\nfn f() {}\n";
    let outcome = |text: &str| match (text.contains("fn main"), text.contains("= S +")) {
        (false, _) => Outcome::Unresolved,
        (true, true) => Outcome::Fail,
        (true, false) => Outcome::Pass,
    };
    let found = pair(text, Mode::Maximise, by(1, outcome)).expect("there is one");
    assert_eq!(found.passing, text.replace("S + 1", "S"));
    let item = move |text: &str| if text.contains("static") { Outcome::Fail } else { outcome(text) };
    let found = pair(text, Mode::Maximise, by(1, item)).expect("there is one");
    assert_eq!(found.passing, "fn main() { f() }\nfn f() {}\n");
}

#[test]
fn what_does_not_parse_is_isolated_by_its_tokens() {
    let text = "fn f() {}\nfn 1bad( { odd }\n";
    let found = pair(text, Mode::Isolate, by(1, calls("odd"))).expect("there is one");
    assert!(found.failing.contains("odd") && !found.passing.contains("odd"));
}

#[test]
fn where_an_empty_program_fails_there_is_no_contrast() {
    let failed = pair(PROGRAM, Mode::Isolate, by(1, |_| Outcome::Fail));
    assert!(matches!(failed, Err(NoPair::EmptyFails)));
    let failed = pair(PROGRAM, Mode::Maximise, by(1, |_| Outcome::Fail));
    assert!(matches!(failed, Err(NoPair::EmptyFails)));
}

#[test]
fn where_nothing_passes_there_is_no_contrast() {
    let outcome = |text: &str| if text.contains("bad(") { Outcome::Fail } else { Outcome::Unresolved };
    for mode in [Mode::Isolate, Mode::Maximise] {
        assert!(matches!(pair(PROGRAM, mode, by(1, outcome)), Err(NoPair::NothingPasses)));
    }
}

#[test]
fn an_interrupt_leaves_the_difference_that_was_found_until_then() {
    let mut paired = Vec::new();
    for after in 1..10 {
        let (flag, count) = (Arc::new(AtomicBool::new(false)), AtomicUsize::new(0));
        let limits = Limits { interrupt: Arc::clone(&flag), ..Limits::default() };
        let outcome = move |text: &str| {
            if count.fetch_add(1, Ordering::Relaxed) + 1 == after {
                flag.store(true, Ordering::Relaxed);
            }
            calls("= bad(")(text)
        };
        let (mut events, base) = (Events::default(), Program::new("a.rs", PROGRAM));
        let checks = checker(1, limits, outcome);
        let mut pair = IsolationPair::new(base, Mode::Isolate, transforms().collect(), checks, &mut events);
        let stopped = pair.begin().and_then(|()| Ok(pair.refine()?));
        assert!(matches!(stopped, Err(NoPair::Baseline(Refusal::Stop(Stop::Interrupted)))));
        assert!(calls("= bad(")(&pair.failing().text) == Outcome::Fail);
        assert_eq!(calls("= bad(")(&pair.passing().text) == Outcome::Pass, pair.is_paired());
        paired.push(pair.is_paired());
    }
    assert!(paired.is_sorted() && !paired[0] && paired[8], "{paired:?}");
}

#[test]
fn a_program_that_is_run_gets_no_endless_loop() {
    let outcome = |text: &str| {
        let is_called = text.contains("= bad(");
        (!text.contains("loop {}")).then_some(if is_called { Outcome::Fail } else { Outcome::Pass })
    };
    let found = pair(PROGRAM, Mode::Isolate, runner(outcome)).expect("there is one");
    assert!(found.failing.contains("= bad(") && found.failing.contains("panic!()"), "{}", found.failing);
    assert!(!found.passing.contains("= bad("));
}

#[test]
fn both_programs_are_that_of_the_user_with_reductions() {
    let (mut events, base) = (Events::default(), Program::new("a.rs", PROGRAM));
    let mut pair = IsolationPair::new(base, Mode::Isolate, transforms().collect(), by(1, calls("= bad(")), &mut events);
    pair.begin().expect("there is one");
    assert_eq!(*pair.failing().text, apply(PROGRAM, &pair.shared));
    assert_eq!(*pair.passing().text, apply(PROGRAM, pair.shared.iter().chain(&pair.difference)));
}
