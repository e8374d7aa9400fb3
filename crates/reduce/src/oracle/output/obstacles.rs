//! Reads what a lone file lacks to be compiled: parts of the program that are somewhere else.
//!
//! Errors about these are not the failure that the user wants to reduce.

use std::collections::BTreeSet;
use std::fmt;

use super::diagnostics::{Diagnostic, Stderr};
use crate::exec::job::JobResult;

/// Something that a lone file needs and does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// A module in another file.
    Module(String),
    /// A crate that rustc does not know.
    Crate(String),
    /// A file that the program includes.
    File(String),
    /// A variable of the environment that the program reads when it is compiled.
    Variable(String),
    /// A feature that a stable compiler does not have.
    Feature,
}

/// The obstacles that a run of rustc met, in order, each once.
pub(crate) fn obstacles(result: &JobResult) -> Vec<Obstacle> {
    Stderr::read(&result.stderr).errors().filter_map(obstacle).collect::<BTreeSet<_>>().into_iter().collect()
}

fn obstacle(error: &Diagnostic) -> Option<Obstacle> {
    let message = &error.message;
    let quoted = || name_in(message);
    match error.code_or_lint() {
        Some("E0583") => quoted().map(Obstacle::Module),
        Some("E0463") => quoted().map(Obstacle::Crate),
        Some("E0554") => Some(Obstacle::Feature),
        Some("E0432" | "E0433") => missing_crate(error).map(Obstacle::Crate),
        Some(_) => None,
        None if message.starts_with("couldn't read ") => {
            let (file, _) = message["couldn't read ".len()..].split_once(": ")?;
            Some(Obstacle::File(file.trim_matches('`').to_owned()))
        }
        None if message.starts_with("environment variable ") => quoted().map(Obstacle::Variable),
        None => None,
    }
}

/// The crate that an error of name resolution is about, in the words of rustc 1.63 and of 1.95.
fn missing_crate(error: &Diagnostic) -> Option<String> {
    let label = error.primary().filter_map(|span| span.label.as_deref()).find(|label| {
        let begins = [
            "use of unresolved module or unlinked crate",
            "use of undeclared crate or module",
            "maybe a missing crate",
        ];
        begins.iter().any(|begin| label.starts_with(begin))
    })?;
    name_in(label)
}

/// The text between the first two backticks.
fn name_in(text: &str) -> Option<String> {
    text.split('`').nth(1).map(str::to_owned)
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Module(name) => write!(f, "the file of the module `{name}` is not there"),
            Self::Crate(name) => {
                write!(f, "the crate `{name}` is not known to rustc: name it by `-- --extern {name}=PATH`")
            }
            Self::File(path) => write!(f, "the file `{path}` is not there: a check has the program and nothing else"),
            Self::Variable(name) => write!(f, "the variable `{name}` is not set: set it for mcve"),
            Self::Feature => f.write_str("the program uses features of a nightly compiler: try `mcve +nightly`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::job::{End, Executor};
    use crate::exec::limits::Memory;
    use crate::exec::process::{Cancel, Processes};
    use crate::exec::programs;
    use crate::oracle::headers::Headers;
    use crate::oracle::rustc::Rustc;
    use crate::program::Program;
    use std::path::Path;
    use std::time::Duration;

    /// Checks what the real rustc lacks for `text`.
    #[track_caller]
    fn check(edition: &str, text: &str, expected: &[Obstacle]) {
        let program = Program::new("a.rs", text);
        let compiler = programs::rustc(None, None).expect("the tests are compiled by one");
        let args = [format!("--edition={edition}").into(), "--crate-type=lib".into(), "--emit=metadata".into()];
        let mut rustc = Rustc::new(compiler, &Headers::default(), &args, Path::new("/"));
        rustc.env.push(("RUSTC_BOOTSTRAP".into(), None));
        let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
        let result = processes.run(&rustc.job(&program), Duration::from_secs(1000), &Cancel::default());
        let result = result.expect("it is there");
        assert_ne!(result.end, End::Exited(0), "{text}");
        assert_eq!(obstacles(&result), expected, "{text}");
    }

    #[test]
    fn what_a_lone_file_lacks_is_named() {
        let name = |name: &str| name.to_owned();
        check("2021", "mod x; mod y { mod z; }", &[Obstacle::Module(name("x")), Obstacle::Module(name("z"))]);
        for edition in ["2015", "2024"] {
            check(edition, "use semver::V;", &[Obstacle::Crate(name("semver"))]);
            check(edition, "fn f() { regex::R::new() }", &[Obstacle::Crate(name("regex"))]);
            check(edition, "extern crate semver;", &[Obstacle::Crate(name("semver"))]);
        }
        check("2021", "const A: &str = include_str!(\"no.txt\");", &[Obstacle::File(name("no.txt"))]);
        check("2021", "const A: &str = env!(\"NO_SUCH\");", &[Obstacle::Variable(name("NO_SUCH"))]);
        check("2021", "#![feature(rustc_attrs, never_type)]", &[Obstacle::Feature]);
    }

    #[test]
    fn errors_of_the_program_itself_are_none() {
        for text in ["use crate::a::B;", "use self::a::B;", "fn f() { A::new() }", "fn f() -> u8 { () }", "fn f( {"] {
            check("2021", text, &[]);
        }
    }
}
