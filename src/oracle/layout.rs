//! Layout by rustfmt, for what the library that prints syntax trees does not know.

use super::rustc::Rustc;
use crate::exec::job::{Job, Word};
use crate::program::Program;

/// The newest edition: a program that says none is likely of it.
const EDITION: &str = "2024";

/// What is to be run so that the rustfmt that stands beside `rustc` prints `program` in another layout. Where there is none it
/// cannot be run.
#[must_use]
pub fn job(rustc: &Rustc, program: &Program) -> Job {
    let edition = format!("--edition={}", rustc.of(program).edition().unwrap_or(EDITION));
    let words = ["--quiet", "--emit=stdout", &edition].map(|word| Word::Text(word.into()));
    let mut argv = vec![Word::Text(rustc.program.with_file_name("rustfmt").into())];
    argv.extend(words);
    argv.push(Word::path(&program.name));
    Job { files: program.files(), argv, env: rustc.env.clone(), ..Job::default() }
}
