//! Values of strategies, reduced through their random source and by proptest itself.
#![cfg(feature = "proptest")]

use std::fmt::Debug;

use mcve_generate::proptest::{find, record, reduce, value};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

/// What proptest makes of the first value that fails, and its tests.
fn by_proptest<S: Strategy>(strategy: &S, fails: impl Fn(&S::Value) -> bool) -> (S::Value, usize) {
    let config = Config { cases: 10_000, failure_persistence: None, ..Config::default() };
    let source = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let tests = std::cell::Cell::new(0);
    let done = TestRunner::new_with_rng(config, source).run(strategy, |value| {
        let is_failing = fails(&value);
        tests.set(if is_failing || tests.get() > 0 { tests.get() + 1 } else { 0 });
        if is_failing { Err(TestCaseError::fail("it fails")) } else { Ok(()) }
    });
    let Err(TestError::Fail(_, value)) = done else { unreachable!("one of many fails") };
    (value, tests.get())
}

/// The least value by the random source and by proptest, with as many tests at most.
#[track_caller]
fn check<S: Strategy>(strategy: &S, fails: impl Fn(&S::Value) -> bool, least: &str, by_itself: &str, most_tests: usize)
where
    S::Value: Debug,
{
    let bytes = find(strategy, 0..10_000, &fails).expect("one of many fails");
    let mut tests = 0;
    let counted = |value: &S::Value| {
        tests += 1;
        fails(value)
    };
    let (bytes, found) = reduce(strategy, bytes, counted).expect("it fails");
    assert_eq!(format!("{found:?}"), format!("{:?}", value(strategy, &bytes).expect("it is made again")));
    let (other, other_tests) = by_proptest(strategy, &fails);
    assert_eq!((format!("{found:?}"), format!("{other:?}")), (least.to_owned(), by_itself.to_owned()));
    assert!(tests <= most_tests, "{tests} tests, and {other_tests} of proptest");
}

#[test]
fn a_table_is_made_smaller_than_by_proptest() {
    let table = (1..20usize, 1..20usize).prop_flat_map(|(rows, columns)| vec(vec(0..100u8, columns), rows));
    check(&table, |table| table.iter().flatten().any(|&cell| cell > 90), "[[91]]", "[[91]]", 800);
}

#[test]
fn an_index_into_a_list_follows_it() {
    let strategy = vec(0..1000u32, 1..50).prop_flat_map(|list| (Just(list.clone()), 0..list.len()));
    check(&strategy, |(list, at)| list[*at] > 500, "([501], 0)", "([505], 0)", 300);
}

#[test]
fn what_an_earlier_number_bounds_is_lowered_before_it() {
    let strategy = (1..10usize).prop_flat_map(|size| vec((0..size, any::<u8>()), size));
    let fails = |list: &Vec<(usize, u8)>| list.iter().any(|(at, byte)| *at > 2 && *byte > 3);
    let least = "[(3, 4), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1)]";
    check(&strategy, fails, least, "[(0, 0), (3, 4), (0, 0), (0, 0)]", 1400);
}

#[test]
fn a_seed_of_a_file_of_regressions_makes_its_value_again() {
    let strategy = vec((0..1000u32, any::<bool>()), 1..50);
    let seed = [9; 32];
    let source = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let tree =
        strategy.new_tree(&mut TestRunner::new_with_rng(Config::default(), source)).expect("nothing is rejected");
    let recorded = record(&strategy, seed);
    assert_eq!(value(&strategy, &recorded), Some(tree.current()));
}
