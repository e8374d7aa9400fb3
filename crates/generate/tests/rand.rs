//! Generators over `rand` that know nothing of mcve.
#![cfg(feature = "rand")]

use mcve_generate::choices::Halt;
use mcve_generate::generator::{Generator, rerun, run};
use mcve_generate::rand::RandGenerator;
use mcve_generate::reduction::{Order, Settings, reduce_text};
use mcve_generate::replay::Alignment;
use rand::distr::Uniform;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

/// A script in a subset of JavaScript, whose variables are declared before they are used.
fn script(rng: &mut impl Rng) -> String {
    let mut text = String::new();
    block(rng, &mut Vec::new(), 3, &mut text);
    text
}

fn value(rng: &mut impl Rng, names: &[String], depth: usize) -> String {
    if depth == 0 || rng.random_bool(0.3) {
        return match names.choose(rng) {
            Some(name) if rng.random() => name.clone(),
            _ => rng.random_range(0..100).to_string(),
        };
    }
    if rng.random_bool(0.2) {
        let values: Vec<String> = (0..rng.random_range(0..5)).map(|_| value(rng, names, depth - 1)).collect();
        return format!("[{}]", values.join(", "));
    }
    let operator = ['+', '-', '*', '/'].choose(rng).expect("there are some");
    format!("({} {operator} {})", value(rng, names, depth - 1), value(rng, names, depth - 1))
}

fn block(rng: &mut impl Rng, names: &mut Vec<String>, depth: usize, text: &mut String) {
    let outer = names.len();
    for _ in 0..rng.random_range(1..6) {
        let kind = *["let", "if", "while", "print"].choose(rng).expect("there are some");
        if kind == "let" {
            let name = format!("v{}", names.len());
            *text += &format!("let {name} = {};\n", value(rng, names, 2));
            names.push(name);
        } else if kind == "print" || depth == 0 {
            *text += &format!("print({});\n", value(rng, names, 3));
        } else {
            *text += &format!("{kind} ({}) {{\n", value(rng, names, 2));
            block(rng, names, depth - 1, text);
            *text += "}\n";
        }
    }
    names.truncate(outer);
}

/// The first text that is long and fails is reduced to at most so many characters, by at most so many tests. Addresses of
/// code, and so the result, depend on the compiler.
#[track_caller]
fn check(generator: &dyn Generator, fails: impl Fn(&str) -> bool, settings: Settings, most: usize, most_tests: usize) {
    let mut runs = (0..500).filter_map(|seed| run(generator, seed, 20_000).ok());
    let execution =
        runs.find(|run| run.output.len() > 100 && run.output.len() < 400 && fails(&run.output)).expect("some fail");
    assert_eq!(rerun(generator, &execution.trace, &[], Alignment::Halt, 20_000), Ok(execution.clone()));
    let mut tests = 0;
    let least = reduce_text(generator, execution, settings, |text| {
        tests += 1;
        fails(text)
    });
    assert!(fails(&least.output));
    assert!(least.output.len() <= most && tests <= most_tests, "{:?} in {tests} tests", least.output);
}

#[test]
fn a_script_is_reduced_through_the_generator() {
    let generator = RandGenerator::new("script", "1", |rng| script(rng));
    let fails = |text: &str| {
        let list = text.find('[').and_then(|at| text[at..].split(']').next());
        text.contains("while") && list.is_some_and(|list| list.contains(','))
    };
    for order in [Order::Sequence, Order::Tree] {
        let settings = Settings { order, ..Settings::default() };
        check(&generator, fails, settings, 70, 600);
    }
}

#[test]
fn shuffles_bytes_and_distributions_are_choices() {
    let generator = RandGenerator::new("all", "1", |rng| {
        let mut letters: Vec<char> = ('a'..='e').collect();
        letters.shuffle(rng);
        let bytes: [u8; 9] = rng.random();
        let wide: Vec<u64> = (0..rng.random_range(4..9)).map(|_| rng.random()).collect();
        let number = rng.sample(Uniform::new(0u32, 10).expect("it is a range"));
        format!("{letters:?} {bytes:?} {wide:?} {number}")
    });
    let fails = |text: &str| text.contains("'e'") && text.ends_with('7');
    check(&generator, fails, Settings::default(), 100, 160);
}

#[test]
fn a_generator_that_does_not_end_is_stopped_and_a_panic_goes_on() {
    let endless = RandGenerator::new("endless", "1", |rng| {
        while rng.random_range(0..10) < 20 {}
        String::new()
    });
    assert_eq!(run(&endless, 0, 100), Err(Halt::Endless(100)));
    let wrong = RandGenerator::new("wrong", "1", |_| std::panic::resume_unwind(Box::new("its own")));
    let panic = std::panic::catch_unwind(|| run(&wrong, 0, 100)).expect_err("it panics");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"its own"));
}
