//! The programs that mutants are made of.

use std::sync::Arc;

use mcve_dd::grammar::derivation::Derivation;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar::rust::derivation;
use mcve_dd::random::Random;
use mcve_dd::{Debugger, Outcome, tree_reduction};
use mcve_transforms::{Source, Tree, Understanding, prefix};

use super::generalize::generalize;
use super::names::words;
use super::splice::{Splice, delete, duplicate, exchange, splice};
use super::tokens;

/// The most mutations of one mutant.
const MUTATIONS: usize = 6;

/// How often another mutation is drawn where one did not apply.
const ATTEMPTS: usize = 20;

/// Among how many programs the one is chosen that has the most words in common with another one.
const COMPARED: usize = 5;

/// The longest file that is mutated, in bytes, and half of the longest mutant: a short one takes less time.
const LONGEST: usize = 4096;

/// The most tests by which a mutant is reduced.
const TESTS: usize = 60;

/// Parses a text by a grammar. Returns none if the text does not follow the grammar.
pub type Parse = dyn Fn(&str) -> Option<Derivation> + Send + Sync;

/// Programs, or sentences of a grammar, and what mutation makes of them.
#[derive(Clone, Default)]
pub struct Population {
    files: Vec<String>,
    mutants: Vec<String>,
    parse: Option<Arc<Parse>>,
}

impl Population {
    /// An empty population of the texts that `parse` knows.
    pub fn of_sentences(parse: Arc<Parse>) -> Self {
        Self { parse: Some(parse), ..Self::default() }
    }

    /// Adds a program that somebody wrote, unless it is too long for mutants.
    pub fn add_file(&mut self, program: &str) {
        if program.len() <= LONGEST {
            self.files.push(program.to_owned());
        }
    }

    /// Adds a mutant that is worth another mutation.
    pub fn add_mutant(&mut self, mutant: &str) {
        self.mutants.push(mutant.to_owned());
    }

    /// Whether it has no files, so that it can make no mutants.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The mutant of this number: one of the programs after one or a few mutations, half of them with a part of another program. The
    /// same population makes the same mutant of the same number.
    ///
    /// To be called on a thread with [`mcve_transforms::STACK`] bytes of stack.
    ///
    /// # Panics
    /// When the population is empty.
    pub fn mutant(&self, number: u64) -> String {
        let mut random = Random::new(number);
        let mut text = self.any(&mut random).to_owned();
        let (mut mutations, mut wanted) = (0, 1);
        while wanted < MUTATIONS && random.below(2) == 0 {
            wanted += 1;
        }
        for _ in 0..ATTEMPTS {
            if mutations == wanted {
                break;
            }
            if let Some(mutated) = self.mutate(&text, &mut random).filter(|mutated| mutated.len() <= 2 * LONGEST) {
                text = mutated;
                mutations += 1;
            }
        }
        text
    }

    /// What tree reduction by `grammar` leaves of a mutant, after a limited number of tests of what it `keeps`.
    pub fn reduced(&self, mutant: &str, grammar: &Grammar, mut keeps: impl FnMut(&str) -> bool) -> String {
        let derived = match &self.parse {
            Some(parse) => parse(mutant),
            None => derivation(&Tree::new(&Source::parse(mutant))),
        };
        let Some(tree) = derived else { return mutant.to_owned() };
        // Headers stand before the first node of a program.
        let head = mutant.split_once(&tree.text()).map_or("", |(head, _)| head);
        let keeps = |text: &String| Outcome::fail_if(keeps(&format!("{head}{text}")));
        let left = Debugger::new("", keeps)
            .at_most(TESTS)
            .minimise_tree(&tree, |tree, test| tree_reduction(tree, grammar, test));
        left.map_or_else(|_| mutant.to_owned(), |left| format!("{head}{}", left.text()))
    }

    /// Any program: two times of three a file, so that few files are not lost among many mutants.
    fn any(&self, random: &mut Random) -> &str {
        let programs = if self.mutants.is_empty() || random.below(3) > 0 { &self.files } else { &self.mutants };
        &programs[random.index(programs.len())]
    }

    /// Any program, one with the same words, or the same program: what belongs together meets more often.
    fn partner<'p>(&'p self, text: &'p str, random: &mut Random) -> &'p str {
        match random.below(4) {
            0 => text,
            1 => self.any(random),
            _ => {
                let own = words(text);
                let shared = |other: &&str| {
                    let others = words(other);
                    1000 * others.intersection(&own).count() / others.len().max(1)
                };
                let drawn: Vec<&str> = (0..COMPARED).map(|_| self.any(random)).collect();
                drawn.into_iter().max_by_key(shared).expect("some are drawn")
            }
        }
    }

    /// Applies one mutation; none if it does not fit.
    fn mutate(&self, text: &str, random: &mut Random) -> Option<String> {
        if let Some(parse) = &self.parse {
            let crossed = parse(text)?.crossed(&parse(self.any(random))?, random)?.text();
            return Some(crossed).filter(|crossed| crossed != text);
        }
        let kind = random.below(100);
        let other = self.partner(text, random);
        if kind < 8 {
            return tokens::mutate(text, other, random);
        }
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let how = match kind {
            8..40 => Splice::Replace,
            40..60 => Splice::Wrap,
            60..75 => Splice::Insert,
            75..80 => return duplicate(&tree, random),
            80..88 => return exchange(&tree, random),
            88..93 => return delete(&tree, random),
            _ => return generalize(&tree, random),
        };
        let other_source = Source::parse(other);
        let mutated = splice(how, &tree, &Tree::new(&other_source), random)?;
        // Some parts of one kind cannot stand for each other.
        let parses = |text: &str| Source::parse(text).understanding() == Understanding::Full;
        let fits = source.understanding() < Understanding::Full || parses(&mutated);
        fits.then(|| with_features(mutated, other))
    }
}

/// The text with the features and unstable options that `other` turns on and it does not.
fn with_features(mut text: String, other: &str) -> String {
    let is_feature = |line: &str| line.starts_with("#![feature(") && line.ends_with(")]");
    // Others may be given only once.
    let is_option = |line: &str| line.starts_with("//@ compile-flags:") && line.contains(" -Z") && !line.contains("--");
    let lines = other.lines().map(str::trim).filter(|line| is_feature(line) || is_option(line));
    let lacking: Vec<&str> = lines.filter(|line| !text.contains(line)).collect();
    let start = prefix(&text);
    lacking.iter().for_each(|line| text.insert_str(start, &format!("{line}\n")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "//@ edition: 2021
struct S<T> { a: T, b: u8 }
trait Tr<'a> { type A; fn f(&'a self) -> u8 { 1 + 2 } }
impl<'a, T: Clone> Tr<'a> for S<T> where T: Copy { type A = u8; }
fn main() { let s = S { a: 0u8, b: 1 }; if s.b > 0 { s.f(); } else { main() } }
";
    const OTHER: &str = "//@ compile-flags: -Zvalidate-mir
//@ compile-flags: --crate-name=other -Zlint-mir
#![feature(never_type)]
enum E { A, B(i32) }
fn g(e: E, x: &mut [i32]) -> Option<i32> {
    match e { E::A => None, E::B(n) => { x[0] = n * 3; x.iter().copied().max() } }
}
";

    fn population() -> Population {
        let mut population = Population::default();
        [ONE, OTHER].into_iter().for_each(|program| population.add_file(program));
        population
    }

    #[test]
    fn the_same_number_makes_the_same_mutant_and_most_parse() {
        let (population, again) = (population(), population());
        let mutants: Vec<String> = (0..200).map(|number| population.mutant(number)).collect();
        assert!((0..200).all(|number| again.mutant(number) == mutants[number as usize]));
        let parsed = mutants.iter().filter(|mutant| syn::parse_file(mutant).is_ok()).count();
        assert!(parsed > 120, "only {parsed} of 200");
        let distinct: std::collections::BTreeSet<&String> = mutants.iter().collect();
        assert!(distinct.len() > 180, "only {} of 200", distinct.len());
    }

    #[test]
    fn a_part_brings_features_and_unstable_options_along() {
        let population = population();
        let mutants = (0..200).map(|number| population.mutant(number));
        let mixed: Vec<String> =
            mutants.filter(|text| text.contains("edition: 2021") && text.contains("Option<")).collect();
        assert!(!mixed.is_empty());
        let brings = ["#![feature(never_type)]", "//@ compile-flags: -Zvalidate-mir\n"];
        assert!(mixed.iter().all(|mutant| brings.iter().all(|line| mutant.contains(line))), "{mixed:?}");
        assert!(!mixed.iter().any(|mutant| mutant.contains("--crate-name")), "{mixed:?}");
    }

    #[test]
    fn what_does_not_parse_is_mutated_by_tokens() {
        let mut population = Population::default();
        population.add_file("fn f( {{ a => b");
        let mutants: Vec<String> = (0..50).map(|number| population.mutant(number)).collect();
        assert!(mutants.iter().any(|mutant| mutant != "fn f( {{ a => b"), "{mutants:?}");
    }

    #[test]
    fn a_long_program_is_left_out() {
        let mut population = Population::default();
        population.add_file(&"fn f() {}\n".repeat(2000));
        assert!(population.is_empty());
    }

    #[test]
    fn sentences_are_crossed_and_stay_sentences() {
        use mcve_dd::grammar::{earley::Earley, notation, shipped::shipped};
        let parser = Earley::new(&notation::read(shipped("json").expect("it is shipped")).expect("it is a grammar"));
        let parse = Arc::new(move |text: &str| parser.parse(text).ok().map(|parse| parse.tree));
        let mut population = Population::of_sentences(parse.clone());
        population.add_file("{\"a\": [1, 2], \"b\": null}");
        population.add_file("[{\"c\": {\"d\": -1.5e3}}, [], true]");
        let mutants: Vec<String> = (0..200).map(|number| population.mutant(number)).collect();
        assert!(mutants.iter().all(|mutant| parse(mutant).is_some()), "{mutants:#?}");
        let mixed = mutants.iter().filter(|mutant| mutant.contains("\"a\"") && mutant.contains("-1"));
        assert!(mixed.count() > 20, "{mutants:#?}");
    }

    #[test]
    fn a_mutant_is_reduced_as_far_as_it_keeps_what_is_new() {
        let mutant = "//@ edition: 2021\nfn f(x: u8, y: i8) { g(x); let z = [1, 2, 3]; }\nstruct S { a: u8 }\n";
        let reduced = Population::default().reduced(mutant, &Grammar::unknown(), |text| {
            syn::parse_file(text).is_ok() && text.contains("2021") && text.contains("let z")
        });
        assert!(reduced.starts_with("//@ edition: 2021\nfn f("), "{reduced}");
        assert!(reduced.contains("let z") && !reduced.contains("struct") && !reduced.contains("g(x)"), "{reduced}");
    }
}
