//! Options of `cargo mcve` that make no sense together.

use std::ffi::OsString;

use super::package_args::PackageArgs;
use mcve_package::spec::Verb;
use mcve_reduce::failure::tool::Tool;

/// Options of the harness of tests that say which tests run.
const OF_HARNESS: [&str; 3] = ["--exact", "--ignored", "--include-ignored"];

/// Those that have a value, too.
const OF_HARNESS_WITH_VALUE: [&str; 2] = ["--skip", "--test-threads"];

/// Checks all options.
pub(super) fn check(args: &PackageArgs) -> Result<(), String> {
    check_forwarded(args)?;
    check_kinds(args)
}

/// Checks the kinds of failure.
fn check_kinds(args: &PackageArgs) -> Result<(), String> {
    let failure = &args.failure;
    let runs = matches!(args.verb, Some(Verb::Run | Verb::Test));
    let wrong = if let Some(tool) = failure.kinds.tool {
        let verb = if tool == Tool::Rustdoc { "doc" } else { "clippy" };
        format!("--tool is for a file: of a package the command names the tool, such as `cargo mcve {verb}`")
    } else if failure.kinds.hang.is_some() {
        "--hang is for a file: cargo itself would not end".to_owned()
    } else if failure.spec().is_of_run() && args.verb != Some(Verb::Run) {
        "--prints, --differs, --slower-than and --memory-above need the program of `cargo mcve run`".to_owned()
    } else if failure.stdin.is_some() && !runs {
        "--stdin needs a program or a test: `cargo mcve run` or `cargo mcve test`".to_owned()
    } else if failure.strictness.is_some() && args.verb == Some(Verb::Run) {
        "--match is about what the compiler says, and `cargo mcve run` runs the program".to_owned()
    } else {
        return Ok(());
    };
    Err(wrong)
}

/// Checks the name of a test, and what follows `--`.
fn check_forwarded(args: &PackageArgs) -> Result<(), String> {
    if let (Some(name), Some(verb)) = (&args.name, args.verb.filter(|verb| !verb.has_names())) {
        let verb = verb.name();
        return Err(format!("`cargo mcve {verb}` takes no name: `cargo mcve test {name}` reduces a test of that name"));
    }
    if args.args.is_empty() {
        return Ok(());
    }
    match args.verb {
        Some(Verb::Run | Verb::Clippy | Verb::Bench) => Ok(()),
        Some(Verb::Test) => check_harness(&args.args),
        Some(verb) => Err(format!("`cargo mcve {}` takes nothing after `--`", verb.name())),
        None => Err("what follows `--` needs a command before it: test, bench, clippy or run".to_owned()),
    }
}

fn check_harness(words: &[OsString]) -> Result<(), String> {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let is_with_value = |name: &&str| word.strip_prefix(*name).is_some_and(|rest| rest.starts_with('='));
        if OF_HARNESS_WITH_VALUE.contains(&&*word) {
            words.next();
        } else if word.starts_with('-')
            && !OF_HARNESS.contains(&&*word)
            && !OF_HARNESS_WITH_VALUE.iter().any(is_with_value)
        {
            let known = [&OF_HARNESS[..], &OF_HARNESS_WITH_VALUE].concat().join(", ");
            return Err(format!(
                "`cargo mcve test` does not forward `{word}` to the tests; after `--` it takes {known}"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    fn args(line: &str) -> PackageArgs {
        PackageArgs::try_parse_from(line.split(' ')).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn the_definition_is_consistent() {
        PackageArgs::command().debug_assert();
    }

    #[test]
    fn options_that_need_another_command_are_refused() {
        for (line, expected) in [
            ("mcve --tool clippy", "`cargo mcve clippy`"),
            ("mcve --tool rustdoc", "`cargo mcve doc`"),
            ("mcve run --hang 1s", "--hang is for a file"),
            ("mcve --stdin a.txt", "--stdin needs a program or a test"),
            ("mcve check --stdin a.txt", "--stdin needs a program or a test"),
            ("mcve test --prints x", "need the program of `cargo mcve run`"),
            ("mcve run --match code", "--match is about what the compiler says"),
        ] {
            let error = check(&args(line)).expect_err(line);
            assert!(error.contains(expected), "{error}");
        }
        for line in ["mcve run --stdin a.txt", "mcve test adds --stdin a.txt --code E0308", "mcve run --prints x"] {
            assert_eq!(check(&args(line)), Ok(()), "{line}");
        }
    }

    /// The forwarded part of a command line, or why it cannot be forwarded.
    #[track_caller]
    fn forwarded(line: &str) -> Result<String, String> {
        let args = PackageArgs::try_parse_from(line.split(' ')).expect("it is right");
        let words: Vec<OsString> = args.name.iter().map(OsString::from).chain(args.args.iter().cloned()).collect();
        check(&args).map(|()| words.join(" ".as_ref()).into_string().expect("it is text"))
    }

    #[test]
    fn tests_programs_and_clippy_get_what_is_theirs() {
        for (line, expected) in [
            ("mcve test adds", "adds"),
            ("mcve test adds -- --exact --test-threads 1", "adds --exact --test-threads 1"),
            ("mcve test -- --ignored --skip=slow", "--ignored --skip=slow"),
            ("mcve run -- -v x", "-v x"),
            ("mcve clippy -- -D warnings", "-D warnings"),
            ("mcve build", ""),
        ] {
            assert_eq!(forwarded(line).as_deref(), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_nobody_takes_is_refused() {
        for (line, expected) in [
            ("mcve check adds", "`cargo mcve check` takes no name"),
            ("mcve build -- x", "`cargo mcve build` takes nothing after `--`"),
            ("mcve -- --ignored", "needs a command before it"),
            ("mcve test -- --nocapture", "does not forward `--nocapture` to the tests"),
            ("mcve test -- --skipped=x", "does not forward `--skipped=x` to the tests"),
        ] {
            let error = forwarded(line).expect_err(line);
            assert!(error.contains(expected), "{error}");
        }
    }
}
