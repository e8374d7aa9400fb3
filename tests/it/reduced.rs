//! Reductions of a single file, and assertions about their results.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

/// A folder that holds the text as `a.rs`.
pub(crate) fn place(text: &str) -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("a.rs", text);
    place
}

/// Reduces a program a little, and returns the output and the result.
#[track_caller]
pub(crate) fn reduce(text: &str, args: &[&str]) -> (Said, String) {
    reduce_to_the_end(text, &[brief(), args].concat())
}

/// Reduces a program, and returns the output and the result.
#[track_caller]
pub(crate) fn reduce_to_the_end(text: &str, args: &[&str]) -> (Said, String) {
    let place = place(text);
    let said = place.run_cleanly(&[&["a.rs"], args].concat(), Exit::Done);
    let left = place.read("a_mcve.rs");
    (said, left)
}

/// Asserts that a text holds all of these words.
#[track_caller]
pub(crate) fn holds(left: &str, words: &[&str]) {
    words.iter().for_each(|word| assert!(left.contains(word), "no {word} in:\n{left}"));
}

/// Asserts that a text holds none of these words.
#[track_caller]
pub(crate) fn lacks(left: &str, words: &[&str]) {
    words.iter().for_each(|word| assert!(!left.contains(word), "{word} in:\n{left}"));
}
