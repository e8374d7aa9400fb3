//! The library face of delta debugging, where no document prints a run: several arguments, what is remembered, errors.

use mcve_dd::ddmin::ddmin;
use mcve_dd::debugger::{Debugger, Isolated};
use mcve_dd::general::{Mode, dd};
use mcve_dd::one_by_one::one_by_one;
use mcve_dd::outcome::Outcome::{self, Fail, Pass, Unresolved};
use mcve_dd::precondition::Precondition;
use mcve_dd::same_failure::same_panic;

/// Fails when both lists have a 3.
fn both_have_3((a, b): &(Vec<u8>, Vec<u8>)) -> Outcome {
    if a.contains(&3) && b.contains(&3) { Fail } else { Pass }
}

fn lists() -> (Vec<u8>, Vec<u8>) {
    ((0..8).collect(), (0..4).collect())
}

#[test]
fn several_arguments_are_minimised_in_turn_until_none_changes() {
    assert_eq!(Debugger::new(lists(), both_have_3).minimise(), Ok((vec![3], vec![3])));
    // The first can lose an element only after the second has.
    let fails = |(a, b): &(Vec<u8>, Vec<u8>)| if a.len() > b.len() { Fail } else { Pass };
    assert_eq!(Debugger::new(lists(), fails).minimise_with(one_by_one), Ok((vec![7], vec![])));
}

#[test]
fn several_arguments_are_maximised_together() {
    let mut debugger = Debugger::new(lists(), both_have_3);
    assert_eq!(debugger.maximise(), Ok((lists().0, vec![0, 1, 2])));
}

#[test]
fn the_difference_is_isolated_in_one_of_several_arguments() {
    let isolated = Debugger::new(lists(), both_have_3).isolate().expect("empty lists pass");
    assert_eq!(isolated.difference, (vec![3], vec![]));
    assert_eq!(isolated.failing.1, lists().1);
    // What the failure does not need is empty.
    let fails = |(_, b): &(Vec<u8>, Vec<u8>)| if b.len() > 1 { Fail } else { Pass };
    let expected =
        Isolated { passing: (vec![], vec![0]), failing: (vec![], vec![0, 1]), difference: (vec![], vec![1]) };
    assert_eq!(Debugger::new(lists(), fails).isolate(), Ok(expected));
}

#[test]
fn the_difference_is_minimal_where_most_is_unresolved() {
    let test = |list: &Vec<u8>| match list[..] {
        [] => Pass,
        [1] | [0, 1, 2, 3] => Fail,
        _ => Unresolved,
    };
    let mut debugger = Debugger::new(vec![0, 1, 2, 3], test);
    assert_eq!(debugger.isolate().map(|isolated| isolated.difference), Ok(vec![1]));
    let by_dd = debugger.isolate_with(|start, arrangement, tester| dd(start, Mode::Isolate, arrangement, tester));
    assert_eq!(by_dd.map(|isolated| isolated.difference), Ok(vec![0, 1, 2, 3]));
}

#[test]
fn the_difference_from_a_given_part_is_isolated() {
    let test = |(a, b): &(String, Vec<u8>)| match (a.contains("ok"), b.contains(&3)) {
        (true, fails) => Outcome::fail_if(fails),
        (false, _) => Unresolved,
    };
    let input = || ("look".to_owned(), vec![3, 2, 3]);
    let isolate_from = |a: &str, b: &[u8]| Debugger::new(input(), test).isolate_from(&(a.to_owned(), b.to_vec()));
    let isolated = isolate_from("ok", &[2]).expect("the given part passes");
    assert_eq!((isolated.passing, isolated.difference), (("ok".to_owned(), vec![2]), (String::new(), vec![3])));
    assert_eq!(isolate_from("kl", &[2]), Err(Precondition::NotContained));
    assert_eq!(isolate_from("ok", &[3]), Err(Precondition::NotPassing));
}

#[test]
fn no_more_tests_are_run_than_allowed() {
    let fails = |list: &Vec<u8>| Outcome::fail_if(list.contains(&70));
    let whole: Vec<u8> = (0..100).collect();
    for most in 0..30 {
        let debugger = || Debugger::new(whole.clone(), fails).at_most(most);
        let mut debuggers = [debugger(), debugger(), debugger(), debugger()];
        let [minimise, minimise_with, maximise, isolate] = &mut debuggers;
        for (minimal, debugger) in
            [(minimise.minimise(), minimise), (minimise_with.minimise_with(ddmin), minimise_with)]
        {
            assert_eq!(minimal.as_ref().ok(), debugger.smallest_failing(), "{most}");
        }
        let maximal = maximise.maximise();
        assert!(maximal.is_ok_and(|list| fails(&list) == Pass) == (most >= 2), "{most}");
        let isolated = isolate.isolate();
        assert!(isolated.is_ok_and(|it| fails(&it.passing) == Pass && fails(&it.failing) == Fail) == (most >= 2));
        assert!(debuggers.iter().all(|debugger| debugger.tests() <= most), "{most}");
    }
    assert_eq!(Debugger::new(whole, fails).at_most(0).minimise(), Err(Precondition::Unresolved));
}

#[test]
fn no_input_is_tested_twice() {
    let mut asked = Vec::new();
    let fails = |text: &String| {
        asked.push(text.clone());
        if text.contains('a') { Fail } else { Pass }
    };
    let mut debugger = Debugger::new("banana".to_owned(), fails);
    assert_eq!(debugger.minimise().as_deref(), Ok("a"));
    let first = debugger.tests();
    assert_eq!(debugger.minimise().as_deref(), Ok("a"));
    assert_eq!(debugger.maximise().as_deref(), Ok("bnn"));
    let logged: Vec<String> = debugger.log().iter().map(|test| test.input.clone()).collect();
    assert!(first < logged.len());
    assert_eq!(asked, logged);
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), logged.len());
}

#[test]
fn what_is_unresolved_whole_is_an_error() {
    let mut debugger = Debugger::new(vec![1, 2], |_: &Vec<u8>| Unresolved);
    assert_eq!(debugger.minimise(), Err(Precondition::Unresolved));
    assert_eq!(debugger.maximise(), Err(Precondition::Unresolved));
    assert_eq!(debugger.isolate(), Err(Precondition::Unresolved));
    // A function that panics otherwise at each call.
    let mut calls = 0;
    let test = same_panic(&vec![1, 2], move |_: &Vec<u8>| {
        calls += 1;
        assert!(calls == 0, "call {calls}");
    });
    let mut debugger = Debugger::new(vec![1, 2], test.expect("it panics"));
    assert_eq!(debugger.minimise(), Err(Precondition::Unresolved));
}

#[test]
fn where_nothing_passes_there_is_nothing_to_maximise() {
    let mut debugger = Debugger::new(lists(), |_: &(Vec<u8>, Vec<u8>)| Fail);
    assert_eq!(debugger.minimise(), Ok((vec![], vec![])));
    assert_eq!(debugger.maximise(), Err(Precondition::NotPassing));
    assert_eq!(debugger.isolate(), Err(Precondition::NotPassing));
    let only_whole = |list: &Vec<u8>| if list.len() == 3 { Fail } else { Unresolved };
    assert_eq!(Debugger::new(vec![1, 2, 3], only_whole).maximise(), Err(Precondition::NotPassing));
    assert_eq!(Debugger::new(vec![1, 2, 3], only_whole).isolate(), Err(Precondition::NotPassing));
}

#[test]
fn empty_input_is_minimal() {
    let mut debugger = Debugger::new(String::new(), |_: &String| Fail);
    assert_eq!(debugger.minimise().as_deref(), Ok(""));
    assert_eq!(debugger.tests(), 1);
}
