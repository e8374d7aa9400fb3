//! Jobs of a compiler that decide nothing about a candidate.

use super::rustc::Rustc;
use crate::exec::job::{Job, Word};
use crate::program::Program;

/// Options that make rustc warn even if the program allows the lint. An unknown lint is one more warning.
const LINTS: [&str; 5] = [
    "--force-warn=unused",
    "--force-warn=unused_extern_crates",
    "--force-warn=unused_lifetimes",
    "--force-warn=unused_macro_rules",
    "--force-warn=unused_qualifications",
];

/// The argument that silences all lints, also those that are errors.
pub(crate) const NO_LINTS: &str = "--cap-lints=allow";

/// The edition for rustfmt where the program names none: most likely the newest.
const EDITION: &str = "2024";

/// A job of a compiler, or of the formatter beside it, that decides nothing about a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompilerJob {
    /// Shows unused code, for [`hints::read`](crate::oracle::output::hints::read).
    Hints,
    /// Shows the errors and generates no code, for kinds where a program with errors cannot fail.
    Errors,
    /// Prints the program in the layout of rustfmt. The job cannot start if there is no rustfmt beside rustc.
    Layout,
    /// Shows all that the compiler prints, for kinds whose check hides it.
    Output,
}

impl CompilerJob {
    /// The job for `program`, by this rustc.
    pub fn by(self, rustc: &Rustc, program: &Program) -> Job {
        match self {
            Self::Hints => checked(rustc, &LINTS).job(program),
            Self::Errors => checked(rustc, &[NO_LINTS]).job(program),
            Self::Layout => layout(rustc, program),
            Self::Output => rustc.job(program),
        }
    }
}

/// `rustc` with more arguments, going only as far as errors and lints need: they come before code is generated.
fn checked(rustc: &Rustc, args: &[&str]) -> Rustc {
    let mut rustc = rustc.clone();
    rustc.args.retain(|arg| !arg.to_string_lossy().starts_with("--emit"));
    rustc.args.extend(std::iter::once(&"--emit=metadata").chain(args).map(Into::into));
    rustc
}

/// Formats what the library that prints syntax trees does not know.
fn layout(rustc: &Rustc, program: &Program) -> Job {
    let edition = format!("--edition={}", rustc.of(program).edition().unwrap_or(EDITION));
    let words = ["--quiet", "--emit=stdout", &edition].map(|word| Word::Text(word.into()));
    let mut argv = vec![Word::Text(rustc.program.with_file_name("rustfmt").into())];
    argv.extend(words);
    argv.push(Word::path(&program.name));
    Job { files: program.files(), argv, env: rustc.env.clone(), ..Job::default() }
}
