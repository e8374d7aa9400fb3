//! Delta debugging reproduces the runs that its documents print: the same tests, in the same order, with the same outcomes.

mod compiler;
mod expressions;
mod interpreter;
mod logs;
mod markup;
mod python;
mod runs;
mod rust_trees;
mod synopses;

use std::convert::Infallible;

use mcve_dd::debugger::{Debugger, Isolated};
use mcve_dd::fragments::{by_fragments, by_fragments_once};
use mcve_dd::general::{Mode, dd};
use mcve_dd::iterative::{even_ddmin, iterative_ddmin};
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::{Outcome, Report};
use mcve_dd::precondition::Precondition;
use mcve_dd::same_failure::same_panic;
use mcve_dd::sequence::{Fixed, Sequence};
use mcve_dd::set_order;
use mcve_dd::tester::Tester;

/// The input of most runs of *The Debugging Book*.
const FUZZED: &str = r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#;

/// A debugger of a function that panics for `input`, which cuts sets as CPython does.
fn debugger<R>(input: &str, function: fn(&str) -> R) -> Debugger<String, impl FnMut(&String) -> Report> {
    let input = input.to_owned();
    let test = same_panic(&input, move |input: &String| function(input)).expect("it panics");
    Debugger::new(input, test).arranged_by(set_order)
}

#[track_caller]
fn check_log<T: FnMut(&String) -> R, R: Into<Report>>(
    debugger: &Debugger<String, T>,
    expected: &[(&str, Outcome)],
    tests: usize,
) {
    let log: Vec<(&str, Outcome)> = debugger.log().iter().map(|test| (test.input.as_str(), test.outcome)).collect();
    assert_eq!(log, expected);
    assert_eq!(debugger.tests(), tests);
}

/// Tests parts of a text again and again, and writes down all tests.
struct Forgetful {
    text: String,
    test: fn(&str) -> Outcome,
    log: Vec<(String, Outcome)>,
}

impl Tester<Infallible> for Forgetful {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        let input = self.text.select(keep.kept());
        let outcome = (self.test)(&input);
        self.log.push((input, outcome));
        Ok(outcome)
    }
}

/// Runs `algorithm` on `text` with nothing remembered; tells what is left and all tests.
fn run(
    text: &str,
    test: fn(&str) -> Outcome,
    algorithm: fn(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Infallible>,
) -> (String, Vec<(String, Outcome)>) {
    let mut tester = Forgetful { text: text.to_owned(), test, log: Vec::new() };
    let Ok(keep) = algorithm(KeepList::full(text.chars().count()), &mut tester);
    (tester.text.select(keep.kept()), tester.log)
}

fn owned(tests: &[(&str, Outcome)]) -> Vec<(String, Outcome)> {
    tests.iter().map(|&(input, outcome)| (input.to_owned(), outcome)).collect()
}

fn fails_if(fails: bool) -> Outcome {
    if fails { Outcome::Fail } else { Outcome::Pass }
}

fn has_parentheses(text: &str) -> Outcome {
    fails_if(text.find('(').is_some_and(|open| text[open..].contains(')')))
}

#[test]
fn iterative_ddmin_takes_the_17_tests_of_the_debugging_book() {
    let (left, log) = run(FUZZED, has_parentheses, iterative_ddmin);
    assert_eq!(left, "()");
    let (whole, others) = runs::ITERATIVE_DDMIN.split_first().expect("it is not empty");
    // The chapter's function tests its precondition itself, that the whole fails.
    assert_eq!(*whole, (FUZZED, Outcome::Fail));
    assert_eq!(log, owned(others));
    let mut debugger = debugger(FUZZED, python::mystery);
    assert_eq!(debugger.minimise_with(iterative_ddmin).as_deref(), Ok("()"));
    check_log(&debugger, runs::ITERATIVE_DDMIN, 17);
}

#[test]
fn even_ddmin_takes_the_29_tests_of_the_fuzzing_book() {
    let mut debugger = debugger(runs::EVEN_DDMIN[0].0, python::mystery);
    assert_eq!(debugger.minimise_with(even_ddmin).as_deref(), Ok("()"));
    check_log(&debugger, runs::EVEN_DDMIN, 29);
}

#[test]
fn even_ddmin_takes_the_15_tests_of_an_expression() {
    let mut debugger = debugger("1 + (2 * 3)", python::mystery);
    assert_eq!(debugger.minimise_with(even_ddmin).as_deref(), Ok("()"));
    check_log(&debugger, runs::EXPRESSION, 15);
}

#[test]
fn even_ddmin_takes_21_tests_to_find_that_no_character_of_an_expression_can_go() {
    // Of all that is tested only the whole is an expression.
    let valid = |text: &String| if text == "1 + (2 * 3)" { Outcome::Fail } else { Outcome::Unresolved };
    let mut debugger = Debugger::new("1 + (2 * 3)".to_owned(), valid);
    assert_eq!(debugger.minimise_with(even_ddmin).as_deref(), Ok("1 + (2 * 3)"));
    check_log(&debugger, runs::VALID_EXPRESSION, 21);
}

#[test]
fn dd_minimises_in_the_24_tests_of_the_debugging_book() {
    let mut debugger = debugger(FUZZED, python::mystery);
    assert_eq!(debugger.minimise().as_deref(), Ok("()"));
    check_log(&debugger, runs::MINIMISE, 24);
}

#[test]
fn dd_maximises_in_the_8_tests_of_the_debugging_book() {
    let mut debugger = debugger(FUZZED, python::mystery);
    assert_eq!(debugger.maximise().as_deref(), Ok(r#"V"/+!aF-V4EOz*+s/Q,7)2@0_"#));
    check_log(&debugger, runs::MAXIMISE, 8);
}

/// What is to be isolated: passing, failing, difference.
fn isolated([passing, failing, difference]: [&str; 3]) -> Result<Isolated<String>, Precondition> {
    let [passing, failing, difference] = [passing, failing, difference].map(str::to_owned);
    Ok(Isolated { passing, failing, difference })
}

/// Isolates by the algorithm of *The Debugging Book*.
fn isolate_by_dd<T: FnMut(&String) -> R, R: Into<Report>>(
    debugger: &mut Debugger<String, T>,
) -> Result<Isolated<String>, Precondition> {
    debugger.isolate_with(|start, arrangement, tester| dd(start, Mode::Isolate, arrangement, tester))
}

#[test]
fn dd_isolates_in_the_9_tests_of_the_debugging_book() {
    let mut debugger = debugger(FUZZED, python::mystery);
    assert_eq!(isolate_by_dd(&mut debugger), isolated(["z*+s/Q,7)2@0_", "(z*+s/Q,7)2@0_", "("]));
    check_log(&debugger, runs::ISOLATE, 9);
}

#[test]
fn in_ascending_order_dd_takes_one_test_more_in_each_mode() {
    let debugger = || Debugger::new(FUZZED.to_owned(), |text: &String| has_parentheses(text));
    let [mut minimise, mut maximise, mut isolate] = [debugger(), debugger(), debugger()];
    assert_eq!(minimise.minimise().as_deref(), Ok("()"));
    assert_eq!(maximise.maximise().as_deref(), Ok(r#"V"/+!aF-V4EOz*+s/Q,7)2@0_"#));
    assert_eq!(isolate_by_dd(&mut isolate), isolated(["z*+s/Q,7)2@0_", "(z*+s/Q,7)2@0_", "("]));
    assert_eq!([minimise.tests(), maximise.tests(), isolate.tests()], [25, 9, 10]);
}

#[test]
fn a_division_by_zero_is_minimised_maximised_and_isolated() {
    let mut debugger = debugger("1 + 2 * 3 / 0", python::eval);
    assert_eq!(debugger.minimise().as_deref(), Ok("3/0"));
    assert_eq!(debugger.maximise().as_deref(), Ok("1 + 2 * 3  "));
    assert_eq!(isolate_by_dd(&mut debugger), isolated([" 3 ", " 3 /0", "/0"]));
}

#[test]
fn markup_is_minimised_in_the_10_tests_of_the_debugging_book() {
    let mut debugger = debugger(r#""x > y""#, python::remove_html_markup);
    assert_eq!(debugger.minimise().as_deref(), Ok(r#"">"#));
    check_log(&debugger, runs::REMOVE_HTML_MARKUP, 10);
}

#[test]
fn two_strings_are_minimised_in_turn() {
    let input = ("foo".to_owned(), "foobar".to_owned());
    let substring = |(s1, s2): &(String, String)| assert!(!s2.contains(s1.as_str()), "no substrings");
    let test = same_panic(&input, substring).expect("it panics");
    let mut debugger = Debugger::new(input, test);
    assert_eq!(debugger.minimise(), Ok((String::new(), String::new())));
    let log: Vec<_> = debugger.log().iter().map(|test| (test.input.0.as_str(), test.input.1.as_str())).collect();
    assert_eq!(log, [("foo", "foobar"), ("", "foobar"), ("", "")]);
    assert!(debugger.log().iter().all(|test| test.outcome == Outcome::Fail));
}

#[test]
fn two_lists_are_minimised_in_turn() {
    // The third argument, a number, is no sequence and stays as it is.
    let lengths = |(l1, l2, most): &(Vec<u8>, Vec<u8>, Fixed<usize>)| {
        assert!(l1.len() < l2.len() && l2.len() < **most, "invalid string length");
    };
    let input = ((1..=10).collect(), vec![1, 2, 3], Fixed(5));
    let test = same_panic(&input, lengths).expect("it panics");
    assert_eq!(Debugger::new(input, test).minimal_call("list_error").as_deref(), Ok("list_error([], [], 5)"));
}

#[test]
fn what_does_not_fail_is_an_error() {
    let passing = "An input that does not fail".to_owned();
    assert_eq!(same_panic(&passing, |text: &String| python::mystery(text)).err(), Some(Precondition::NotFailing));
    let mut debugger = Debugger::new(passing, |text: &String| has_parentheses(text));
    assert_eq!(debugger.minimise(), Err(Precondition::NotFailing));
}

/// `<SELECT`, and a `>` after it.
fn is_select(text: &str) -> Outcome {
    fails_if(text.strip_prefix("<SELECT").is_some_and(|rest| rest.contains('>')))
}

#[test]
fn fragments_take_the_27_tests_of_the_post() {
    let input = r#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#;
    let (left, log) = run(input, is_select, by_fragments_once);
    assert_eq!(left, "<SELECT>");
    assert_eq!(log, owned(runs::FRAGMENTS));
}

#[test]
fn fragments_as_the_post_has_them_in_code_take_more_tests_than_it_prints() {
    let input = r#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#;
    let (left, log) = run(input, is_select, by_fragments);
    assert_eq!((left.as_str(), log.len()), ("<SELECT>", 45));
}
