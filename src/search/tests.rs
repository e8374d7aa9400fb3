//! Whole searches with oracles in the process.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use mcve_transforms::{Source, transforms};

use super::checker::Limits;
use super::engine::Search;
use super::schedule::{COARSE_TO_FINE, LAST, Pass};
use super::testing::{Events, checker};
use super::{passes, proof, trials};
use crate::dd::keep_list::KeepList;
use crate::dd::outcome::Outcome;
use crate::program::Program;

const INPUT: &str = "
mod a { pub fn f(x: u8, y: u8) -> u8 { let z = x + y; if z > 1 { z * 2 } else { 0 } } pub struct S { a: u8, b: u8 } }
mod b { use super::a::f; pub fn g() -> u8 { println!(\"{}\", f(1, 2)); needle(3, 4) } fn needle(a: u8, b: u8) -> u8 { a } }
fn main() { match b::g() { 0 => {}, _ => panic!() } }
";

/// The result of a whole search, and the number of checks.
fn reduce(jobs: usize, fails: fn(&str) -> Outcome) -> (String, usize) {
    let all: Vec<Pass> = COARSE_TO_FINE.iter().chain(LAST).copied().collect();
    let (mut events, mut keep) = (Events::default(), |_: &Program| Ok(()));
    let checker = checker(jobs, Limits::default(), fails);
    let mut search = Search::new(Program::new("a.rs", INPUT), transforms().collect(), checker, &mut events, &mut keep);
    passes::run(&mut search, COARSE_TO_FINE).expect("nothing stops it");
    trials::run(&mut search, COARSE_TO_FINE).expect("nothing stops it");
    passes::run(&mut search, LAST).expect("nothing stops it");
    proof::prove(&mut search, &all).expect("nothing stops it");
    let transforms: Vec<_> = all.iter().flat_map(Pass::transforms).collect();
    let reductions = search.reductions(&transforms);
    for index in 0..reductions.len() {
        let keep = KeepList::full(reductions.len()).without(index..index + 1);
        let text = mcve_transforms::apply(&search.best().text, keep.removed().map(|index| &reductions[index]));
        assert_ne!(fails(&text), Outcome::Fail, "not 1-minimal: {text}");
    }
    (search.best().text.to_string(), search.checker.checks)
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
fn the_result_does_not_depend_on_the_number_of_workers() {
    let results: Vec<String> = [1, 2, 8].into_iter().map(|jobs| reduce(jobs, calls_needle).0).collect();
    assert_eq!(results[0], results[1]);
    assert_eq!(results[0], results[2]);
}

#[test]
fn random_unresolved_verdicts_still_end_one_minimal() {
    let (text, _) = reduce(2, at_random);
    assert_eq!(calls_needle(&text), Outcome::Fail);
}
